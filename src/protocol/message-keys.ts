import { type FieldName, paramFields } from './fields.js';
import { KeyTrie, root, untracked } from './key-trie.js';
import type { Span } from './message.js';
import { methodRules } from './methods.js';

const quote = 0x22;

const fieldNames = Object.keys(paramFields) as FieldName[];
const paramPath = (name: FieldName): string[] => ['params', ...paramFields[name]];

/** Every key that the gateway looks at in a message: the members of the envelope and the fields of the table. */
export const messageKeys = new KeyTrie([
  ['jsonrpc'],
  ['id'],
  ['method'],
  ['params'],
  ['result'],
  ['error'],
  ...fieldNames.map(paramPath),
]);

/** The nodes of the envelope's members. */
export const member = {
  jsonrpc: messageKeys.nodeAt(['jsonrpc']),
  id: messageKeys.nodeAt(['id']),
  method: messageKeys.nodeAt(['method']),
  params: messageKeys.nodeAt(['params']),
  result: messageKeys.nodeAt(['result']),
  error: messageKeys.nodeAt(['error']),
} as const;

/** Per node, the field of the table that it is; nodes of the envelope have none. */
export const fieldAtNode: readonly (FieldName | undefined)[] = messageKeys.labels.map((_, node) =>
  fieldNames.find((name) => messageKeys.nodeAt(paramPath(name)) === node),
);

const methodNames = new KeyTrie(methodRules.map(({ method }) => [method]));

/**
 * The method of the table that the JSON value at `span` names; undefined for any other value. Spares making a string
 * for each message, which costs as much as a quarter of the scan.
 */
export function knownMethod(bytes: Uint8Array, span: Span): string | undefined {
  if (bytes[span.start] !== quote) return undefined;
  const node = methodNames.child(root, bytes, span.start + 1, span.end - 1);
  return node === untracked ? undefined : methodNames.labels[node];
}
