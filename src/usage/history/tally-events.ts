import { compare, createCounter } from "./counter.ts";
import type { Comment, DayTally, Feedback, HistoryEvent, ScriptTally } from "./day-tally.ts";

/** Adds events up by day, as they are read. */
export interface EventTally {
  add(event: HistoryEvent): void;
  /** The days on which something happened, in order. */
  days(): readonly DayTally[];
}

const LONGEST_QUERY = 200;

export function createEventTally(): EventTally {
  const days = new Map<string, OneDay>();
  return {
    add(event) {
      const day = days.get(event.day) ?? createOneDay(event.day);
      days.set(event.day, day);
      day.add(event);
    },
    days: () => [...days].sort(([a], [b]) => compare(a, b)).map(([, day]) => day.tally()),
  };
}

interface OneDay {
  add(event: HistoryEvent): void;
  tally(): DayTally;
}

function createOneDay(day: string): OneDay {
  const events = createCounter();
  const skills = createCounter();
  const noMatch = createCounter();
  const ambiguous = createCounter();
  const feedback = new Map<string, Feedback>();
  const scripts = new Map<string, ScriptTally>();
  let failedRefreshes = 0;

  return {
    add({ type, data }) {
      events.add(type);
      const skill = textOf(data["skill_path"]);
      if (type === "skill_served") skills.add(skill);
      else if (type === "no_match") noMatch.add(queryOf(data["context"]));
      else if (type === "ambiguous") ambiguous.add(queryOf(data["context"]));
      else if (type === "refresh") failedRefreshes += data["success"] === false ? 1 : 0;
      else if (type === "skill_feedback") {
        feedback.set(skill, withFeedback(feedback.get(skill), skill, day, data));
      } else if (type === "script_executed") {
        const file = textOf(data["file"]);
        const key = JSON.stringify([skill, file]);
        scripts.set(key, withRun(scripts.get(key), skill, file, data));
      }
    },
    tally: () => ({
      day,
      events: events.counts(),
      skills: skills.counts(),
      noMatch: noMatch.counts(),
      ambiguous: ambiguous.counts(),
      feedback: [...feedback.values()],
      scripts: [...scripts.values()],
      failedRefreshes,
    }),
  };
}

type Data = HistoryEvent["data"];

function withFeedback(before: Feedback | undefined, skill: string, day: string, data: Data): Feedback {
  const useful = data["useful"] === true;
  const text = textOf(data["comment"]).trim();
  const comment: Comment = { day, useful, text };
  return {
    skill,
    useful: (before?.useful ?? 0) + (useful ? 1 : 0),
    notUseful: (before?.notUseful ?? 0) + (useful ? 0 : 1),
    comments: [...(before?.comments ?? []), ...(text === "" ? [] : [comment])],
  };
}

function withRun(before: ScriptTally | undefined, skill: string, file: string, data: Data): ScriptTally {
  const took = data["duration_ms"];
  // Grown in place: a day may hold tens of thousands of runs of one script, and this list is not yet anybody else's.
  const durations = (before?.durations ?? []) as number[];
  if (typeof took === "number") durations.push(took);
  return {
    skill,
    file,
    runs: (before?.runs ?? 0) + 1,
    failures: (before?.failures ?? 0) + (data["success"] === true ? 0 : 1),
    durations,
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The same question in other spacing or letter case is the same question. */
function queryOf(value: unknown): string {
  return textOf(value).trim().replace(/\s+/g, " ").toLowerCase().slice(0, LONGEST_QUERY);
}
