import { normalizedQuery, textOf, textsOf } from "./stored-values.ts";

/** The steps from a suggestion to a script, and what else is counted of each client and caller. */
export const STEPS = ["events", "suggested", "searched", "loaded", "scripts", "noMatch"] as const;
export type UsageStep = (typeof STEPS)[number];

/** What is counted once for an event: the kind of count, and of what. */
export type Counter =
  | readonly [kind: "event" | "skill" | "found" | "no_match" | "unknown_name" | "ambiguous", name: string]
  | readonly [kind: "searched" | "failed_refresh"]
  | readonly [kind: "feedback", skill: string, verdict: "useful" | "not_useful"]
  | readonly [kind: "script", skill: string, file: string, what: "runs" | "failures"]
  | readonly [kind: "client" | "caller", name: string, step: UsageStep]
  | readonly [kind: "client_skill" | "caller_skill" | "client_version", name: string, of: string];

/** What statistics show beside the counts: the comment of a feedback, or how long a script took. */
export type Note =
  | { readonly kind: "comment"; readonly skill: string; readonly useful: boolean; readonly text: string }
  | { readonly kind: "run"; readonly skill: string; readonly file: string; readonly ms: number };

/**
 * `query`: what a caller typed, delivered as `analytics.context` says. `skill`: the name of a skill or a list of names, recorded
 * under the name that everyone's usage is counted by. `client`: the program that caused the event.
 */
type Role = "plain" | "query" | "skill" | "client";

interface Field<Value = unknown, Needed extends boolean = boolean> {
  readonly role: Role;
  readonly needed: Needed;
  /** What an event has in the field if nobody gave a value: every event has every field. */
  readonly unknown: null | readonly [];
  /** Never set: carries the type of the field's value. */
  readonly value?: Value;
}

type EventFields = Readonly<Record<string, Field>>;

const field = <Value>(role: Role = "plain"): Field<Value, true> => ({ role, needed: true, unknown: null });
const list = (role: Role = "plain"): Field<readonly string[], true> => ({ role, needed: true, unknown: [] });

const text = field<string>();
const texts = list();
const flag = field<boolean>();
const number = field<number>();
const numberOrNull = field<number | null>();
const query = field<string>("query");
const skill = field<string>("skill");
const skills = list("skill");
const client = field<string>("client");
const oneOf = <Value extends string>(..._values: readonly Value[]) => field<Value>();
const optional = <Value>({ role, unknown }: Field<Value, true>): Field<Value, false> => ({
  role,
  needed: false,
  unknown,
});

type ValueOf<F> = F extends Field<infer Value> ? Value : never;

/** What a caller of `record` passes for an event with these fields. */
type DataOf<F extends EventFields> = {
  readonly [K in keyof F as F[K] extends Field<unknown, true> ? K : never]: ValueOf<F[K]>;
} & {
  readonly [K in keyof F as F[K] extends Field<unknown, true> ? never : K]?: ValueOf<F[K]>;
};

/** The fields as a line of a file has them: written by any version, or by hand. */
type StoredData<F extends EventFields> = { readonly [K in keyof F]?: unknown };

interface EventDeclaration<F extends EventFields = EventFields> {
  /** In the order in which they are written. */
  readonly fields: F;
  /** Whether an endpoint gets the event. If not, it is for the statistics of those who run the server alone. */
  readonly delivered: boolean;
  /** What the event is counted as, besides its type. */
  counters(data: StoredData<F>): readonly Counter[];
  /** The steps that its client and its caller came to. */
  steps(data: StoredData<F>): readonly Exclude<UsageStep, "events">[];
  note(data: StoredData<F>): Note | undefined;
}

function declareEvent<F extends EventFields>(
  declared: Pick<EventDeclaration<F>, "fields"> & Partial<EventDeclaration<F>>,
): EventDeclaration<F> {
  return { delivered: true, counters: () => [], steps: () => [], note: () => undefined, ...declared };
}

/**
 * Every event: its fields, whether an endpoint gets it, and what it is counted as. A new event needs an entry here, and
 * in docs/reference/events.md the words when it is recorded. Values of script arguments, file contents and tokens have no field here.
 */
