import type { Counter, Note, UsageStep } from "../declare-event.ts";
import { declarationOf, type UsageEventType } from "../events.ts";
import { textOf } from "../stored-values.ts";

/** One event as statistics read it. */
export interface HistoryEvent {
  readonly type: UsageEventType;
  readonly day: string;
  /** In milliseconds. */
  readonly time: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly client?: unknown;
  readonly caller?: unknown;
}

const LONGEST_PART = 300;

/** Everything that an event is counted as. */
export function countersOf(event: HistoryEvent): readonly Counter[] {
  const declared = declarationOf(event.type);
  const steps = ["events", ...declared.steps(event.data)] as const;
  const loaded = steps.includes("loaded") ? [textOf(event.data["skill_path"])] : [];
  const { name, version } = clientOf(event);
  const caller = textOf(event.caller);
  return [
    ["event", event.type],
    ...declared.counters(event.data),
    ...(steps.includes("searched") ? [["searched"] as const] : []),
    ...(name === "" ? [] : groupCounters("client", name, steps, loaded)),
    ...(name === "" || version === "" ? [] : [["client_version", name, version] as const]),
    ...(caller === "" ? [] : groupCounters("caller", caller, steps, loaded)),
  ];
}

function groupCounters(
  kind: "client" | "caller",
  name: string,
  steps: readonly UsageStep[],
  loaded: readonly string[],
): readonly Counter[] {
  return [
    ...steps.map((step): Counter => [kind, name, step]),
    ...loaded.map((skill): Counter => [`${kind}_skill`, name, skill]),
  ];
}

export function noteOf({ type, data }: HistoryEvent): Note | undefined {
  return declarationOf(type).note(data);
}

/** The client that sent the request, or the one that a field of the event names. */
function clientOf({ type, client, data }: HistoryEvent): { readonly name: string; readonly version: string } {
  const field = Object.entries(declarationOf(type).fields).find(([, { role }]) => role === "client");
  if (field !== undefined) return { name: textOf(data[field[0]]), version: "" };
  const fields: Readonly<Record<string, unknown>> = typeof client === "object" ? { ...client } : {};
  return { name: textOf(fields["name"]), version: textOf(fields["version"]) };
}

/** Between the parts of a counter's name. */
const SEPARATOR = "\u001f";

/** A counter as one text; `counterOf` is the way back. */
export function fieldOf(counter: Counter): string {
  return counter.map(partOf).join(SEPARATOR);
}

export function counterOf(field: string): readonly string[] {
  return field.split(SEPARATOR);
}

function partOf(part: string): string {
  const short = part.length > LONGEST_PART ? part.slice(0, LONGEST_PART) : part;
  return short.includes(SEPARATOR) ? short.replaceAll(SEPARATOR, " ") : short;
}
