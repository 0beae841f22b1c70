/** What delivery needs to know of a line. A line that an older version wrote has no id. */
export interface EventLine {
  readonly id: string | undefined;
  /** Milliseconds; undefined when the line does not say when. */
  readonly time: number | undefined;
}

/** Undefined for what is no event: a line that a killed process or a full disk cut off, or garbage. */
export function parseEventLine(text: string): EventLine | undefined {
  const value = parseObject(text);
  if (value === undefined || typeof value["type"] !== "string") return undefined;
  const { event_id: id, timestamp } = value;
  const time = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
  return {
    id: typeof id === "string" ? id : undefined,
    time: Number.isNaN(time) ? undefined : time,
  };
}

export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    return value as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}
