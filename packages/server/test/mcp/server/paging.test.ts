import fc from "fast-check";
import { expect, test } from "vitest";
import { compareKeys, createCursors, PAGE_SIZE, pageOf } from "../../../src/mcp/server/paging.ts";

const CURSORS = createCursors("things");
const same = (item: string): string => item;

test("the pages together are the whole list, in order, each item once", () => {
  const sizes = fc.integer({ min: 0, max: 3 * PAGE_SIZE });
  fc.assert(
    fc.property(sizes, (size) => {
      const items = Array.from({ length: size }, (_, index) => `item-${index}`).sort(compareKeys);
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = pageOf(items, same, CURSORS, cursor);
        expect(page.items.length).toBeLessThanOrEqual(PAGE_SIZE);
        seen.push(...page.items);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(seen).toEqual(items);
    }),
    { numRuns: 20 },
  );
});

test.each([
  [PAGE_SIZE - 1, false],
  [PAGE_SIZE, false],
  [PAGE_SIZE + 1, true],
  [0, false],
])("a list of %i items has a second page: %s", (size, expected) => {
  const items = Array.from({ length: size }, (_, index) => `item-${index}`).sort(compareKeys);
  expect(pageOf(items, same, CURSORS, undefined).nextCursor !== undefined).toBe(expected);
});

test("the last of several full pages has no next one", () => {
  const items = Array.from({ length: 2 * PAGE_SIZE }, (_, index) => `item-${index}`).sort(compareKeys);
  const { nextCursor } = pageOf(items, same, CURSORS, undefined);
  const last = pageOf(items, same, CURSORS, nextCursor);
  expect([last.items.length, last.nextCursor]).toEqual([PAGE_SIZE, undefined]);
});

test("an item that goes away between two pages takes no other with it", () => {
  const items = Array.from({ length: PAGE_SIZE + 2 }, (_, index) => String(index).padStart(6, "0"));
  const { nextCursor } = pageOf(items, same, CURSORS, undefined);
  const rest = pageOf(
    items.filter((_, index) => index !== PAGE_SIZE - 1),
    same,
    CURSORS,
    nextCursor,
  );
  expect(rest.items).toEqual(items.slice(PAGE_SIZE));
});

test.each(["", "x", "!!!", createCursors("others").after("a"), `${CURSORS.after("a")}=`, "AAAA"])(
  "the cursor %j, which this list never gave out, is refused",
  (cursor) => {
    expect(() => CURSORS.read(cursor)).toThrow(/Invalid cursor/);
  },
);