export const EVENTS = {
  no_match: declareEvent({
    fields: {
      /** The task, or the name that no skill has. */
      context: query,
      /** The tool that was called, or `prompt`. */
      via: text,
    },
    counters: ({ context, via }) => [
      [isSearchTool(via) ? "no_match" : "unknown_name", normalizedQuery(context)],
    ],
    steps: ({ via }) => (isSearchTool(via) ? ["searched", "noMatch"] : ["noMatch"]),
  }),
  ambiguous: declareEvent({
    fields: { context: query, candidates: texts },
    counters: ({ context, candidates }) => [
      ["ambiguous", normalizedQuery(context)],
      ...textsOf(candidates).map((name) => ["found", name] as const),
    ],
    steps: () => ["searched"],
  }),
  /** By the hook of an agent, before it sent a prompt. */
  skill_suggested: declareEvent({
    fields: {
      skill_path: skill,
      client,
      /** The agent reads the skill by itself, so that no server sees whether it is loaded. */
      native: flag,
    },
    delivered: false,
    steps: () => ["suggested"],
  }),
  /** By a search of an agent, whatever it does with them. */
  skills_found: declareEvent({
    fields: {
      /** As `skill_served` names them, best first. */
      skills,
      /** The tool that was called. */
      via: text,
    },
    delivered: false,
    counters: ({ skills: found }) => textsOf(found).map((name) => ["found", name] as const),
    steps: () => ["searched"],
  }),
  skill_served: declareEvent({
    fields: {
      context: optional(query),
      /** The path of a library skill, or the name that loads any other. */
      skill_path: skill,
      via: oneOf("get_skill", "skill", "read_skill_file", "resource", "prompt"),
      score: optional(number),
      matched_keywords: optional(texts),
      was_ambiguous: optional(flag),
    },
    counters(data) {
      const name = textOf(data.skill_path);
      return isFoundByTask(data)
        ? [
            ["skill", name],
            ["found", name],
          ]
        : [["skill", name]];
    },
    steps: (data) => (isFoundByTask(data) ? ["searched", "loaded"] : ["loaded"]),
  }),
  asset_served: declareEvent({
    fields: { skill_path: skill, file: text, asset_type: text, is_inherited: flag, size_bytes: number },
  }),
  script_executed: declareEvent({
    fields: {
      skill_path: skill,
      file: text,
      execution_mode: text,
      success: flag,
      exit_code: numberOrNull,
      duration_ms: number,
      /** Names only. */
      args_provided: texts,
    },
    counters({ skill_path, file, success }) {
      const script = ["script", textOf(skill_path), textOf(file)] as const;
      return success === true
        ? [[...script, "runs"]]
        : [
            [...script, "runs"],
            [...script, "failures"],
          ];
    },
    steps: () => ["scripts"],
    note: ({ skill_path, file, duration_ms: ms }) =>
      typeof ms === "number" ? { kind: "run", skill: textOf(skill_path), file: textOf(file), ms } : undefined,
  }),
  skill_feedback: declareEvent({
    fields: { skill_path: skill, useful: flag, comment: optional(text) },
    counters: ({ skill_path, useful }) => [
      ["feedback", textOf(skill_path), useful === true ? "useful" : "not_useful"],
    ],
    note({ skill_path, useful, comment }) {
      const said = textOf(comment).trim();
      const about = { skill: textOf(skill_path), useful: useful === true };
      return said === "" ? undefined : { kind: "comment", ...about, text: said };
    },
  }),
  refresh: declareEvent({
    fields: {
      mode: text,
      success: flag,
      commit_hash: optional(text),
      files_changed: optional(number),
      skills_reindexed: number,
    },
    counters: ({ success }) => (success === false ? [["failed_refresh"]] : []),
  }),
};

/** Events of earlier versions do not say which tool was called, and were of a search. */
function isSearchTool(via: unknown): boolean {
  return via === undefined || via === "get_skill" || via === "find_skills";
}

/** False with a path that the agent chose among candidates: the search was counted when they were shown. */
function isFoundByTask(data: {
  readonly via?: unknown;
  readonly context?: unknown;
  readonly was_ambiguous?: unknown;
}): boolean {
  return data.via === "get_skill" && textOf(data.context) !== "" && data.was_ambiguous !== true;
}

export type UsageEventType = keyof typeof EVENTS;

/** What `record` takes for each event. */
export type UsageEvents = {
  readonly [T in UsageEventType]: DataOf<(typeof EVENTS)[T]["fields"]>;
};

export function declarationOf(type: UsageEventType): EventDeclaration {
  return EVENTS[type];
}

/** False for events of later versions, and for garbage. */
export function isEventType(type: unknown): type is UsageEventType {
  return typeof type === "string" && Object.hasOwn(EVENTS, type);
}

/** The data of an event with other names for the skills in it. */
export function renameSkills<T extends UsageEventType>(
  type: T,
  data: UsageEvents[T],
  nameOf: (name: string) => string,
): UsageEvents[T] {
  const { fields } = declarationOf(type);
  const renamed = Object.entries(data).map(([name, value]: [string, unknown]) => {
    if (fields[name]?.role !== "skill") return [name, value];
    return [name, typeof value === "string" ? nameOf(value) : textsOf(value).map(nameOf)];
  });
  return Object.fromEntries(renamed) as UsageEvents[T];
}

/** A program that speaks MCP with us, as it calls itself. */
export interface ClientName {
  readonly name: string;
  readonly version?: string | undefined;
}

/** Who caused an event. */
export interface UsedBy {
  /** The subject of a token; undefined on a server without authentication. */
  readonly caller?: string | undefined;
  readonly client?: ClientName | undefined;
}

/** One event, as it is delivered and stored. */
export interface UsageEvent {
  readonly type: UsageEventType;
  readonly timestamp: string;
  readonly server_id: string;
  /** A version 7 UUID. A repeated delivery carries the same one, so that a sink can count it once. */
  readonly event_id: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly client?: ClientName;
  /** The subject of a token in the history, so that people see their own events; as a digest where it is delivered. */
  readonly caller?: string;
}
