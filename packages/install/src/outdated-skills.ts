import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { digestOfAll, digestsOf } from "#skills";
import { newestVersion, type SourceAddress, sameFolders } from "#sources";
import { defined, Refusal } from "#util/pure";
import { readLocked } from "./lock/lock-file.ts";
import type { LockedSkill } from "./lock/lock-text.ts";
import { type FetchedSource, fetchSkills, readFetched } from "./plan/found-skills.ts";
import { lockedFolder, skillIn } from "./plan/locked-content.ts";
import { addressOf } from "./plan/origin.ts";
import type { InstallPlaces, Target } from "./target.ts";

/** A locked skill and the newest state of its source. */
export interface OutdatedSkill {
  readonly name: string;
  readonly source: string;
  readonly current?: string;
  readonly newest?: string;
  /** Its own content is another one in the newest commit or version, so that `update` changes it. */
  readonly isOutdated: boolean;
  /** Why nothing is known of the source. */
  readonly problem?: string;
}

/**
 * Asks each source for its newest commit or version and, where that is another one, whether the skill's own files differ in it.
 * What is said here is what `outdated`, `verify --remote` and the dashboard say.
 */
export async function outdatedSkills(
  target: Target,
  places: InstallPlaces,
): Promise<readonly OutdatedSkill[]> {
  const staging = await mkdtemp(path.join(tmpdir(), "skills-mcp-"));
  const sources = openNewest(staging, places);
  try {
    const locked = await readLocked(target.lock);
    const withAddress = locked.map((skill) => ({ skill, address: addressOf(skill, target.base) }));
    return await Promise.all(
      withAddress.map(async ({ skill, address }): Promise<OutdatedSkill> => {
        const { name, source, own, sourceType } = skill;
        const current = own?.commit ?? own?.version;
        const known = { name, source, ...defined({ current }), isOutdated: false };
        if (address === undefined) return { ...known, problem: `a ${sourceType} source cannot be asked` };
        try {
          const newest = await sources.newest(address);
          if (newest === undefined) return { ...known, problem: "the source has no versions" };
          if (current === undefined)
            return { ...known, newest, problem: "the lock has no commit; update records it" };
          const others = withAddress.filter((one) => isSame(one.address, address)).map((one) => one.skill);
          const isOutdated = newest !== current && !(await sources.isSame(skill, others, address, newest));
          return { ...known, newest, isOutdated };
        } catch (error) {
          if (error instanceof Refusal) return { ...known, problem: error.message };
          throw error;
        }
      }),
    );
  } finally {
    await sources.close();
    await rm(staging, { recursive: true, force: true });
  }
}

/** What is asked of sources; of each one once, however many skills are from it. */
function openNewest(stagingFolder: string, { cwd, home, environment, log }: InstallPlaces) {
  const options = { stagingFolder, cwd, home, environment, log };
  const fetched: Promise<FetchedSource>[] = [];
  const newest = once((address: SourceAddress) => newestVersion(address, options));
  const content = once((address: SourceAddress, _version: string) => {
    const source = fetchSkills(address, options);
    fetched.push(source);
    return source;
  });
  const compared = once((address: SourceAddress, from: string, to: string, folders: readonly string[]) =>
    sameFolders(address, { from, to, folders }, options),
  );
  return {
    newest,
    /** Whether a skill is in the newest version as it is locked. `others`: all skills of the source, which are asked about together. */
    async isSame(
      locked: LockedSkill,
      others: readonly LockedSkill[],
      address: SourceAddress,
      version: string,
    ): Promise<boolean> {
      const { own } = locked;
      if (own === undefined) return false;
      const from = own.commit;
      if (from !== undefined) {
        const folders = others.filter((other) => other.own?.commit === from).map(lockedFolder);
        const same = (await compared(address, from, version, folders)).get(lockedFolder(locked));
        if (same !== undefined) return same;
      }
      const source = await content(address, version);
      const skill = skillIn(source, locked);
      // That it is gone is what `update` says as well.
      if (skill === undefined) return false;
      const digests = digestsOf(readFetched(skill, source.tree.folder));
      return digestOfAll(digests) === digestOfAll(own.files);
    },
    async close(): Promise<void> {
      for (const result of await Promise.allSettled(fetched))
        if (result.status === "fulfilled") await result.value.tree.dispose();
    },
  };
}

function isSame(one: SourceAddress | undefined, other: SourceAddress): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Calls a function once for the same arguments. */
function once<A extends readonly unknown[], T>(ask: (...args: A) => Promise<T>): (...args: A) => Promise<T> {
  const answers = new Map<string, Promise<T>>();
  return (...args) => {
    const key = JSON.stringify(args);
    const answer = answers.get(key) ?? ask(...args);
    answers.set(key, answer);
    return answer;
  };
}
