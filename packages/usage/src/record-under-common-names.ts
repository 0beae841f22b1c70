import type { SnapshotSource } from "#skills";
import { namesInProfile } from "#skills";
import type { LazyUsage } from "./stats/lazy-usage.ts";

/** Records skills under the names that everyone's usage is counted by, not under those that one caller sees. */
export function recordUnderCommonNames(
  { source, usage }: { readonly source: SnapshotSource; readonly usage: LazyUsage },
  snapshot: SnapshotSource["snapshot"],
): LazyUsage {
  let last: Promise<unknown> = Promise.resolve();
  return {
    ...usage,
    async saved() {
      await last;
      return usage.saved();
    },
    record(type, data, by) {
      const record = async (): Promise<void> => {
        const { renameSkills } = await import("./events.ts");
        const names = namesInProfile(await source.snapshot())(await snapshot()).outside;
        usage.record(
          type,
          renameSkills(type, data, (name) => names.get(name) ?? name),
          by,
        );
      };
      last = Promise.all([last, record().catch(() => {})]);
    },
  };
}
