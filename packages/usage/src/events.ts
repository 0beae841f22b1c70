export const EVENT_TYPES = [
  "no_match",
  "ambiguous",
  "skill_suggested",
  "skills_found",
  "skill_served",
  "asset_served",
  "script_executed",
  "skill_feedback",
  "refresh",
] as const;

export type UsageEventType = (typeof EVENT_TYPES)[number];

/** What each event records. Values of script arguments, file contents and tokens have no field here. */
export interface UsageEvents {
  readonly no_match: {
    /** The task, or the name that no skill has. */
    readonly context: string;
    /** The tool that was called, or `prompt`. */
    readonly via: string;
  };
  readonly ambiguous: { readonly context: string; readonly candidates: readonly string[] };
  /** By the hook of an agent, before it sent a prompt. Recorded in the history of this machine alone. */
  readonly skill_suggested: {
    readonly skill_path: string;
    readonly client: string;
    /** The agent reads the skill by itself, so that no server sees whether it is loaded. */
    readonly native: boolean;
  };
  /** By a search of an agent, whatever it does with them. Recorded in histories and counts, and never delivered. */
  readonly skills_found: {
    /** As `skill_served` names them, best first. */
    readonly skills: readonly string[];
    /** The tool that was called. */
    readonly via: string;
  };
  readonly skill_served: {
    /** The path of a library skill, or the name that loads any other. */
    readonly skill_path: string;
    readonly via: "get_skill" | "skill" | "read_skill_file" | "resource" | "prompt";
    readonly context?: string;
    readonly score?: number;
    readonly matched_keywords?: readonly string[];
    readonly was_ambiguous?: boolean;
  };
  readonly asset_served: {
    readonly skill_path: string;
    readonly file: string;
    readonly asset_type: string;
    readonly is_inherited: boolean;
    readonly size_bytes: number;
  };
  readonly script_executed: {
    readonly skill_path: string;
    readonly file: string;
    readonly execution_mode: string;
    readonly success: boolean;
    readonly exit_code: number | null;
    readonly duration_ms: number;
    /** Names only. */
    readonly args_provided: readonly string[];
  };
  readonly skill_feedback: {
    readonly skill_path: string;
    readonly useful: boolean;
    readonly comment?: string;
  };
  readonly refresh: {
    readonly mode: string;
    readonly success: boolean;
    readonly commit_hash?: string;
    readonly files_changed?: number;
    readonly skills_reindexed: number;
  };
}

/** Events that an endpoint gets. The others are for the statistics of those who run the server. */
export function isDelivered(type: string): boolean {
  return type !== "skill_suggested" && type !== "skills_found";
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
