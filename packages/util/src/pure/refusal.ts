/**
 * A request that cannot be met, with the data each edge needs to say so: an MCP `isError` text, an HTTP status,
 * or an exit code and one line. Branch on `detail.code`, never on the message.
 */
export class Refusal extends Error {
  readonly detail: RefusalDetail;

  constructor(message: string, detail: RefusalDetail, options?: ErrorOptions) {
    super(message, options);
    this.name = "Refusal";
    this.detail = detail;
  }
}

type RefusalDetail =
  | {
      readonly code: "unknown-skill";
      readonly name: string;
      readonly suggestions: readonly string[];
      /** The message says why it is not served, so that nothing need be guessed. */
      readonly explained?: boolean;
    }
  | { readonly code: "ambiguous-skill"; readonly name: string; readonly candidates: readonly string[] }
  | { readonly code: "disabled-skill"; readonly name: string }
  | { readonly code: "invalid-name"; readonly name: string }
  | { readonly code: "unreadable-skill"; readonly name: string; readonly file: string }
  | { readonly code: "unknown-file"; readonly name: string; readonly file: string }
  | {
      readonly code: "bad-usage";
      readonly flag?: string;
      /** The command has no such flag, and none that is like it. */
      readonly isUnknown?: true;
    }
  /** A person ended a question with Ctrl+C. */
  | { readonly code: "interrupted" }
  | { readonly code: "bad-filter"; readonly token: string }
  | { readonly code: "cannot-toggle"; readonly file: string }
  | { readonly code: "cannot-write"; readonly file: string }
  | {
      readonly code: "bad-config";
      /** Each with its place: a file, with its line where there is one, or a variable. */
      readonly problems: readonly { readonly place: string; readonly message: string }[];
    }
  | {
      readonly code: "cannot-fetch";
      /** The address, as messages show it. */
      readonly source: string;
      readonly reason: FetchReason;
    }
  /** What is kept or given to be let in somewhere. The message has no part of it. */
  | { readonly code: "bad-credentials" }
  | { readonly code: "cannot-listen"; readonly port: number; readonly isBusy: boolean }
  /** Another server cannot be reached, or refuses. */
  | { readonly code: "unreachable"; readonly url: string }
  | { readonly code: "no-working-folder" }
  /** The configuration of a client cannot be changed. */
  | { readonly code: "cannot-connect" }
  | { readonly code: "cannot-install"; readonly name: string }
  /** It is served only once it is approved. */
  | { readonly code: "held-skill"; readonly name: string }
  | { readonly code: "cannot-approve"; readonly name: string }
  | { readonly code: "bad-lock"; readonly file: string }
  | { readonly code: "library"; readonly reason: LibraryReason };

/** Why a file or skill of a library cannot be served. */
export type LibraryReason =
  | "not-fetched"
  | "unknown-path"
  | "path-traversal"
  | "unknown-file"
  | "missing-file"
  | "outside-library"
  | "hidden-file"
  | "too-large"
  | "unreadable"
  | "scripts-disabled"
  | "not-declared"
  | "not-approved"
  | "not-for-server"
  | "missing-arguments"
  | "bad-argument"
  | "bad-folder"
  | "extension"
  | "no-runner"
  | "no-sandbox"
  | "no-temp-folder"
  | "busy"
  | "cancelled";

/** Why a source could not be fetched. */
export type FetchReason =
  | "not-found"
  | "denied"
  | "unreachable"
  | "time-out"
  | "cancelled"
  | "too-large"
  | "unsafe"
  | "broken"
  | "other-origin"
  | "server-error"
  | "unwritable"
  | "unavailable";
