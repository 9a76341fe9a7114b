import { gatewayError } from '../protocol/errors.js';
import { isJsonObject, type JsonObject } from '../protocol/json.js';
import type { NotificationMessage, ResponseMessage } from '../protocol/message.js';
import { printable } from './printable.js';

/** Longest part of a backend's error message that is repeated in ours. */
const maxQuotedLength = 200;

/** The parsed `result` or `error` of an answer that the gateway itself asked for. */
export function answerValue({ bytes, value }: ResponseMessage): unknown {
  return value === undefined ? undefined : JSON.parse(bytes.toString('utf8', value.start, value.end));
}

/** The parsed parameters of a notification. */
export function paramsValue({ bytes, params }: NotificationMessage): unknown {
  return params === undefined ? undefined : JSON.parse(bytes.toString('utf8', params.start, params.end));
}

/** The code of an error answer, if it has one. */
export function errorCode(answer: ResponseMessage): number | undefined {
  const error = answerValue(answer);
  return isJsonObject(error) && typeof error.code === 'number' ? error.code : undefined;
}

/** An answer without a result in words: `answered with error -32603: no such table`. */
export function describeError(answer: ResponseMessage): string {
  if (answer.outcome === 'invalid') return 'answered with neither a result nor an error alone, as an object';
  const error = answerValue(answer);
  const message = isJsonObject(error) && typeof error.message === 'string' ? error.message : 'no message';
  return `answered with error ${errorCode(answer) ?? 'without a code'}: ${printable(message, maxQuotedLength)}`;
}

/** An empty result in the place of one that the backend has no message for. */
export function emptyAnswer(): ResponseMessage {
  return compose('result', {});
}

/** An error of the gateway's own in the place of an answer. */
export function refusedAnswer(message: string, data: JsonObject): ResponseMessage {
  return compose('error', { ...gatewayError('invalidParams', message, data) });
}

/** No request waits for it under its id, which is 0. */
function compose(outcome: 'result' | 'error', value: JsonObject): ResponseMessage {
  const beforeId = '{"jsonrpc":"2.0","id":';
  const beforeValue = `${beforeId}0,"${outcome}":`;
  const bytes = Buffer.from(`${beforeValue}${JSON.stringify(value)}}`);
  return {
    kind: 'response',
    bytes,
    id: { start: beforeId.length, end: beforeId.length + 1 },
    outcome,
    value: { start: beforeValue.length, end: bytes.length - 1 },
    multiline: false,
  };
}
