import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";

/** Most lists fit on one page, so clients that ignore cursors miss nothing. */
export const PAGE_SIZE = 1_000;

/** Turns the key of the last item on a page into a cursor, and back. */
export interface Cursors {
  after(key: string): string;
  /** The key in a cursor; undefined at the beginning. Refuses a cursor of another list. */
  read(cursor: string | undefined): string | undefined;
}

/** The cursors of one list. They name an item, not a position, so a list may change between two pages. */
export function createCursors(list: string): Cursors {
  const prefix = `${list}\0`;
  const after = (key: string): string => Buffer.from(prefix + key).toString("base64url");
  return {
    after,
    read(cursor) {
      if (cursor === undefined) return undefined;
      const text = Buffer.from(cursor, "base64url").toString("utf8");
      const key = text.slice(prefix.length);
      if (text.startsWith(prefix) && after(key) === cursor) return key;
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        "Invalid cursor: pass the nextCursor of the previous page unchanged, or none to start over.",
      );
    },
  };
}

interface Page<T> {
  readonly items: T[];
  readonly nextCursor?: string;
}

/** One page of items that are in the order of their keys. */
export function pageOf<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  cursors: Cursors,
  cursor: string | undefined,
): Page<T> {
  const last = cursors.read(cursor);
  const found = last === undefined ? 0 : items.findIndex((item) => keyOf(item) > last);
  const start = found === -1 ? items.length : found;
  const page = items.slice(start, start + PAGE_SIZE);
  const end = page.at(-1);
  if (end === undefined || start + PAGE_SIZE >= items.length) return { items: page };
  return { items: page, nextCursor: cursors.after(keyOf(end)) };
}

/** By code units, the order of every list. */
export function compareKeys(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
