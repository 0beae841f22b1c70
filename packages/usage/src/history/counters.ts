import type { UsageEventType } from "../events.ts";

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

/** The steps from a suggestion to a script, and what else is counted of each client and caller. */
export const STEPS = ["events", "suggested", "searched", "loaded", "scripts", "noMatch"] as const;
export type Step = (typeof STEPS)[number];

/** What is counted once for an event: the kind of count, and of what. */
export type Counter =
  | readonly [kind: "event" | "skill" | "found" | "no_match" | "unknown_name" | "ambiguous", name: string]
  | readonly [kind: "searched" | "failed_refresh"]
  | readonly [kind: "feedback", skill: string, verdict: "useful" | "not_useful"]
  | readonly [kind: "script", skill: string, file: string, what: "runs" | "failures"]
  | readonly [kind: "client" | "caller", name: string, step: Step]
  | readonly [kind: "client_skill" | "caller_skill" | "client_version", name: string, of: string];

/** What a count cannot say. */
export type Note =
  | { readonly kind: "comment"; readonly skill: string; readonly useful: boolean; readonly text: string }
  | { readonly kind: "run"; readonly skill: string; readonly file: string; readonly ms: number };

const LONGEST_QUERY = 200;
const LONGEST_PART = 300;

/** Everything that an event is counted as. */
export function countersOf(event: HistoryEvent): readonly Counter[] {
  const steps = stepsOf(event);
  const served = event.type === "skill_served" ? [textOf(event.data["skill_path"])] : [];
  const { name, version } = clientOf(event);
  const caller = textOf(event.caller);
  return [
    ["event", event.type],
    ...ofType(event),
    ...(steps.includes("searched") ? [["searched"] as const] : []),
    ...(name === "" ? [] : groupCounters("client", name, steps, served)),
    ...(name === "" || version === "" ? [] : [["client_version", name, version] as const]),
    ...(caller === "" ? [] : groupCounters("caller", caller, steps, served)),
  ];
}

function groupCounters(
  kind: "client" | "caller",
  name: string,
  steps: readonly Step[],
  served: readonly string[],
): readonly Counter[] {
  return [
    ...steps.map((step): Counter => [kind, name, step]),
    ...served.map((skill): Counter => [`${kind}_skill`, name, skill]),
  ];
}

function ofType({ type, data }: HistoryEvent): readonly Counter[] {
  const skill = textOf(data["skill_path"]);
  switch (type) {
    case "skill_served":
      return [["skill", skill], ...(isSearch(type, data) ? [["found", skill] as const] : [])];
    case "skills_found":
      return textsOf(data["skills"]).map((name): Counter => ["found", name]);
    case "no_match":
      return [[isSearch(type, data) ? "no_match" : "unknown_name", normalized(data["context"])]];
    case "ambiguous":
      return [
        ["ambiguous", normalized(data["context"])],
        ...textsOf(data["candidates"]).map((name): Counter => ["found", name]),
      ];
    case "refresh":
      return data["success"] === false ? [["failed_refresh"]] : [];
    case "skill_feedback":
      return [["feedback", skill, data["useful"] === true ? "useful" : "not_useful"]];
    case "script_executed": {
      const file = textOf(data["file"]);
      const failed: readonly Counter[] =
        data["success"] === true ? [] : [["script", skill, file, "failures"]];
      return [["script", skill, file, "runs"], ...failed];
    }
    default:
      return [];
  }
}

function stepsOf({ type, data }: HistoryEvent): readonly Step[] {
  const searched: readonly Step[] = isSearch(type, data) ? ["events", "searched"] : ["events"];
  if (type === "skill_suggested") return [...searched, "suggested"];
  if (type === "skill_served") return [...searched, "loaded"];
  if (type === "script_executed") return [...searched, "scripts"];
  return type === "no_match" ? [...searched, "noMatch"] : searched;
}

/** Whether somebody described a task. Events of earlier versions do not say which tool it was, and were of a search. */
function isSearch(type: UsageEventType, data: HistoryEvent["data"]): boolean {
  const via = data["via"];
  if (type === "skills_found" || type === "ambiguous") return true;
  if (type === "no_match") return via === undefined || via === "get_skill" || via === "find_skills";
  // With a path that the agent chose among candidates, it was counted when they were shown.
  const isTask = textOf(data["context"]) !== "" && data["was_ambiguous"] !== true;
  return type === "skill_served" && via === "get_skill" && isTask;
}

/** The comment of a feedback, or how long a script took. */
export function noteOf({ type, data }: HistoryEvent): Note | undefined {
  const skill = textOf(data["skill_path"]);
  if (type === "skill_feedback") {
    const text = textOf(data["comment"]).trim();
    return text === "" ? undefined : { kind: "comment", skill, useful: data["useful"] === true, text };
  }
  const ms = data["duration_ms"];
  if (type !== "script_executed" || typeof ms !== "number") return undefined;
  return { kind: "run", skill, file: textOf(data["file"]), ms };
}

/** A hook knows only the agent that it runs in. */
function clientOf({ type, client, data }: HistoryEvent): { readonly name: string; readonly version: string } {
  if (type === "skill_suggested") return { name: textOf(data["client"]), version: "" };
  const fields: Readonly<Record<string, unknown>> = typeof client === "object" ? { ...client } : {};
  return { name: textOf(fields["name"]), version: textOf(fields["version"]) };
}

/** Between the parts of a counter's name. */
const SEPARATOR = "\u001f";

/** A counter as one text, and back. */
export function fieldOf(counter: Counter): string {
  return counter.map(partOf).join(SEPARATOR);
}

export function counterOf(field: string): readonly string[] {
  return field.split(SEPARATOR);
}

function partOf(part: string): string {
  const short = part.length > LONGEST_PART ? part.slice(0, LONGEST_PART) : part;
  return short.includes(SEPARATOR) ? short.replaceAll(SEPARATOR, " ") : short;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

/** Queries that differ only in white space or case count as one. */
function normalized(query: unknown): string {
  return textOf(query).trim().replace(/\s+/g, " ").toLowerCase().slice(0, LONGEST_QUERY);
}
