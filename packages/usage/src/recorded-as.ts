import type { SnapshotSource } from "#skills";
import { namesInProfile } from "#skills";
import type { LazyUsage } from "./stats/lazy-usage.ts";

/** Records skills under the names that everyone's usage is counted by. */
export function recordedAs(
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
      const named = async () => namesInProfile(await source.snapshot())(await snapshot()).outside;
      const record = (names: ReadonlyMap<string, string>): void => {
        const nameOf = (name: string): string => names.get(name) ?? name;
        const path = "skill_path" in data ? { skill_path: nameOf(data.skill_path) } : {};
        const skills = "skills" in data ? { skills: data.skills.map(nameOf) } : {};
        usage.record(type, { ...data, ...path, ...skills }, by);
      };
      last = Promise.all([last, named().then(record, () => {})]);
    },
  };
}
