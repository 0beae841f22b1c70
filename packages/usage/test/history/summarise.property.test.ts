import * as fc from "fast-check";
import { expect, test } from "vitest";
import { boundDay, evenSample } from "../../src/history/day-tally.ts";
import { summarise } from "../../src/history/summarise.ts";
import type { HistoryEvent } from "../../src/history/tally-counters.ts";
import { createTally } from "../../src/history/tally-events.ts";

const skill = fc.constantFrom("pdf", "docx", "api/auth", "__proto__", "constructor");
const day = fc.integer({ min: 1, max: 28 }).map((n) => `2026-02-${String(n).padStart(2, "0")}`);
const query = fc.constantFrom("Deploy", "deploy ", " DEPLOY", "make  tea", "make tea");

const event: fc.Arbitrary<HistoryEvent> = fc
  .oneof(
    fc.record({ type: fc.constant("skill_served" as const), day, data: fc.record({ skill_path: skill }) }),
    fc.record({
      type: fc.constantFrom("no_match" as const, "ambiguous" as const),
      day,
      data: fc.record({ context: query }),
    }),
    fc.record({ type: fc.constant("asset_served" as const), day, data: fc.record({ skill_path: skill }) }),
    fc.record({
      type: fc.constant("skill_feedback" as const),
      day,
      data: fc.record({
        skill_path: skill,
        useful: fc.boolean(),
        comment: fc.constantFrom("", "good", "bad"),
      }),
    }),
    fc.record({
      type: fc.constant("script_executed" as const),
      day,
      data: fc.record({
        skill_path: skill,
        file: fc.constantFrom("a.sh", "b.sh"),
        success: fc.boolean(),
        duration_ms: fc.nat(100),
      }),
    }),
    fc.record({ type: fc.constant("refresh" as const), day, data: fc.record({ success: fc.boolean() }) }),
  )
  .map((one) => ({ ...one, time: Date.parse(one.day) }));

const SPAN = { since: "2026-02-05", until: "2026-02-20" };
const KNOWN = ["pdf", "unused", "__proto__"];
const isRead = (name: string): boolean => name === KNOWN[0];

function summaryOf(parts: readonly (readonly HistoryEvent[])[]) {
  const days = parts.flatMap((events) => {
    const tally = createTally();
    for (const one of events) tally.add(one);
    return tally.days().map(boundDay);
  });
  return summarise(days, SPAN, KNOWN, isRead);
}

test("a summary of days, in however many parts, says what counting the events says", () => {
  fc.assert(
    fc.property(fc.array(fc.array(event, { maxLength: 30 }), { maxLength: 4 }), (parts) => {
      const summary = summaryOf(parts);
      const events = parts.flat().filter((one) => one.day >= SPAN.since && one.day <= SPAN.until);
      const count = (type: string, where: (one: HistoryEvent) => boolean = () => true): number =>
        events.filter((one) => one.type === type && where(one)).length;
      const failed = (one: HistoryEvent): boolean => one.data["success"] === false;

      expect(summary.totals).toEqual({
        suggested: 0,
        searched: count("no_match") + count("ambiguous"),
        events: events.length,
        served: count("skill_served"),
        assets: count("asset_served"),
        scripts: count("script_executed"),
        noMatch: count("no_match"),
        ambiguous: count("ambiguous"),
        errors: count("script_executed", failed) + count("refresh", failed),
      });
      expect(summary.days).toHaveLength(16);
      for (const { day, served, events: all } of summary.days) {
        expect(served).toBe(count("skill_served", (one) => one.day === day));
        expect(all).toBe(events.filter((one) => one.day === day).length);
      }
      for (const { skill, count: times, perDay } of summary.mostUsed) {
        expect(times).toBe(count("skill_served", (one) => one.data["skill_path"] === skill));
        expect(perDay.reduce((sum, n) => sum + n, 0)).toBe(times);
      }
      const used = new Set(
        events.filter(({ type }) => type === "skill_served").map(({ data }) => String(data["skill_path"])),
      );
      expect(new Set(summary.mostUsed.map(({ skill }) => skill))).toEqual(used);
      const unused = KNOWN.filter((name) => !used.has(name)).sort();
      expect(summary.readByAgents).toEqual(unused.filter(isRead));
      expect(summary.neverUsed).toEqual(unused.filter((name) => !isRead(name)));
      for (const { query, count: times } of summary.noMatch) {
        const same = (one: HistoryEvent): boolean =>
          String(one.data["context"]).toLowerCase().split(/\s+/).filter(Boolean).join(" ") === query;
        expect(times).toBe(count("no_match", same));
      }
      for (const { skill, useful, notUseful, comments } of summary.feedback) {
        const about = (one: HistoryEvent): boolean => one.data["skill_path"] === skill;
        expect(useful).toBe(count("skill_feedback", (one) => about(one) && one.data["useful"] === true));
        expect(notUseful).toBe(count("skill_feedback", (one) => about(one) && one.data["useful"] === false));
        expect(comments).toHaveLength(
          count("skill_feedback", (one) => about(one) && one.data["comment"] !== ""),
        );
      }
      for (const { skill, file, runs, failures, p50Ms } of summary.scripts) {
        const of = (one: HistoryEvent): boolean =>
          one.data["skill_path"] === skill && one.data["file"] === file;
        expect(runs).toBe(count("script_executed", of));
        expect(failures).toBe(count("script_executed", (one) => of(one) && failed(one)));
        const took = events.filter((one) => one.type === "script_executed" && of(one));
        const durations = took.map((one) => Number(one.data["duration_ms"])).sort((a, b) => a - b);
        expect(p50Ms).toBe(durations[Math.ceil(durations.length / 2) - 1]);
      }
    }),
    { numRuns: 80 },
  );
});

test("lists have the most first", () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      const { mostUsed, noMatch, scripts } = summaryOf([events]);
      for (const counts of [
        mostUsed.map(({ count }) => count),
        noMatch.map(({ count }) => count),
        scripts.map(({ runs }) => runs),
      ]) {
        expect(counts).toEqual([...counts].sort((a, b) => b - a));
      }
    }),
  );
});

test("an even sample contains the extremes, is sorted, and has a median near the true one", () => {
  const values = fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1, maxLength: 500 });
  fc.assert(
    fc.property(values, (all) => {
      const sorted = [...all].sort((a, b) => a - b);
      const chosen = evenSample(all, 31);
      expect(chosen.length).toBe(Math.min(31, all.length));
      expect([chosen[0], chosen.at(-1)]).toEqual([sorted[0], sorted.at(-1)]);
      expect(chosen).toEqual([...chosen].sort((a, b) => a - b));
      const median = chosen[Math.ceil(chosen.length / 2) - 1] ?? 0;
      // Between the values a thirtieth of the way below and above the middle.
      const middle = sorted.length / 2;
      const reach = sorted.length / 30 + 1;
      expect(median).toBeGreaterThanOrEqual(sorted[Math.max(0, Math.floor(middle - reach))] ?? 0);
      expect(median).toBeLessThanOrEqual(sorted[Math.min(sorted.length - 1, Math.ceil(middle + reach))] ?? 0);
    }),
  );
});
