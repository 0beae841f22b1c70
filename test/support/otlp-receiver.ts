import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { onTestFinished } from "vitest";

type Values = Readonly<Record<string, unknown>>;

export interface ReceivedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  /** In milliseconds. */
  readonly duration: number;
  readonly attributes: Values;
  readonly isError: boolean;
  readonly resource: Values;
}

interface ReceivedPoint {
  readonly metric: string;
  readonly unit: string;
  readonly attributes: Values;
  readonly count: number;
  readonly bounds: readonly number[];
  readonly resource: Values;
}

interface ReceivedLog {
  readonly body: unknown;
  readonly severity: string;
  readonly attributes: Values;
  readonly traceId: string;
  readonly resource: Values;
}

export interface OtlpReceiver {
  readonly url: string;
  /** The body of each request as text, whatever is in it. */
  readonly bodies: () => readonly string[];
  readonly headers: () => readonly IncomingMessage["headers"][];
  readonly spans: () => readonly ReceivedSpan[];
  readonly points: () => readonly ReceivedPoint[];
  readonly logs: () => readonly ReceivedLog[];
}

/** A collector of OpenTelemetry on the loopback interface, which reads OTLP as protobuf and as JSON. Closed when the test ends. */
export async function createOtlpReceiver(): Promise<OtlpReceiver> {
  const bodies: string[] = [];
  const headers: IncomingMessage["headers"][] = [];
  const spans: ReceivedSpan[] = [];
  const points: ReceivedPoint[] = [];
  const logs: ReceivedLog[] = [];
  const receive = async (request: IncomingMessage): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const sent = Buffer.concat(chunks);
    const bytes = request.headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent;
    const isJson = request.headers["content-type"]?.startsWith("application/json") === true;
    const signal = request.url?.split("/").at(-1) ?? "";
    const body = isJson ? (JSON.parse(bytes.toString("utf8")) as Message) : decode(bytes, SCHEMAS[signal]);
    bodies.push(bytes.toString("latin1"));
    headers.push(request.headers);
    for (const part of list(body["resourceSpans"])) spans.push(...spansOf(part));
    for (const part of list(body["resourceMetrics"])) points.push(...pointsOf(part));
    for (const part of list(body["resourceLogs"])) logs.push(...logsOf(part));
  };
  const server = createServer((request, response) => {
    receive(request).then(
      () => response.writeHead(200, { "content-type": request.headers["content-type"] }).end(),
      (error: unknown) => response.writeHead(400).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies: () => bodies,
    headers: () => headers,
    spans: () => spans,
    points: () => points,
    logs: () => logs,
  };
}

type Message = Readonly<Record<string, unknown>>;

function spansOf(part: Message): readonly ReceivedSpan[] {
  const resource = attributesOf(object(part["resource"])["attributes"]);
  return list(part["scopeSpans"]).flatMap((scope) =>
    list(scope["spans"]).map((span) => ({
      name: textOf(span["name"]),
      kind: Number(span["kind"]),
      traceId: textOf(span["traceId"]),
      spanId: textOf(span["spanId"]),
      parentSpanId: textOf(span["parentSpanId"]),
      duration:
        Number(BigInt(span["endTimeUnixNano"] as string) - BigInt(span["startTimeUnixNano"] as string)) / 1e6,
      attributes: attributesOf(span["attributes"]),
      isError: Number(object(span["status"])["code"] ?? 0) === 2,
      resource,
    })),
  );
}

function pointsOf(part: Message): readonly ReceivedPoint[] {
  const resource = attributesOf(object(part["resource"])["attributes"]);
  return list(part["scopeMetrics"]).flatMap((scope) =>
    list(scope["metrics"]).flatMap((metric) => {
      const data = object(metric["histogram"] ?? metric["sum"] ?? metric["gauge"]);
      return list(data["dataPoints"]).map((point) => ({
        metric: textOf(metric["name"]),
        unit: textOf(metric["unit"]),
        attributes: attributesOf(point["attributes"]),
        count: Number(point["count"] ?? point["asInt"] ?? point["asDouble"]),
        bounds: (point["explicitBounds"] ?? []) as readonly number[],
        resource,
      }));
    }),
  );
}

function logsOf(part: Message): readonly ReceivedLog[] {
  const resource = attributesOf(object(part["resource"])["attributes"]);
  return list(part["scopeLogs"]).flatMap((scope) =>
    list(scope["logRecords"]).map((record) => ({
      body: valueOf(object(record["body"])),
      severity: textOf(record["severityText"]),
      attributes: attributesOf(record["attributes"]),
      traceId: textOf(record["traceId"]),
      resource,
    })),
  );
}

function attributesOf(attributes: unknown): Values {
  return Object.fromEntries(list(attributes).map(({ key, value }) => [textOf(key), valueOf(object(value))]));
}

function valueOf(value: Message): unknown {
  if (value["intValue"] !== undefined) return Number(value["intValue"]);
  return value["stringValue"] ?? value["boolValue"] ?? value["doubleValue"];
}

function list(value: unknown): readonly Message[] {
  return Array.isArray(value) ? (value as readonly Message[]) : [];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function object(value: unknown): Message {
  return typeof value === "object" && value !== null ? (value as Message) : {};
}

type Kind = "text" | "hex" | "number" | "fixed" | "double" | "doubles" | Schema;
/** The fields of a message by their numbers; a name in brackets is repeated. */
interface Schema {
  readonly [field: number]: readonly [name: string, kind: Kind];
}

const ANY: Schema = {
  1: ["stringValue", "text"],
  2: ["boolValue", "number"],
  3: ["intValue", "number"],
  4: ["doubleValue", "double"],
};
const ATTRIBUTE: Schema = { 1: ["key", "text"], 2: ["value", ANY] };
const RESOURCE: Schema = { 1: ["[attributes]", ATTRIBUTE] };
const SPAN: Schema = {
  1: ["traceId", "hex"],
  2: ["spanId", "hex"],
  4: ["parentSpanId", "hex"],
  5: ["name", "text"],
  6: ["kind", "number"],
  7: ["startTimeUnixNano", "fixed"],
  8: ["endTimeUnixNano", "fixed"],
  9: ["[attributes]", ATTRIBUTE],
  15: ["status", { 3: ["code", "number"] }],
};
const HISTOGRAM_POINT: Schema = {
  4: ["count", "fixed"],
  5: ["sum", "double"],
  7: ["explicitBounds", "doubles"],
  9: ["[attributes]", ATTRIBUTE],
};
const NUMBER_POINT: Schema = {
  4: ["asDouble", "double"],
  6: ["asInt", "fixed"],
  7: ["[attributes]", ATTRIBUTE],
};
const METRIC: Schema = {
  1: ["name", "text"],
  3: ["unit", "text"],
  5: ["gauge", { 1: ["[dataPoints]", NUMBER_POINT] }],
  7: ["sum", { 1: ["[dataPoints]", NUMBER_POINT] }],
  9: ["histogram", { 1: ["[dataPoints]", HISTOGRAM_POINT] }],
};
const LOG: Schema = {
  3: ["severityText", "text"],
  5: ["body", ANY],
  6: ["[attributes]", ATTRIBUTE],
  9: ["traceId", "hex"],
};
/** opentelemetry/proto, as far as it is read here. */
const SCHEMAS: Readonly<Record<string, Schema>> = {
  traces: {
    1: ["[resourceSpans]", { 1: ["resource", RESOURCE], 2: ["[scopeSpans]", { 2: ["[spans]", SPAN] }] }],
  },
  metrics: {
    1: [
      "[resourceMetrics]",
      { 1: ["resource", RESOURCE], 2: ["[scopeMetrics]", { 2: ["[metrics]", METRIC] }] },
    ],
  },
  logs: {
    1: ["[resourceLogs]", { 1: ["resource", RESOURCE], 2: ["[scopeLogs]", { 2: ["[logRecords]", LOG] }] }],
  },
};

/** A message of protobuf, in the shape that its JSON has. */
function decode(bytes: Buffer, schema: Schema | undefined): Message {
  if (schema === undefined) throw new Error("no such signal");
  const found: Record<string, unknown> = {};
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const [name, kind] = schema[Math.floor(tag / 8)] ?? ["", "hex"];
    const value = read(tag % 8, kind);
    if (name.startsWith("[")) {
      const key = name.slice(1, -1);
      found[key] = [...list(found[key]), value];
    } else if (name !== "") found[name] = value;
  }
  return found;

  function read(wire: number, kind: Kind): unknown {
    if (wire === 0) return varint();
    const length = wire === 1 ? 8 : wire === 5 ? 4 : varint();
    const part = bytes.subarray(at, at + length);
    if (part.length < length) throw new Error("the message is cut");
    at += length;
    if (typeof kind === "object") return decode(part, kind);
    if (kind === "text") return part.toString("utf8");
    if (kind === "double") return part.readDoubleLE();
    if (kind === "fixed") return String(part.readBigUInt64LE());
    if (kind === "doubles")
      return Array.from({ length: part.length / 8 }, (_, index) => part.readDoubleLE(index * 8));
    return part.toString("hex");
  }
}
