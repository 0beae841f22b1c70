import { readdir, realpath } from "node:fs/promises";
import path from "node:path";
import { buildCatalog, createSkillScanner, readWhole, type Skill } from "#skills";
import { createTimeSlices, POOLED_DISK } from "#util";
import { defined, nameKey } from "#util/pure";
import type { FetchedTree } from "../fetch/fetch-context.ts";
import { rootOf } from "./repo-roots.ts";
import { findRepoSkills } from "./repo-skills.ts";
import { createRepoTree } from "./repo-tree.ts";

/** A skill of a source, as it was fetched. */
interface ContainedSkill {
  readonly name: string;
  readonly description: string;
  /** The plugin of the source that it belongs to. */
  readonly plugin?: string;
  /** An absolute real path. */
  readonly folder: string;
  /** Its folder in the source, with `/`; empty for the source's own folder. */
  readonly path: string;
  /** The name of its SKILL.md. */
  readonly fileName: string;
}

export interface ContainedSkills {
  /** Highest priority first. One plugin, or the source beside its plugins, has each name once. */
  readonly skills: readonly ContainedSkill[];
  /** Skills whose name another one has, with the path of that one. */
  readonly leftOut: readonly { readonly skill: ContainedSkill; readonly instead: string }[];
  /** Why other skill files are none: the file and the reason. */
  readonly problems: readonly string[];
}

/** Finds the skills of a source that was fetched, below `base`: the same as a server serves of a repository. */
export function findSourceSkills(
  { folder, listed }: Pick<FetchedTree, "folder" | "listed">,
  base = "",
): Promise<ContainedSkills> {
  return listed === undefined ? scannedSkills(folder, base) : listedSkills(folder, listed);
}

async function scannedSkills(top: string, base: string): Promise<ContainedSkills> {
  const tree = createRepoTree(top, await filesBelow(top), base);
  const { folders, leftOut } = await findRepoSkills(tree);
  const context = { disk: POOLED_DISK, slices: createTimeSlices() };
  const scans = folders.map((one) =>
    createSkillScanner(rootOf(one, { url: "", commit: "", folder: top }), { now: Date.now })(context),
  );
  const scanned = await Promise.all(scans);
  const enabled = scanned.flatMap((each) => each.enabled);
  const { entries } = buildCatalog(enabled);
  const counts = new Set(entries.map(({ skill }) => skill));
  const fileName = (dir: string): string => path.posix.basename(tree.skillFiles.get(dir) ?? "");
  return {
    skills: enabled.filter((skill) => counts.has(skill)).map((skill) => sourceSkill(skill, top)),
    leftOut: [
      ...entries.flatMap(({ skill, shadowed }) =>
        shadowed.map((other) => ({
          skill: sourceSkill(other, top),
          instead: pathIn(top, skill.realDir),
        })),
      ),
      ...leftOut.map(({ name, description, dir, instead }) => ({
        skill: { name, description, folder: path.join(top, dir), path: dir, fileName: fileName(dir) },
        instead,
      })),
    ],
    problems: scanned
      .flatMap(({ diagnostics }) => diagnostics)
      .flatMap(({ severity, file, message }) =>
        severity === "error" ? [`${pathIn(top, file)}: ${message}`] : [],
      ),
  };
}

function sourceSkill({ name, description, plugin, realDir, fileName }: Skill, top: string): ContainedSkill {
  const owner = defined({ plugin: plugin?.name });
  return { name, description, ...owner, folder: realDir, path: pathIn(top, realDir), fileName };
}

function pathIn(top: string, place: string): string {
  return path.relative(top, place).split(path.sep).join("/");
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => !entry.isDirectory())
    .map((entry) => pathIn(folder, path.join(entry.parentPath, entry.name)));
}

/** A site or a marketplace says which skills it has. */
async function listedSkills(
  top: string,
  listed: NonNullable<FetchedTree["listed"]>,
): Promise<ContainedSkills> {
  const skills: ContainedSkill[] = [];
  const leftOut: ContainedSkills["leftOut"][number][] = [];
  const problems: string[] = [];
  const fileName = "SKILL.md";
  for (const { name, path: below, plugin } of listed) {
    const folder = path.join(top, below);
    const file = path.join(folder, fileName);
    const loaded = await readWhole(await realpath(file).catch(() => file));
    if (!loaded.ok) {
      problems.push(`${pathIn(top, file)}: ${loaded.failure.message}`);
      continue;
    }
    const { description } = loaded.skill;
    const skill = { name, description, ...defined({ plugin }), folder, path: pathIn(top, folder), fileName };
    const same = skills.find((other) => nameKey(other.name) === nameKey(name) && other.plugin === plugin);
    if (same === undefined) skills.push(skill);
    else leftOut.push({ skill, instead: same.path });
  }
  return { skills, leftOut, problems };
}
