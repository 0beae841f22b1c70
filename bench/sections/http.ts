import type { Section } from "../bench.ts";
import { measureHttp } from "../http-load/measure-http.ts";
import type { BenchRow } from "../report/row.ts";

const SECTION = "HTTP";
/** What an empty server of the SDK answers at 32 connections, less a tenth. */
const LEAST_SHARE = 0.9;

/** Calls, notifications to many streams, and what sessions leave behind, next to a bare server of the SDK. */
export const measureHttpRows: Section = async ({ options, progress }) => {
  progress("http: calls and streams");
  const rows = await measureHttp({
    bin: options.bin,
    rounds: options.rounds,
    seconds: options.loadSeconds,
    connections: options.quick ? [32] : [32, 1_000],
    sessions: 2_000,
    parts: options.quick ? ["calls"] : ["calls", "streams"],
  });
  return rows.map(({ name, unit, ours, floor, ratio, samples }): BenchRow => {
    const isRate = unit.endsWith("/s");
    const hasLimit = isRate && name.includes("tools/call") && /\b32 connections/.test(name);
    return {
      id: `http.${name}.${unit}`.toLowerCase().replace(/[^a-z0-9./-]+/g, "-"),
      section: SECTION,
      name,
      unit,
      ours,
      floor,
      floorName: "bare SDK server",
      ratio,
      samples,
      ...(isRate ? { moreIsBetter: true } : {}),
      ...(hasLimit ? { limit: LEAST_SHARE } : {}),
    };
  });
};
