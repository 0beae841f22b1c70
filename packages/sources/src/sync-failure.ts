/** Why the content could not be updated. The message is a whole sentence without secrets. */
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
  | "not-signed"
  | "disk-full"
  | "too-large"
  | "busy"
  | "cache-unwritable"
  | "git-failed";

/** A damaged copy may cause these, so a new one may help. All others have another cause. */
const MAY_BE_DAMAGE: ReadonlySet<SyncFailureCode> = new Set(["server-error", "git-failed"]);

/** Something else is in the place of a folder or file of ours. */
const MISPLACED = /^(?:ENOTDIR|EISDIR|EEXIST|ENOENT|ENOTEMPTY)$/;

export function mayBeDamage(error: unknown): boolean {
  if (error instanceof SyncFailure) return MAY_BE_DAMAGE.has(error.code);
  return error instanceof Error && MISPLACED.test((error as NodeJS.ErrnoException).code ?? "");
}
