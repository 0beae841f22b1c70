import type { LibraryReason, Refusal } from "#util/pure";
import type { ErrorAnswer } from "../../wire/skills.ts";

const REASONS: Readonly<Partial<Record<LibraryReason, number>>> = {
  "unknown-path": 404,
  "unknown-file": 404,
  "missing-file": 404,
  "outside-library": 403,
  "hidden-file": 403,
  "path-traversal": 400,
  "too-large": 413,
  "not-fetched": 503,
  busy: 503,
};

/** A refusal as an HTTP status and body. */
export function refusalAnswer({ message, detail }: Refusal): {
  readonly status: number;
  readonly answer: ErrorAnswer;
} {
  const error = { code: detail.code, message };
  switch (detail.code) {
    case "unknown-skill":
      return { status: 404, answer: { error: { ...error, suggestions: detail.suggestions } } };
    case "ambiguous-skill":
      return { status: 409, answer: { error: { ...error, candidates: detail.candidates } } };
    case "cannot-toggle":
    case "cannot-approve":
    case "cannot-write":
    case "cannot-install":
      return { status: 409, answer: { error } };
    case "library":
      return { status: REASONS[detail.reason] ?? 422, answer: { error: { ...error, code: detail.reason } } };
    case "held-skill":
      return { status: 403, answer: { error } };
    case "unreadable-skill":
      return { status: 422, answer: { error } };
    default:
      return { status: 400, answer: { error } };
  }
}
