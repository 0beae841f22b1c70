import {
  anything,
  array,
  constant,
  constantFrom,
  dictionary,
  integer,
  jsonValue,
  oneof,
  option,
  record,
  sample,
  string,
  tuple,
} from "fast-check";

/** What a hostile or broken client sends: one line of text. */
export interface Frame {
  readonly text: string;
}

const METHODS = [
  "tools/list",
  "tools/call",
  "ping",
  "initialize",
  "notifications/initialized",
  "notifications/cancelled",
  "resources/list",
  "resources/read",
  "prompts/get",
  "completion/complete",
  "logging/setLevel",
  "server/discover",
  "subscriptions/listen",
  "skills/list",
  "__proto__",
  "",
];

const params = oneof(
  record({ name: constantFrom("skill", "find_skills", "nope", "__proto__"), arguments: jsonValue() }),
  dictionary(string({ maxLength: 8 }), jsonValue(), { maxKeys: 4 }),
  record({ cursor: jsonValue(), _meta: jsonValue() }),
  jsonValue(),
);

const message = record(
  {
    jsonrpc: oneof({ weight: 9, arbitrary: constant("2.0") }, { weight: 1, arbitrary: jsonValue() }),
    method: oneof(constantFrom(...METHODS), string({ maxLength: 20 })),
    params: oneof({ weight: 4, arbitrary: params }, { weight: 1, arbitrary: anything() }),
  },
  { requiredKeys: ["jsonrpc"] },
);

/** Cuts a piece out of a text and puts another in its place. */
const damage = option(
  tuple(integer({ min: 0, max: 500 }), integer({ min: 0, max: 9 }), string({ maxLength: 6 })),
  {
    freq: 3,
  },
);

const shape = constantFrom("request", "request", "request", "notification", "answer", "batch", "value");

/** Always the same frames for a seed. `envelope` is what every request of an era carries in its parameters. */
export function fuzzedFrames(count: number, seed: number, envelope: object | undefined): readonly Frame[] {
  const made = sample(tuple(shape, message, array(jsonValue(), { maxLength: 3 }), damage), {
    numRuns: count,
    seed,
  });
  return made.map(([kind, base, values, hurt], index) => {
    const id = `f${index}`;
    const withEnvelope =
      envelope !== undefined && index % 3 !== 0 && typeof base.params === "object" && base.params !== null
        ? { ...base, params: { ...base.params, _meta: envelope } }
        : base;
    const value = {
      request: { ...withEnvelope, id },
      notification: withEnvelope,
      answer: { jsonrpc: "2.0", id, result: values[0] ?? {} },
      batch: [{ ...withEnvelope, id }, ...values],
      value: values[0] ?? null,
    }[kind];
    const whole = safeJson(value);
    if (hurt === null) return { text: whole };
    const [at, length, put] = hurt;
    const text = whole.slice(0, at) + put + whole.slice(at + length);
    return { text: text.replaceAll(/[\r\n]/g, " ") };
  });
}

/** The ids that were answered more often than frames asked with them; damage can make one frame's id another's. */
export function answeredTooOften(
  frames: readonly Frame[],
  answered: ReadonlyMap<unknown, number>,
): readonly unknown[] {
  return [...answered]
    .filter(
      ([id, times]) =>
        times > 1 && times > frames.filter(({ text }) => text.includes(`"${String(id)}"`)).length,
    )
    .map(([id]) => id);
}

function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === "bigint" ? String(inner) : inner,
    );
  } catch {
    return "null";
  }
}
