/** The steps from a suggestion to a script, and what else is counted of each client and caller. */
export const STEPS = ["events", "suggested", "searched", "loaded", "scripts", "noMatch"] as const;
export type UsageStep = (typeof STEPS)[number];

/** What is counted once for an event: the kind of count, and of what. */
export type Counter =
  | readonly [kind: "event" | "skill" | "found" | "no_match" | "unknown_name" | "ambiguous", name: string]
  | readonly [kind: "searched" | "failed_refresh"]
  | readonly [kind: "feedback", skill: string, verdict: "useful" | "not_useful"]
  | readonly [kind: "script", skill: string, file: string, what: "runs" | "failures"]
  | readonly [kind: "client" | "caller", name: string, step: UsageStep]
  | readonly [kind: "client_skill" | "caller_skill" | "client_version", name: string, of: string];

/** What statistics show beside the counts: the comment of a feedback, or how long a script took. */
export type Note =
  | { readonly kind: "comment"; readonly skill: string; readonly useful: boolean; readonly text: string }
  | { readonly kind: "run"; readonly skill: string; readonly file: string; readonly ms: number };

/**
 * `query`: what a caller typed, delivered as `analytics.context` says. `skill`: the name of a skill or a list of names, recorded
 * under the name that everyone's usage is counted by. `client`: the program that caused the event.
 */
type Role = "plain" | "query" | "skill" | "client";

export interface Field<Value = unknown, Needed extends boolean = boolean> {
  readonly role: Role;
  readonly needed: Needed;
  /** Never set: carries the type of the field's value. */
  readonly value?: Value;
}

type EventFields = Readonly<Record<string, Field>>;

const field = <Value>(role: Role = "plain"): Field<Value, true> => ({ role, needed: true });

export const text = field<string>();
export const texts = field<readonly string[]>();
export const flag = field<boolean>();
export const number = field<number>();
export const numberOrNull = field<number | null>();
export const query = field<string>("query");
export const skill = field<string>("skill");
export const skills = field<readonly string[]>("skill");
export const client = field<string>("client");
export const oneOf = <Value extends string>(..._values: readonly Value[]) => field<Value>();
export const optional = <Value>({ role }: Field<Value, true>): Field<Value, false> => ({
  role,
  needed: false,
});

type ValueOf<F> = F extends Field<infer Value> ? Value : never;

/** What a caller of `record` passes for an event with these fields. */
export type DataOf<F extends EventFields> = {
  readonly [K in keyof F as F[K] extends Field<unknown, true> ? K : never]: ValueOf<F[K]>;
} & {
  readonly [K in keyof F as F[K] extends Field<unknown, true> ? never : K]?: ValueOf<F[K]>;
};

/** The fields as a line of a file has them: written by any version, or by hand. */
type StoredData<F extends EventFields> = { readonly [K in keyof F]?: unknown };

export interface EventDeclaration<F extends EventFields = EventFields> {
  /** In the order in which they are written. */
  readonly fields: F;
  /** Whether an endpoint gets the event. If not, it is for the statistics of those who run the server alone. */
  readonly delivered: boolean;
  /** What the event is counted as, besides its type. */
  counters(data: StoredData<F>): readonly Counter[];
  /** The steps that its client and its caller came to. */
  steps(data: StoredData<F>): readonly Exclude<UsageStep, "events">[];
  note(data: StoredData<F>): Note | undefined;
}

export function declareEvent<F extends EventFields>(
  declared: Pick<EventDeclaration<F>, "fields"> & Partial<EventDeclaration<F>>,
): EventDeclaration<F> {
  return { delivered: true, counters: () => [], steps: () => [], note: () => undefined, ...declared };
}
