import {
  type Attributes,
  type Histogram,
  type Meter,
  type Span,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { errorType, type ObserveWork, type WorkKind, type WorkResult } from "#util";
import type { Scopes } from "./scopes.ts";

/** What each kind of work is called, and which of its facts its metric has: those with few values. */
const KINDS: Readonly<Record<WorkKind, { readonly name: string; readonly measured: readonly string[] }>> = {
  scan: { name: "scan", measured: [] },
  search: { name: "search", measured: ["verdict"] },
  script: { name: "script", measured: ["sandbox"] },
  git: { name: "git_sync", measured: ["repository"] },
};

/** A span and a duration for each scan, search, script and fetch; a child of the request that caused it, if one did. */
export function createWorkSpans(tracer: Tracer, meter: Meter, scopes: Scopes): ObserveWork {
  const durations = new Map<WorkKind, Histogram>(
    (Object.keys(KINDS) as WorkKind[]).map((kind) => [
      kind,
      meter.createHistogram(`skills_mcp.${KINDS[kind].name}.duration`, { unit: "s" }),
    ]),
  );
  const end = (kind: WorkKind, span: Span, began: number, result: WorkResult): void => {
    const { name, measured } = KINDS[kind];
    const { facts = {}, failed } = result;
    const error: Attributes = failed === undefined ? {} : { "error.type": failed };
    span.setAttributes({ ...attributesOf(name, facts), ...error });
    if (failed !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
    const few = Object.fromEntries(Object.entries(facts).filter(([key]) => measured.includes(key)));
    durations
      .get(kind)
      ?.record((performance.now() - began) / 1_000, { ...attributesOf(name, few), ...error });
  };
  return async ({ kind, facts, run, describe }) => {
    const parent = scopes.current();
    const span = tracer.startSpan(`skills_mcp.${KINDS[kind].name}`, {}, parent);
    const scope = scopes.open(trace.setSpan(parent, span));
    const began = performance.now();
    try {
      const result = await scope.run(run);
      const { facts: found, ...rest } = describe?.(result) ?? {};
      end(kind, span, began, { facts: { ...facts, ...found }, ...rest });
      return result;
    } catch (error) {
      end(kind, span, began, { facts: { ...facts }, failed: errorType(error) });
      throw error;
    } finally {
      scope.close();
    }
  };
}

function attributesOf(name: string, facts: NonNullable<WorkResult["facts"]>): Attributes {
  return Object.fromEntries(
    Object.entries(facts).map(([key, value]) => [`skills_mcp.${name}.${key}`, value]),
  );
}
