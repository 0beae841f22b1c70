import type { FleetLog } from "../../src/relay/fleet-usage.ts";

/** The log of replicas without Redis, for one process. */
export function createMemoryLog() {
  let epoch = 1;
  let next = 1;
  let entries: { readonly id: string; readonly text: string }[] = [];
  const batches = new Map<string, string>();
  const hashes = new Map<string, Map<string, number>>();
  const lists = new Map<string, string[]>();
  const texts = new Map<string, string>();
  const state = { isAway: false, isFull: false };
  const answer = <T>(value: T): Promise<T> =>
    state.isAway ? Promise.reject(new Error("away")) : Promise.resolve(value);
  const log: FleetLog = {
    isAway: () => state.isAway,
    async add(batch, lines, counts) {
      await answer(undefined);
      if (state.isFull) return "full";
      const known = batches.get(batch);
      if (known !== undefined) return { epoch: String(epoch), last: known };
      for (const text of lines) entries.push({ id: `${next++}-0`, text });
      for (const group of counts) {
        if ("lines" in group) lists.set(group.name, [...(lists.get(group.name) ?? []), ...group.lines]);
        else {
          const hash = hashes.get(group.name) ?? new Map<string, number>();
          hashes.set(group.name, hash);
          for (const [field, count] of group.fields) hash.set(field, (hash.get(field) ?? 0) + count);
        }
      }
      const last = lines.length === 0 ? "" : `${next - 1}-0`;
      batches.set(batch, last);
      return { epoch: String(epoch), last };
    },
    status: () => answer({ epoch: String(epoch), first: entries[0]?.id ?? "" }),
    read: (most) => answer(entries.slice(0, most)),
    async hold(ids) {
      const known = await answer(entries.map(({ id }) => id));
      if (!ids.every((id) => known.includes(id))) throw new Error("no such entry");
    },
    async done(ids) {
      await answer(undefined);
      entries = entries.filter(({ id }) => !ids.includes(id));
    },
    counts: (names) => answer(names.map((name) => hashes.get(name) ?? new Map<string, number>())),
    lines: (names) => answer(names.map((name) => lists.get(name) ?? [])),
    async agreeOn(name, suggestion) {
      const known = await answer(texts.get(name) ?? suggestion);
      texts.set(name, known);
      return known;
    },
  };
  return {
    log,
    state,
    waiting: (): number => entries.length,
    /** As a Redis that restarts without its data. */
    loseMemory(): void {
      epoch++;
      entries = [];
      for (const memory of [batches, hashes, lists, texts]) memory.clear();
    },
  };
}
