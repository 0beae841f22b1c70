import type { Skill } from "../../skill/skill.ts";
import { type HashedFile, hashSkillFile } from "./open-skill-file.ts";
import type { SkillFile } from "./skill-file.ts";

/** Knows the digests of files for as long as they stay the same. */
export interface DigestCache {
  of(skill: Skill, file: SkillFile): Promise<HashedFile>;
}

/** The coarsest clock of a common file system is FAT's: two seconds. */
const CLOCK_GRAIN_MS = 2_500;
/** About 20 MB. Beyond it, the files that were asked for longest ago are hashed again. */
const MOST_KEPT = 100_000;

export function createDigestCache(now: () => number = Date.now): DigestCache {
  const kept = new Map<string, HashedFile>();
  return {
    async of(skill, file) {
      const known = kept.get(file.realFile);
      if (known !== undefined && known.stamp === file.stamp) return known;
      const began = now();
      const fresh = await hashSkillFile(skill, file);
      kept.delete(file.realFile);
      // Of a file changed just now, the clock could not tell the next change.
      if (file.changedAt < began - CLOCK_GRAIN_MS) {
        kept.set(file.realFile, fresh);
        const [oldest] = kept.keys();
        if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
      }
      return fresh;
    },
  };
}
