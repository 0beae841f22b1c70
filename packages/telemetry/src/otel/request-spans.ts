import {
  type Attributes,
  type Context,
  type Counter,
  defaultTextMapGetter,
  type Histogram,
  type Meter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { type ObservedRequest, type ObserveRequest, type RequestOutcome, sha256 } from "#util";
import type { Scopes } from "./scopes.ts";

interface RequestSpanOptions {
  readonly tracer: Tracer;
  readonly meter: Meter;
  readonly scopes: Scopes;
  /** Whether spans have the arguments and the answers of tools. */
  readonly content: boolean;
}

/** The buckets that the conventions ask for. */
const BUCKETS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

/** A server span for each MCP request, and its duration, by the semantic conventions for MCP. */
export function createRequestSpans({ tracer, meter, scopes, content }: RequestSpanOptions): ObserveRequest {
  const propagator = new W3CTraceContextPropagator();
  const duration = meter.createHistogram("mcp.server.operation.duration", {
    unit: "s",
    description: "MCP request duration as observed on the receiver.",
    advice: { explicitBucketBoundaries: BUCKETS },
  });
  const uses = meter.createCounter("skills_mcp.skill.uses", {
    description: "Successful requests for a skill.",
  });
  return (request) => {
    const parent: Context =
      request.trace === undefined
        ? ROOT_CONTEXT
        : propagator.extract(ROOT_CONTEXT, request.trace, defaultTextMapGetter);
    const target = request.tool === undefined ? "" : ` ${request.tool}`;
    const span = tracer.startSpan(
      `${request.method}${target}`,
      { kind: SpanKind.SERVER, startTime: request.startedAt, attributes: startAttributes(request) },
      parent,
    );
    const scope = scopes.open(trace.setSpan(parent, span));
    return {
      run: scope.run,
      end(outcome) {
        scope.close();
        endSpan(span, request, outcome, content);
        measure(duration, uses, request, outcome);
      },
    };
  };
}

function startAttributes({ method, tool, id, sessionId, transport }: ObservedRequest): Attributes {
  return {
    "mcp.method.name": method,
    ...(tool === undefined ? {} : { "gen_ai.tool.name": tool, "gen_ai.operation.name": "execute_tool" }),
    "jsonrpc.request.id": cut(String(id)),
    ...(sessionId === undefined ? {} : { "mcp.session.id": digestOf(sessionId) }),
    ...networkOf(transport),
  };
}

function networkOf(transport: ObservedRequest["transport"]): Attributes {
  return {
    "network.transport": transport,
    ...(transport === "tcp" ? { "network.protocol.name": "http", "network.protocol.version": "1.1" } : {}),
  };
}

function endSpan(span: Span, request: ObservedRequest, outcome: RequestOutcome, content: boolean): void {
  const { served, client, protocolVersion, code, durationMs } = outcome;
  const error = errorOf(outcome);
  // With the name of a prompt that exists; what a caller made up is in no name.
  if (served?.prompt !== undefined) span.updateName(`${request.method} ${served.prompt}`);
  span.setAttributes({
    ...(error === undefined ? {} : { "error.type": error }),
    ...(code === undefined ? {} : { "rpc.response.status_code": String(code) }),
    ...versionOf(protocolVersion),
    ...(served === undefined ? {} : { "skill.name": served.name, "skill.source": served.source }),
    ...(served?.prompt === undefined ? {} : { "gen_ai.prompt.name": served.prompt }),
    ...(served?.uri === undefined ? {} : { "mcp.resource.uri": served.uri }),
    ...(client === undefined ? {} : { "skills_mcp.client.name": cut(client.name) }),
    ...(client?.version === undefined ? {} : { "skills_mcp.client.version": cut(client.version) }),
    ...(content ? contentOf(request, outcome) : {}),
  });
  if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(request.startedAt + durationMs);
}

function measure(
  duration: Histogram,
  uses: Counter,
  { method, tool, transport }: ObservedRequest,
  outcome: RequestOutcome,
): void {
  const { served, code, protocolVersion, durationMs } = outcome;
  const error = errorOf(outcome);
  duration.record(durationMs / 1_000, {
    "mcp.method.name": method,
    ...(tool === undefined ? {} : { "gen_ai.tool.name": tool, "gen_ai.operation.name": "execute_tool" }),
    ...(served?.prompt === undefined ? {} : { "gen_ai.prompt.name": served.prompt }),
    ...(error === undefined ? {} : { "error.type": error }),
    ...(code === undefined ? {} : { "rpc.response.status_code": String(code) }),
    ...versionOf(protocolVersion),
    ...networkOf(transport),
  });
  if (served !== undefined) uses.add(1, { "skill.name": served.name, "skill.source": served.source });
}

function errorOf({ kind, code }: RequestOutcome): string | undefined {
  if (kind === "ok") return undefined;
  return kind === "error" ? String(code) : kind;
}

/** A version that the protocol has; a client may write anything. */
function versionOf(version: string | undefined): Attributes {
  return version !== undefined && /^\d{4}-\d\d-\d\d$/.test(version)
    ? { "mcp.protocol.version": version }
    : {};
}

function contentOf({ method, params }: ObservedRequest, { result }: RequestOutcome): Attributes {
  if (method !== "tools/call") return {};
  const args: unknown = (params as { readonly arguments?: unknown } | undefined)?.arguments;
  return {
    ...(args === undefined
      ? {}
      : { "gen_ai.tool.call.arguments": cut(JSON.stringify(args), LONGEST_CONTENT) }),
    ...(result === undefined
      ? {}
      : { "gen_ai.tool.call.result": cut(JSON.stringify(result), LONGEST_CONTENT) }),
  };
}

const LONGEST_TEXT = 128;
const LONGEST_CONTENT = 32 * 1024;

function cut(text: string, most = LONGEST_TEXT): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** A hash: the id itself opens the session, so traces must not have it. */
function digestOf(sessionId: string): string {
  return sha256(sessionId).toString("hex").slice(0, 32);
}
