import {
  type Counter,
  declarationOf,
  type Note,
  STEPS,
  type UsageEventType,
  type UsageStep,
} from "../events.ts";
import { textOf } from "../stored-values.ts";
import {
  type Count,
  compare,
  createCounter,
  type DayTally,
  type GroupTally,
  type ScriptTally,
  type SkillFeedback,
} from "./day-tally.ts";

/** The counts of a kind, without it. */
type CountRows = readonly (readonly [parts: readonly string[], count: number])[];

/** The counts of a day from its counters and notes, wherever they were added up. */
export function tallyCounters(
  day: string,
  fields: ReadonlyMap<string, number>,
  notes: readonly Note[],
): DayTally {
  const kinds = new Map<string, [readonly string[], number][]>();
  for (const [field, count] of fields) {
    const [kind = "", ...parts] = counterOf(field);
    const rows = kinds.get(kind);
    if (rows === undefined) kinds.set(kind, [[parts, count]]);
    else rows.push([parts, count]);
  }
  const rowsOf = (kind: string): CountRows => kinds.get(kind) ?? [];
  const countsOf = (kind: string): readonly Count[] => countsIn(rowsOf(kind));
  const totalOf = (kind: string): number => rowsOf(kind)[0]?.[1] ?? 0;
  return {
    day,
    events: countsOf("event"),
    skills: countsOf("skill"),
    found: countsOf("found"),
    noMatch: countsOf("no_match"),
    unknownNames: countsOf("unknown_name"),
    ambiguous: countsOf("ambiguous"),
    feedback: feedbackIn(rowsOf("feedback"), day, notes),
    scripts: scriptsIn(rowsOf("script"), notes),
    searched: totalOf("searched"),
    failedRefreshes: totalOf("failed_refresh"),
    clients: groupsIn(rowsOf("client"), rowsOf("client_skill"), rowsOf("client_version")),
    callers: groupsIn(rowsOf("caller"), rowsOf("caller_skill"), []),
  };
}

function countsIn(rows: CountRows): readonly Count[] {
  const counter = createCounter();
  for (const [[name = ""], count] of rows) counter.add(name, count);
  return counter.counts();
}

/** The rows by their first part, without it. */
function groupRows(rows: CountRows): ReadonlyMap<string, CountRows> {
  const groups = new Map<string, [readonly string[], number][]>();
  for (const [[name = "", ...rest], count] of rows) {
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [[rest, count]]);
    else group.push([rest, count]);
  }
  return groups;
}

function groupsIn(steps: CountRows, skills: CountRows, versions: CountRows): readonly GroupTally[] {
  const skillsOf = groupRows(skills);
  const versionsOf = groupRows(versions);
  return [...groupRows(steps)]
    .map(([name, rows]): GroupTally => {
      const counts = new Map(countsIn(rows));
      return {
        name,
        ...(Object.fromEntries(STEPS.map((step) => [step, counts.get(step) ?? 0])) as Record<
          UsageStep,
          number
        >),
        skills: countsIn(skillsOf.get(name) ?? []),
        versions: countsIn(versionsOf.get(name) ?? []),
      };
    })
    .sort((a, b) => b.events - a.events || compare(a.name, b.name));
}

function feedbackIn(rows: CountRows, day: string, notes: readonly Note[]): readonly SkillFeedback[] {
  return [...groupRows(rows)].map(([skill, verdicts]) => {
    const counts = new Map(countsIn(verdicts));
    const comments = notes.flatMap((note) =>
      note.kind === "comment" && note.skill === skill ? [{ day, useful: note.useful, text: note.text }] : [],
    );
    return { skill, useful: counts.get("useful") ?? 0, notUseful: counts.get("not_useful") ?? 0, comments };
  });
}

function scriptsIn(rows: CountRows, notes: readonly Note[]): readonly ScriptTally[] {
  const durations = new Map<string, number[]>();
  for (const note of notes) {
    if (note.kind !== "run") continue;
    const key = JSON.stringify([note.skill, note.file]);
    const known = durations.get(key);
    if (known === undefined) durations.set(key, [note.ms]);
    else known.push(note.ms);
  }
  return [...groupRows(rows)].flatMap(([skill, ofSkill]) =>
    [...groupRows(ofSkill)].map(([file, ofFile]) => {
      const counts = new Map(countsIn(ofFile));
      return {
        skill,
        file,
        runs: counts.get("runs") ?? 0,
        failures: counts.get("failures") ?? 0,
        durations: durations.get(JSON.stringify([skill, file])) ?? [],
      };
    }),
  );
}

/** One event as statistics read it. */
export interface HistoryEvent {
  readonly type: UsageEventType;
  readonly day: string;
  /** In milliseconds. */
  readonly time: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly client?: unknown;
  readonly caller?: unknown;
}

const LONGEST_PART = 300;

/** Everything that an event is counted as. */
export function countersOf(event: HistoryEvent): readonly Counter[] {
  const declared = declarationOf(event.type);
  const steps = ["events", ...declared.steps(event.data)] as const;
  const loaded = steps.includes("loaded") ? [textOf(event.data["skill_path"])] : [];
  const { name, version } = clientOf(event);
  const caller = textOf(event.caller);
  return [
    ["event", event.type],
    ...declared.counters(event.data),
    ...(steps.includes("searched") ? [["searched"] as const] : []),
    ...(name === "" ? [] : groupCounters("client", name, steps, loaded)),
    ...(name === "" || version === "" ? [] : [["client_version", name, version] as const]),
    ...(caller === "" ? [] : groupCounters("caller", caller, steps, loaded)),
  ];
}

function groupCounters(
  kind: "client" | "caller",
  name: string,
  steps: readonly UsageStep[],
  loaded: readonly string[],
): readonly Counter[] {
  return [
    ...steps.map((step): Counter => [kind, name, step]),
    ...loaded.map((skill): Counter => [`${kind}_skill`, name, skill]),
  ];
}

export function noteOf({ type, data }: HistoryEvent): Note | undefined {
  return declarationOf(type).note(data);
}

/** The client that sent the request, or the one that a field of the event names. */
function clientOf({ type, client, data }: HistoryEvent): { readonly name: string; readonly version: string } {
  const field = Object.entries(declarationOf(type).fields).find(([, { role }]) => role === "client");
  if (field !== undefined) return { name: textOf(data[field[0]]), version: "" };
  const fields: Readonly<Record<string, unknown>> = typeof client === "object" ? { ...client } : {};
  return { name: textOf(fields["name"]), version: textOf(fields["version"]) };
}

/** Between the parts of a counter's name. */
const SEPARATOR = "\u001f";

/** A counter as one text; `counterOf` is the way back. */
export function fieldOf(counter: Counter): string {
  return counter.map(partOf).join(SEPARATOR);
}

function counterOf(field: string): readonly string[] {
  return field.split(SEPARATOR);
}

function partOf(part: string): string {
  const short = part.length > LONGEST_PART ? part.slice(0, LONGEST_PART) : part;
  return short.includes(SEPARATOR) ? short.replaceAll(SEPARATOR, " ") : short;
}
