import { describeError, errorCode, type Log } from "#util";
import { type FetchReason, Refusal } from "#util/pure";
import type { SourceAddress } from "../address/source-address.ts";
import { ArchiveProblem } from "../archive/archive-problem.ts";
import type { FindToken } from "../credentials/host-tokens.ts";
import { SyncFailure, type SyncFailureCode } from "../sync-failure.ts";
import type { FetchLimits } from "./limits.ts";

/** What every kind of source gets for one fetch. */
export interface FetchContext {
  /** The address, as messages show it. */
  readonly source: string;
  readonly cwd: string;
  readonly home: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly log: Log;
  readonly limits: FetchLimits;
  readonly signal: AbortSignal | undefined;
  readonly commit: string | undefined;
  readonly tokenFor: FindToken;
  progress(text: string): void;
}

/** What a source had at one moment, as a folder of this machine that nothing else changes. */
export interface FetchedTree {
  /**
   * An absolute real path. Its files are content only: no `.git`, no links that lead out. A file of a git repository has the
   * path that it has there, also when the address names a folder and only that one is here.
   */
  readonly folder: string;
  /** The commit that the content is from, of a git repository. */
  readonly commit?: string;
  /** The version that was resolved, of an npm package or a site. */
  readonly version?: string;
  /** The folders of the skills, where the source lists them (sites, marketplaces); else they are found by a scan. */
  readonly listed?: readonly NamedSkill[];
  /** Removes what was fetched. */
  dispose(): Promise<void>;
}

/** A skill that a source names itself. */
export interface NamedSkill {
  readonly name: string;
  /** The plugin of a marketplace that has it. */
  readonly plugin?: string;
  /** Relative to the tree's folder, with `/`. */
  readonly path: string;
}

/** What a fetch has written, before its folder can be removed. */
export type FetchedContent = Omit<FetchedTree, "dispose">;

/** The address of a source for messages, without secrets. */
export function shownSource(address: SourceAddress): string {
  switch (address.kind) {
    case "git":
      return address.repo.url;
    case "folder":
      return `'${address.folder}'`;
    case "site":
      return withoutQuery(address.url);
    case "npm":
      return `npm:${address.name}`;
    default:
      return address.isRemote ? withoutQuery(address.place) : `'${address.place}'`;
  }
}

/** A query may be a signature. */
export function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, "");
}

export function cannotFetch(source: string, reason: FetchReason, message: string, cause?: unknown): Refusal {
  return new Refusal(message, { code: "cannot-fetch", source, reason }, cause === undefined ? {} : { cause });
}

/** Turns whatever ended a fetch into a refusal; a bug stays what it is. */
export function asRefusal(
  error: unknown,
  { source, signal }: Pick<FetchContext, "source" | "signal">,
): unknown {
  if (signal?.aborted === true)
    return cannotFetch(source, "cancelled", `Fetching ${source} was cancelled; nothing was changed.`, error);
  if (error instanceof Refusal) return error;
  if (error instanceof ArchiveProblem) return archiveRefusal(`The archive ${source}`, error, source);
  if (error instanceof SyncFailure) return cannotFetch(source, REASONS[error.code], error.message, error);
  if (/^E[A-Z]+$/.test(errorCode(error)))
    return cannotFetch(source, "unwritable", fileFailure(source, error), error);
  return error;
}

/** A refused archive; `shown` names it. */
export function archiveRefusal(shown: string, error: ArchiveProblem, source: string): Refusal {
  return cannotFetch(source, error.reason, `${shown} ${error.message}. ${WAYS_OUT[error.reason]}`, error);
}

const WAYS_OUT: Readonly<Record<ArchiveProblem["reason"], string>> = {
  unsafe: "Nothing was written. Ask its author to pack it again without that.",
  broken: "Nothing was written. Get it again, or ask its author to pack it again.",
  "too-large": "Nothing was written. Add the folder or the repository of the skills instead.",
};

function fileFailure(source: string, error: unknown): string {
  const full = /^(?:ENOSPC|EDQUOT)$/.test(errorCode(error));
  const file = error instanceof Error && "path" in error ? String(error.path) : "";
  const place = file === "" ? "" : ` at ${file}`;
  const reason = full ? "the disk is full; free some space and try again" : describeError(error);
  return `${source} could not be fetched${place}: ${reason}.`;
}

const REASONS: Readonly<Record<SyncFailureCode, FetchReason>> = {
  "git-missing": "unavailable",
  "git-too-old": "unavailable",
  closed: "cancelled",
  "time-out": "time-out",
  unreachable: "unreachable",
  denied: "denied",
  "not-found": "not-found",
  moved: "other-origin",
  "server-error": "server-error",
  "no-branch": "not-found",
  "not-signed": "unsafe",
  "disk-full": "unwritable",
  "too-large": "too-large",
  busy: "unavailable",
  "cache-unwritable": "unwritable",
  "git-failed": "broken",
};
