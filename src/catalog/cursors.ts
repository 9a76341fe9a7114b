import type { ListKind } from '../protocol/listing.js';

/** The opaque text that stands for a place in one of our lists. */
export function encodeCursor(kind: ListKind, offset: number): string {
  return Buffer.from(`${kind} ${offset}`).toString('base64url');
}

/** The place that a cursor stands for, or `undefined` when we never made it for this kind of list. */
export function decodeCursor(kind: ListKind, cursor: string): number | undefined {
  const offset = Number(Buffer.from(cursor, 'base64url').toString().slice(kind.length));
  // Comparing with our own writing refuses every other kind, number format and encoding at once.
  return encodeCursor(kind, offset) === cursor ? offset : undefined;
}
