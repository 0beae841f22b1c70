import type { UsageEvents, UsageEventType } from "../events.ts";

const FIELDS: { readonly [T in UsageEventType]: readonly (keyof UsageEvents[T])[] } = {
  no_match: ["context"],
  ambiguous: ["context", "candidates"],
  skill_served: ["context", "skill_path", "via", "score", "matched_keywords", "was_ambiguous"],
  asset_served: ["skill_path", "file", "asset_type", "is_inherited", "size_bytes"],
  script_executed: [
    "skill_path",
    "file",
    "execution_mode",
    "success",
    "exit_code",
    "duration_ms",
    "args_provided",
  ],
  skill_feedback: ["skill_path", "useful", "comment"],
  refresh: ["mode", "success", "commit_hash", "files_changed", "skills_reindexed"],
};

/** A client decides how long a context or a comment is; memory and disk must not depend on it. */
const LONGEST_TEXT = 4096;
const LONGEST_LIST = 100;

/**
 * The fields of an event that may be recorded, at a bounded size. Anything else that a caller passes along is left out,
 * and a list holds plain texts only: an argument's value cannot slip in beside its name.
 */
export function recordedFields(type: UsageEventType, data: object): Readonly<Record<string, unknown>> {
  const given = data as Readonly<Record<string, unknown>>;
  const kept: Record<string, unknown> = {};
  for (const field of FIELDS[type]) {
    const value = bounded(given[field]);
    if (value !== undefined) kept[field] = value;
  }
  return kept;
}

function bounded(value: unknown): unknown {
  if (typeof value === "string") return clip(value);
  if (Array.isArray(value)) {
    const texts = value.filter((item): item is string => typeof item === "string");
    return texts.slice(0, LONGEST_LIST).map((text) => clip(text).slice(0, 256));
  }
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  return typeof value === "boolean" || value === null ? value : undefined;
}

function clip(text: string): string {
  // Half a pair of surrogates, from a cut or from a client, is not text that every reader of JSON takes.
  return text.slice(0, LONGEST_TEXT).replace(/\p{Cs}/gu, "\uFFFD");
}
