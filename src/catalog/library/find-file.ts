import type { DeclaredAsset, DeclaredScript } from "../../skill/library-front-matter.ts";
import { ownFiles } from "./declared-files.ts";
import { chainOf } from "./inheritance-chain.ts";
import type { Library, LibrarySkill } from "./library.ts";

export type FoundFile = FoundAsset | FoundScript;

interface FoundAsset extends Holder {
  readonly kind: "asset";
  readonly declaration: DeclaredAsset;
}

interface FoundScript extends Holder {
  readonly kind: "script";
  readonly declaration: DeclaredScript;
}

interface Holder {
  /** The skill in whose folder the file is. */
  readonly skill: LibrarySkill;
  /** Its path, when it is not the skill that was asked. */
  readonly from: string | undefined;
}

/** The file that a skill declares under exactly this path, or the nearest skill above it that it inherits from. */
export function findFile(library: Library, asked: LibrarySkill, file: string): FoundFile | undefined {
  for (const holder of nearestFirst(library, asked)) {
    const { assets, scripts } = ownFiles(holder.skill);
    const asset = assets.find((declared) => declared.file === file);
    if (asset !== undefined) return { kind: "asset", declaration: asset, ...holder };
    const script = scripts.find((declared) => declared.file === file);
    if (script !== undefined) return { kind: "script", declaration: script, ...holder };
  }
  return undefined;
}

/** The same among scripts alone: a file that is declared as an asset too can still be run. */
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
