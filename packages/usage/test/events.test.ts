import { describe, expect, test } from "vitest";
import { createEventSink } from "../../../test/support/event-sink.ts";
import { createSandbox } from "../../../test/support/sandbox.ts";
import { recordedFields } from "../src/create-usage.ts";
import { declarationOf, EVENTS, renameSkills, type UsageEventType } from "../src/events.ts";
import { openUsage } from "./open-usage.ts";

const TYPES = Object.keys(EVENTS) as readonly UsageEventType[];

test("record: a field that the event does not declare, or that it misses, is a type error", async () => {
  const { usage } = openUsage(createSandbox());
  // @ts-expect-error: `token` is no field of this event.
  usage.record("no_match", { context: "a", via: "get_skill", token: "b" });
  // @ts-expect-error: `via` is missing.
  usage.record("no_match", { context: "a" });
  // @ts-expect-error: a score is a number.
  usage.record("skill_served", { skill_path: "pdf", via: "get_skill", score: "0.5" });
  usage.record("skill_served", { skill_path: "pdf", via: "get_skill", score: 0.5 });
  expect(await usage.saved()).toBe(true);
});

test("renameSkills changes names of skills alone", () => {
  const nameOf = (name: string): string => `common-${name}`;
  expect(renameSkills("skills_found", { skills: ["a", "b"], via: "c" }, nameOf)).toEqual({
    skills: ["common-a", "common-b"],
    via: "c",
  });
  expect(renameSkills("skill_served", { skill_path: "a", via: "skill", context: "a" }, nameOf)).toEqual({
    skill_path: "common-a",
    via: "skill",
    context: "a",
  });
});

describe("every event has every field of its table", () => {
  test.each(TYPES)("%s: what nobody gave is null, or an empty list", (type) => {
    const recorded = recordedFields(type, {});
    expect(Object.keys(recorded)).toEqual(Object.keys(declarationOf(type).fields));
    const lists = new Set(["candidates", "skills", "matched_keywords", "args_provided"]);
    for (const [name, value] of Object.entries(recorded)) expect(value).toEqual(lists.has(name) ? [] : null);
  });

  test("skill_served: a skill that is loaded by name has the fields of one that is found", async () => {
    const sink = await createEventSink();
    const { usage } = openUsage(createSandbox(), { endpoint: sink.url });
    usage.record("skill_served", { skill_path: "pdf", via: "skill" });
    await usage.close(5000);
    expect(sink.taken().map(({ data }) => data)).toEqual([
      {
        context: null,
        skill_path: "pdf",
        via: "skill",
        score: null,
        matched_keywords: [],
        was_ambiguous: null,
      },
    ]);
  });
});
