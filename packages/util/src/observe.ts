/** What is known of a piece of work: names that were chosen here and numbers, never a text that a caller wrote. */
type Facts = Readonly<Record<string, string | number | boolean>>;

export type WorkKind = "scan" | "search" | "script" | "git";

export interface WorkResult {
  readonly facts?: Facts;
  /** Why it failed, as one of few words; absent when it did not. */
  readonly failed?: string;
}

/** A piece of work that operators want to see: how often, how long, with what result. */
interface Work<T> {
  readonly kind: WorkKind;
  readonly facts?: Facts;
  run(): Promise<T>;
  /** A failure may be a result instead of an error. */
  describe?(result: T): WorkResult;
}

/** Runs a piece of work and notes how it went. */
export type ObserveWork = <T>(work: Work<T>) => Promise<T>;

/** Runs the work without observing it. */
export const UNOBSERVED: ObserveWork = (work) => work.run();

/** The class of an error: one of few words, where its message may hold anything. */
export function errorType(error: unknown): string {
  if (!(error instanceof Error)) return "_OTHER";
  const code: unknown = "code" in error ? error.code : undefined;
  return typeof code === "string" && /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? code : error.name;
}
