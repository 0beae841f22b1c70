import { namesInProfile, type SnapshotSource } from "#skills";
import type { FleetUsage, Usage } from "#usage";
import { cutText, oneLine } from "#util/pure";
import type { LikelyUse } from "./mcp/describe/list-order.ts";
import type { UsageRecords } from "./services.ts";

interface RecordDeps {
  readonly usage: Pick<Usage, "record">;
  readonly likelyUse: () => LikelyUse;
  readonly home: string;
  /** Usage of all replicas; undefined where this server is the only one. */
  readonly fleet: FleetUsage | undefined;
  readonly snapshot: SnapshotSource["snapshot"];
}

/** A client may send any text as a name, and a longer one says nothing more. */
const LONGEST_UNKNOWN_NAME = 200;

/**
 * Records usage, and counts it for someone who sees the skills of `snapshot`. `all` has the skills under whose names usage is
 * counted, where `snapshot` has only some of them.
 */
export function createUsageRecords(
  { usage, likelyUse, home, fleet, snapshot }: RecordDeps,
  all: Pick<SnapshotSource, "snapshot"> | undefined,
): UsageRecords {
  return {
    record: usage.record,
    likelyUse,
    recordUnknownName: (name, via, by) =>
      usage.record("no_match", { context: oneLine(cutText(name, LONGEST_UNKNOWN_NAME)), via }, by),
    async usage(span, caller) {
      const { usageStats } = await import("#usage");
      const seen = await snapshot();
      const names = all && namesInProfile(await all.snapshot())(seen).inProfile;
      return usageStats({ home, fleet }, seen, span, { caller, names });
    },
  };
}
