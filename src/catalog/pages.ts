import type { ListKind } from '../protocol/listing.js';
import { decodeCursor, encodeCursor } from './cursors.js';
import type { CatalogView } from './merge.js';
import { shownText } from './shown-text.js';

/** The ready-made answers to the list methods for one view of the catalog. */
export interface CatalogPages {
  /**
   * The members of the list result of one page, up to the closing brace of the message around it. Made on
   * first use, then always the same buffer; what else the result needs goes in front.
   * @param cursor as the client sent it; `undefined` asks for the first page.
   * @returns `undefined` when the cursor is none of ours or stands for a place that no longer exists: -32602.
   */
  page(kind: ListKind, cursor: string | undefined): Buffer | undefined;
}

/**
 * Makes the pages of a view: one page with everything when `pageSize` is 0, else `pageSize` entries a page.
 *
 * A cursor holds a place in the list and works on whatever view is current when it comes back: after a change
 * in between, a client can miss an entry or see one twice, and learns of the change from `list_changed`.
 * Refusing such cursors instead would keep a client from ever finishing while some backend changes often.
 */
export function createPages<O>(view: CatalogView<O>, pageSize: number): CatalogPages {
  const made: Record<ListKind, Map<number, Buffer>> = {
    tools: new Map(),
    prompts: new Map(),
    resources: new Map(),
    resourceTemplates: new Map(),
  };
  return {
    page(kind, cursor) {
      const offset = cursor === undefined ? 0 : offsetOf(kind, cursor, view.entries(kind).length, pageSize);
      if (offset === undefined) return undefined;
      const known = made[kind].get(offset);
      if (known !== undefined) return known;
      const page = makePage(view, kind, offset, pageSize);
      made[kind].set(offset, page);
      return page;
    },
  };
}

function offsetOf(kind: ListKind, cursor: string, length: number, pageSize: number): number | undefined {
  const offset = decodeCursor(kind, cursor);
  if (offset === undefined || pageSize === 0) return undefined;
  const isPageStart = offset > 0 && offset < length && offset % pageSize === 0;
  return isPageStart ? offset : undefined;
}

function makePage<O>(view: CatalogView<O>, kind: ListKind, offset: number, pageSize: number): Buffer {
  const all = view.entries(kind);
  const end = pageSize === 0 ? all.length : Math.min(offset + pageSize, all.length);
  const comma = Buffer.from(',');
  const pieces: Buffer[] = [Buffer.from(`"${kind}":[`)];
  all.slice(offset, end).forEach((entry, index) => {
    if (index > 0) pieces.push(comma);
    pieces.push(...shownText(entry));
  });
  const next = end < all.length ? `,"nextCursor":"${encodeCursor(kind, end)}"` : '';
  pieces.push(Buffer.from(`]${next}}}`));
  return Buffer.concat(pieces);
}
