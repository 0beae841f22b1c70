import { namesInProfile, type SnapshotSource } from "#skills";
import type { ClientName, FleetUsage, Usage, UsedBy } from "#usage";
import { cutText, oneLine } from "#util/pure";
import type { LikelyUse } from "./mcp/describe/list-order.ts";
import type { Services, UsageRecords } from "./services.ts";

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

/** Who uses the services. */
interface ServiceCaller {
  /** The subject of a token; undefined on a server without authentication. */
  readonly subject: string | undefined;
  /** The program that calls, as soon as it is known. */
  readonly client: () => ClientName | undefined;
}

/** Usage and library as one caller uses them: what they do is recorded as theirs, and they see no one else's usage. */
export function asCaller(
  { usage, libraryOf }: Pick<Services, "usage" | "libraryOf">,
  { subject, client }: ServiceCaller,
): Pick<Services, "usage" | "library"> {
  const by = (): UsedBy => ({ caller: subject, client: client() });
  return {
    usage: {
      ...usage,
      record: (type, data) => usage.record(type, data, by()),
      recordUnknownName: (name, via) => usage.recordUnknownName(name, via, by()),
      ...(subject !== undefined && { usage: (span) => usage.usage(span, subject) }),
    },
    // Since 2026-07-28 every request has a caller of its own, and hardly one uses a library.
    get library() {
      return libraryOf(by);
    },
  };
}
