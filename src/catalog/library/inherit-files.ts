import type { DeclaredAsset, DeclaredScript } from "../../skill/library-front-matter.ts";
import { type FileProblem, type OwnFiles, ownFiles } from "./declared-files.ts";
import { chainOf } from "./inheritance-chain.ts";
import type { Library, LibrarySkill } from "./library.ts";

/** With the path of the skill that it comes from. */
type Inherited<Declared> = Declared & { readonly from: string };

/** What a skill offers: its own files, and the ones from above that it does not replace. */
export interface SkillFiles {
  readonly assets: readonly DeclaredAsset[];
  readonly scripts: readonly DeclaredScript[];
  /** The most general first. */
  readonly inheritedAssets: readonly Inherited<DeclaredAsset>[];
  readonly inheritedScripts: readonly Inherited<DeclaredScript>[];
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
 * From the nearest level up, so that the nearest file of a name hides the ones above it wherever they lie in their
 * folders. Within one level, files of one name in different folders are different files.
 */
function inherited<Declared extends { readonly file: string }>(
  levels: readonly Level[],
  pick: (files: OwnFiles) => readonly Declared[],
): readonly Inherited<Declared>[] {
  const taken = new Set<string>();
  const kept: (readonly Inherited<Declared>[])[] = [];
  for (const { path, files } of [...levels].reverse()) {
    const declared = pick(files);
    kept.push(
      declared.filter(({ file }) => !taken.has(baseName(file))).map((each) => ({ ...each, from: path })),
    );
    for (const { file } of declared) taken.add(baseName(file));
  }
  return kept.slice(1).reverse().flat();
}

function baseName(file: string): string {
  return file.slice(file.lastIndexOf("/") + 1);
}
