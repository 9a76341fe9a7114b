import type { JsonObject } from '../protocol/json.js';
import type { Span } from '../protocol/message.js';
import type { Edit } from '../protocol/splice.js';
import { kindAt } from '../protocol/walk.js';

const comma = Buffer.from(',');
const closeBrace = 0x7d;
const space = 0x20;

/** Puts members in front of those that an object has. Keys that it has already then stand twice; the last counts. */
export function insertMembers(bytes: Buffer, object: Span, members: JsonObject): Edit {
  return insertText(bytes, object, JSON.stringify(members).slice(1, -1));
}

/** The same where an object should stand: any other value gives way to one. */
export function putMembers(bytes: Buffer, value: Span, members: JsonObject): Edit {
  return kindAt(bytes, value) === 'object'
    ? insertMembers(bytes, value, members)
    : { start: value.start, end: value.end, text: JSON.stringify(members) };
}

/** The same with the members as the bytes of JSON text, without braces; there are some. */
export function insertBytes(bytes: Buffer, object: Span, members: Buffer): Edit {
  const at = object.start + 1;
  return { start: at, end: at, text: isEmpty(bytes, object) ? members : Buffer.concat([members, comma]) };
}

/** The same with the members as JSON text, without braces. */
export function insertText(bytes: Buffer, object: Span, text: string): Edit {
  const at = object.start + 1;
  return { start: at, end: at, text: text === '' || isEmpty(bytes, object) ? text : `${text},` };
}

function isEmpty(bytes: Buffer, { start, end }: Span): boolean {
  let at = start + 1;
  while (at < end && (bytes[at] ?? 0) <= space) at += 1;
  return bytes[at] === closeBrace;
}
