export const EVENT_TYPES = [
  "no_match",
  "ambiguous",
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

/** One event, as it is delivered and stored. */
export interface UsageEvent {
  readonly type: UsageEventType;
  readonly timestamp: string;
  readonly server_id: string;
  /** A version 7 UUID. A repeated delivery carries the same one, so that a sink can count it once. */
  readonly event_id: string;
  readonly data: Readonly<Record<string, unknown>>;
}
