import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { isDisabledFile, readWhole, SKILL_FOLDERS, traverseRoot } from "#skills";
import { fetchSource, type SourceAddress } from "#sources";
import { nameKey } from "#util/pure";

/** A skill of a source, as it was fetched. */
export interface SourceSkill {
  readonly name: string;
  readonly description: string;
  /** Absolute. */
  readonly folder: string;
  /** Its folder in the source, with `/`; empty for the source's own folder. */
  readonly path: string;
  /** The name of its SKILL.md. */
  readonly fileName: string;
}

/** A source that was fetched, with the skills in it. */
export interface FetchedSource {
  readonly tree: Awaited<ReturnType<typeof fetchSource>>;
  /** In order: those below `skills/` first, then the nearest to the top. Each name once. */
  readonly skills: readonly SourceSkill[];
  /** Why other skill files are none: the file and the reason. */
  readonly problems: readonly string[];
}

export async function fetchSkills(
  address: SourceAddress,
  options: Parameters<typeof fetchSource>[1],
): Promise<FetchedSource> {
  const tree = await fetchSource(address, options);
  try {
    const narrowed = address.kind === "git" ? address.path : undefined;
    return { tree, ...(await findSkills(tree, narrowed)) };
  } catch (error) {
    await tree.dispose();
    throw error;
  }
}

async function findSkills(tree: FetchedSource["tree"], narrowed = ""): Promise<Omit<FetchedSource, "tree">> {
  const top = await realpath(tree.folder);
  const inside = path.join(top, narrowed);
  const isWhole = narrowed !== "" && (await isFolder(inside));
  // A source may have been narrowed when it was fetched; its skills still lie below that path.
  const prefix = narrowed === "" || isWhole ? "" : `${narrowed}/`;
  const places: readonly FoundPlace[] =
    tree.listed === undefined
      ? await scannedPlaces(isWhole ? inside : top)
      : tree.listed.map(({ name, path: below }) => {
          return { dir: path.join(top, below), fileName: "SKILL.md", name };
        });
  const skills: SourceSkill[] = [];
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const { dir, fileName, isLink, name: listed } of places) {
    const file = path.join(dir, fileName);
    const below = path.relative(top, dir).split(path.sep).join("/");
    const loaded = await readWhole(isLink === false ? file : await realpath(file).catch(() => file));
    if (!loaded.ok) {
      problems.push(`${prefix}${below === "" ? "" : `${below}/`}${fileName}: ${loaded.failure.message}`);
      continue;
    }
    const { name: own, description } = loaded.skill;
    const name = listed ?? own;
    if (seen.has(nameKey(name))) continue;
    seen.add(nameKey(name));
    skills.push({ name, description, folder: dir, path: `${prefix}${below}`.replace(/\/$/, ""), fileName });
  }
  return { skills, problems };
}

interface FoundPlace {
  readonly dir: string;
  readonly fileName: string;
  readonly isLink?: boolean;
  /** The name that the source gives it. */
  readonly name?: string;
}

async function scannedPlaces(start: string): Promise<readonly FoundPlace[]> {
  const { files } = await traverseRoot(start, SKILL_FOLDERS);
  const enabled = files.filter(({ fileName }) => !isDisabledFile(fileName));
  const isFirst = (dir: string): boolean => path.relative(start, dir).split(path.sep)[0] === "skills";
  return [...enabled.filter(({ dir }) => isFirst(dir)), ...enabled.filter(({ dir }) => !isFirst(dir))];
}

function isFolder(place: string): Promise<boolean> {
  return stat(place).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
