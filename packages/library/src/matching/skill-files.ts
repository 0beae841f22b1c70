import type { Library, LibrarySkill } from "#skills";
import { isHidden } from "#util/pure";
import { chainOf } from "./inheritance.ts";

/** The files that a skill itself declares and that can be served. */
export interface OwnFiles {
  readonly assets: LibrarySkill["assets"];
  readonly scripts: LibrarySkill["scripts"];
  readonly problems: readonly FileProblem[];
}

/** A declaration that is not served, for the library's author. */
interface FileProblem {
  /** The file that declares it, below the library. */
  readonly filePath: string;
  readonly declared: "asset" | "script";
  readonly file: string;
  readonly message: string;
}

/** A skill without a folder for its files has none, whatever it declares. A file declared twice is the later one. */
export function ownFiles(skill: LibrarySkill): OwnFiles {
  if (skill.resourceDir === undefined) return { assets: [], scripts: [], problems: [] };
  return {
    assets: served(skill.assets),
    scripts: served(skill.scripts),
    problems: [...problemsIn(skill, "asset", skill.assets), ...problemsIn(skill, "script", skill.scripts)],
  };
}

/** Whether a path that someone wrote could lead out of the folder that it is meant for, on any system. */
export function isTraversal(file: string): boolean {
  if (file === "" || /^\/|^[A-Za-z]:|[\\\0]/.test(file)) return true;
  return file.split("/").includes("..");
}

function served<Declared extends { readonly file: string }>(
  declared: readonly Declared[],
): readonly Declared[] {
  const byFile = new Map(declared.map((each) => [each.file, each]));
  return [...byFile.values()].filter(({ file }) => !isTraversal(file) && !isHidden(file));
}

function problemsIn(
  { filePath }: LibrarySkill,
  kind: FileProblem["declared"],
  declared: readonly { readonly file: string }[],
): readonly FileProblem[] {
  return declared
    .filter(({ file }) => isTraversal(file) || isHidden(file))
    .map(({ file }) => ({
      filePath,
      declared: kind,
      file,
      message:
        `${filePath} declares the ${kind} ${JSON.stringify(file)}, which is not served: ` +
        (isTraversal(file)
          ? "it must be a path below the skill's own folder, with '/' and without '..'."
          : "hidden files (names that start with a dot) are never served."),
    }));
}

/** With the path of the skill that it comes from. */
type Inherited<Declared> = Declared & { readonly from: string };

/** The files that a skill serves: its own, and the ones from above that it does not replace. */
export interface SkillFiles {
  readonly assets: LibrarySkill["assets"];
  readonly scripts: LibrarySkill["scripts"];
  /** The most general first. */
  readonly inheritedAssets: readonly Inherited<LibrarySkill["assets"][number]>[];
  readonly inheritedScripts: readonly Inherited<LibrarySkill["scripts"][number]>[];
  readonly problems: readonly FileProblem[];
}

interface Level {
  readonly path: string;
  readonly files: OwnFiles;
}

export function filesOf(library: Library, skill: LibrarySkill): SkillFiles {
  const levels = chainOf(library, skill).map((each) => ({ path: each.path, files: ownFiles(each) }));
  const own = ownFiles(skill);
  return {
    assets: own.assets,
    scripts: own.scripts,
    inheritedAssets: inherited(levels, ({ assets }) => assets),
    inheritedScripts: inherited(levels, ({ scripts }) => scripts),
    problems: levels.flatMap(({ files }) => files.problems),
  };
}

/**
 * From the nearest level up, so that the nearest file of a name shadows the ones above it wherever they are in their
 * folders. Within one level, files of one name in different folders are different files.
 */
function inherited<Declared extends { readonly file: string }>(
  levels: readonly Level[],
  pick: (files: OwnFiles) => readonly Declared[],
): readonly Inherited<Declared>[] {
  const taken = new Set<string>();
  const byLevel: (readonly Inherited<Declared>[])[] = [];
  for (const { path, files } of [...levels].reverse()) {
    const declared = pick(files);
    byLevel.push(
      declared.filter(({ file }) => !taken.has(baseName(file))).map((each) => ({ ...each, from: path })),
    );
    for (const { file } of declared) taken.add(baseName(file));
  }
  return byLevel.slice(1).reverse().flat();
}

function baseName(file: string): string {
  return file.slice(file.lastIndexOf("/") + 1);
}

export type FoundDeclaration = FoundAsset | FoundScript;

interface FoundAsset extends Holder {
  readonly kind: "asset";
  readonly declaration: LibrarySkill["assets"][number];
}

export interface FoundScript extends Holder {
  readonly kind: "script";
  readonly declaration: LibrarySkill["scripts"][number];
}

interface Holder {
  /** The skill in whose folder the file is. */
  readonly skill: LibrarySkill;
  /** Its path, when it is not the skill that was asked. */
  readonly from: string | undefined;
}

/** The file that a skill declares under exactly this path, or the nearest skill above it that it inherits from. */
export function findFile(library: Library, asked: LibrarySkill, file: string): FoundDeclaration | undefined {
  for (const holder of nearestFirst(library, asked)) {
    const { assets, scripts } = ownFiles(holder.skill);
    const asset = assets.find((declared) => declared.file === file);
    if (asset !== undefined) return { kind: "asset", declaration: asset, ...holder };
    const script = scripts.find((declared) => declared.file === file);
    if (script !== undefined) return { kind: "script", declaration: script, ...holder };
  }
  return undefined;
}

/** Finds a declared script, the nearest skill first. A file that is declared as an asset too can still be run. */
export function findScript(library: Library, asked: LibrarySkill, file: string): FoundScript | undefined {
  for (const holder of nearestFirst(library, asked)) {
    const script = ownFiles(holder.skill).scripts.find((declared) => declared.file === file);
    if (script !== undefined) return { kind: "script", declaration: script, ...holder };
  }
  return undefined;
}

function nearestFirst(library: Library, asked: LibrarySkill): readonly Holder[] {
  return [...chainOf(library, asked)]
    .reverse()
    .map((skill) => ({ skill, from: skill === asked ? undefined : skill.path }));
}
