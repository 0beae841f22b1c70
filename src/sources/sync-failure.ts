/** Why content could not be brought up to date. The message is a whole sentence that names no secret. */
export class SyncFailure extends Error {
  readonly code: SyncFailureCode;

  constructor(code: SyncFailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "SyncFailure";
    this.code = code;
  }
}

export type SyncFailureCode =
  | "git-missing"
  | "git-too-old"
  | "closed"
  | "time-out"
  | "unreachable"
  | "denied"
  | "not-found"
  | "moved"
  | "server-error"
  | "no-branch"
  | "disk-full"
  | "too-large"
  | "busy"
  | "cache-unwritable"
  | "git-failed";

/** These say nothing about our own copy, so a new one would not help. All others may come from a damaged one. */
const NOT_OURS: ReadonlySet<SyncFailureCode> = new Set([
  "git-missing",
  "git-too-old",
  "closed",
  "time-out",
  "unreachable",
  "denied",
  "not-found",
  "moved",
  "no-branch",
  "disk-full",
  "too-large",
  "busy",
  "cache-unwritable",
]);

/** Something else than a folder or a file of ours in its place. */
const MISPLACED: ReadonlySet<string | undefined> = new Set([
  "ENOTDIR",
  "EISDIR",
  "EEXIST",
  "ENOENT",
  "ENOTEMPTY",
]);

export function mayBeDamage(error: unknown): boolean {
  if (error instanceof SyncFailure) return !NOT_OURS.has(error.code);
  return error instanceof Error && MISPLACED.has((error as NodeJS.ErrnoException).code);
}
