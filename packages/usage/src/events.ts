import {
  client,
  type DataOf,
  declareEvent,
  type EventDeclaration,
  flag,
  number,
  numberOrNull,
  oneOf,
  optional,
  query,
  skill,
  skills,
  text,
  texts,
} from "./declare-event.ts";
import { normalizedQuery, textOf, textsOf } from "./stored-values.ts";

/**
 * Every event: its fields, whether an endpoint gets it, and what it is counted as. A new event needs an entry here and, if it
 * is delivered, a line in docs/usage.md. Values of script arguments, file contents and tokens have no field here.
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
