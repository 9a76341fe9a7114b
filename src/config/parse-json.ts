import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Place } from './place.js';
import type { ConfigValue } from './value.js';

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Parses JSON that may have comments, trailing commas and a byte order mark.
 *
 * A syntax error is reported with line and column and gives `undefined`; only the first one is, since what
 * follows it is guesswork. A key that occurs twice is reported with both lines; the first one's value is used,
 * so that the rest of the file can still be checked.
 */
export function parseJson(text: string, root: Place): ConfigValue | undefined {
  const source = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  const errors: ParseError[] = [];
  const tree = parseTree(source, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined || tree === undefined) {
    const { line, column } = position(source, error?.offset ?? source.length);
    root.reportAt(
      `${line}:${column}`,
      `not valid JSON: ${error === undefined ? 'nothing in it' : words(error)}`,
    );
    return undefined;
  }
  return toValue(tree, source, root);
}

function toValue(node: Node, source: string, place: Place): ConfigValue {
  switch (node.type) {
    case 'object':
      return toMap(node, source, place);
    case 'array':
      return (node.children ?? []).map((child, index) => toValue(child, source, place.at(index)));
    default:
      return node.value;
  }
}

function toMap(node: Node, source: string, place: Place): ConfigValue {
  const members = new Map<string, ConfigValue>();
  const firstOffsets = new Map<string, number>();
  for (const { children: [keyNode, valueNode] = [] } of node.children ?? []) {
    if (keyNode === undefined || valueNode === undefined) continue;
    const key: string = keyNode.value;
    const firstOffset = firstOffsets.get(key);
    if (firstOffset === undefined) {
      firstOffsets.set(key, keyNode.offset);
      members.set(key, toValue(valueNode, source, place.at(key)));
    } else {
      const { line, column } = position(source, keyNode.offset);
      const first = position(source, firstOffset).line;
      place
        .at(key)
        .reportAt(`${line}:${column}`, `duplicate key, first on line ${first}; keep one of the two`);
    }
  }
  return members;
}

/** `CloseBraceExpected` → `close brace expected`. */
function words(error: ParseError): string {
  return printParseErrorCode(error.error)
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
}

function position(source: string, offset: number): { line: number; column: number } {
  const before = source.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}
