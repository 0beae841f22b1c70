import { HAS_REDIS } from "../../test/support/redis-server.ts";
import type { Section } from "../bench.ts";
import { measureFleet } from "../http-load/fleet.ts";
import type { BenchRow } from "../report/row.ts";

const SECTION = "Replicas";
/** What Redis may add to the slowest calls of one replica. */
const MOST_P99 = 1.25;

/** Several replicas that share a Redis, next to one server without. Skipped where there is no redis-server. */
export const measureFleetRows: Section = async ({ options, workspace, progress }) => {
  if (!HAS_REDIS) {
    progress("replicas: skipped, redis-server is not installed");
    return [];
  }
  progress("replicas: calls and one change to many streams");
  const rows = await measureFleet({
    workspace,
    bin: options.bin,
    rounds: options.rounds,
    seconds: options.loadSeconds,
    streams: options.quick ? 300 : 3_000,
  });
  return rows.map(({ name, unit, ours, floor, ratio, samples, floorName }): BenchRow => {
    const isLimited = unit === "ms p99" && name.startsWith("1 replica");
    return {
      id: `fleet.${name}.${unit}`.toLowerCase().replace(/[^a-z0-9./-]+/g, "-"),
      section: SECTION,
      name,
      unit,
      ours,
      floor,
      floorName: floorName ?? "one server without Redis",
      ratio,
      samples,
      ...(unit.endsWith("/s") ? { moreIsBetter: true } : {}),
      ...(isLimited ? { limit: MOST_P99 } : {}),
    };
  });
};
