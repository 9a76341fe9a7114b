import { isJsonObject } from '../protocol/json.js';
import type { ResponseMessage } from '../protocol/message.js';
import { printable } from './printable.js';

/** Longest part of a backend's error message that is repeated in ours. */
const maxQuotedLength = 200;

/** The parsed `result` or `error` of an answer that the gateway itself asked for. */
export function answerValue({ bytes, value }: ResponseMessage): unknown {
  return value === undefined ? undefined : JSON.parse(bytes.toString('utf8', value.start, value.end));
}

/** The code of an error answer, if it has one. */
export function errorCode(answer: ResponseMessage): number | undefined {
  const error = answerValue(answer);
  return isJsonObject(error) && typeof error.code === 'number' ? error.code : undefined;
}

/** An answer without a result in words: `answered with error -32603: no such table`. */
export function describeError(answer: ResponseMessage): string {
  if (answer.outcome === 'invalid') return 'answered with neither a result nor an error alone';
  const error = answerValue(answer);
  const message = isJsonObject(error) && typeof error.message === 'string' ? error.message : 'no message';
  return `answered with error ${errorCode(answer) ?? 'without a code'}: ${printable(message, maxQuotedLength)}`;
}
