import { expect, test } from "vitest";
import type { RefreshEvent } from "#skills";
import { waitUntil } from "../../../../test/support/wait-until.ts";
import { AnnounceTogether } from "../../src/share/announce-together.ts";

function open(options: { longestMs?: number; settleMs?: number } = {}) {
  const state = { together: true };
  const together = new AnnounceTogether({ isTogether: () => state.together, ...options });
  const told: number[] = [];
  const refreshed: RefreshEvent[] = [];
  together.listen.onChange(({ added }) => told.push(added));
  together.listen.onRefresh((event) => refreshed.push(event));
  return { state, together, told, refreshed };
}

function refresh(added?: number): RefreshEvent {
  const change = added === undefined ? undefined : { added, removed: 0, changed: 0 };
  return { reasons: new Set(), previous: undefined, change } as unknown as RefreshEvent;
}

test("announce: a change that all replicas have is announced at once, and so is every refresh without a change", () => {
  const { state, together, told, refreshed } = open();
  together.add(refresh(1));
  state.together = false;
  together.add(refresh());
  expect(told).toEqual([1]);
  expect(refreshed).toHaveLength(2);
});

test("announce: a change waits for the other replicas, and is announced once", () => {
  const { state, together, told, refreshed } = open();
  state.together = false;
  together.add(refresh(1));
  together.add(refresh(2));
  together.check();
  expect(told).toEqual([]);
  state.together = true;
  together.check();
  together.check();
  expect(told).toEqual([2]);
  expect(refreshed).toHaveLength(2);
});

test("announce: a replica that is far behind delays a change for a moment only; when it catches up, it is announced again", async () => {
  const { state, together, told } = open({ longestMs: 20 });
  state.together = false;
  together.add(refresh(1));
  await waitUntil("the change is told", () => told.length === 1);
  together.check();
  expect(told).toHaveLength(1);
  state.together = true;
  together.check();
  together.check();
  expect(told).toHaveLength(2);
});

test("announce: after an outage clients are notified once, when the other replicas had time to announce what they serve", async () => {
  const { together, told } = open({ settleMs: 20 });
  together.afterOutage();
  together.check();
  expect(told).toEqual([]);
  await waitUntil("it is told", () => told.length === 1);
  together.check();
  expect(told).toEqual([0]);
});
