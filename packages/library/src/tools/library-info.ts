import { LIBRARY_PROVIDER } from "#agents";
import type { Diagnostic, Library, LibrarySkill, Snapshot } from "#skills";
import { defined, isHidden, Refusal } from "#util/pure";
import { chainOf } from "../matching/inheritance.ts";
import { type FoundDeclaration, filesOf, findFile, ownFiles } from "../matching/skill-files.ts";
import { sizeOfDeclaredFile } from "./declared-file-content.ts";

/** A file of a library skill. */
export interface OfferedFile {
  readonly kind: "asset" | "script";
  readonly file: string;
  readonly description: string;
  /** The skill above that it comes from. */
  readonly from?: string;
  /** A script that declares that it needs the network. */
  readonly network?: true;
  readonly bytes?: number;
  /** Why it is not served. */
  readonly problem?: string;
}

/** Everything that is known of one library skill. */
export interface LibrarySkillInfo {
  readonly kind: "library";
  readonly skill: LibrarySkill;
  /** What it inherits from, the most general first. */
  readonly inherits: readonly LibrarySkill[];
  readonly files: readonly OfferedFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The skill that a person means by `ui/react/auth`, `ui` or `library:incident`; undefined when there is none. */
export function findMeantSkill({ skills }: Library, typed: string): LibrarySkill | undefined {
  const prefix = `${LIBRARY_PROVIDER}:`;
  const path = (typed.startsWith(prefix) ? typed.slice(prefix.length) : typed).replace(/\.md$/, "");
  return skills.get(path) ?? skills.get(`${path}/_index`);
}

export async function librarySkillInfo(
  { library, diagnostics }: Snapshot,
  skill: LibrarySkill,
): Promise<LibrarySkillInfo> {
  return {
    kind: "library",
    skill,
    inherits: chainOf(library, skill).slice(0, -1),
    files: await inspectFiles(library, skill),
    diagnostics: diagnostics.filter(
      ({ file }) => file === skill.file || file === skill.file.replace(/\.md$/, ""),
    ),
  };
}

/** Every file that a skill serves, and those that it declares but that are not served. */
export async function inspectFiles(library: Library, skill: LibrarySkill): Promise<readonly OfferedFile[]> {
  const { assets, scripts, inheritedAssets, inheritedScripts } = filesOf(library, skill);
  const offered = [assets, scripts, inheritedAssets, inheritedScripts].flat();
  const found = offered.flatMap(({ file }) => findFile(library, skill, file) ?? []);
  return [...(await Promise.all(found.map(inspect))), ...notServed(skill)];
}

async function inspect(found: FoundDeclaration): Promise<OfferedFile> {
  const { kind, from, declaration } = found;
  const { file, description } = declaration;
  const network = "network" in declaration ? declaration.network : undefined;
  const offered = { kind, file, description, ...defined({ from, network }) };
  try {
    return { ...offered, bytes: await sizeOfDeclaredFile(found) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ...offered, problem: error.message };
  }
}

/** The files that a skill declares but that are not served, with the reason. */
function notServed(skill: LibrarySkill): readonly OfferedFile[] {
  const served = new Set([ownFiles(skill).assets, ownFiles(skill).scripts].flat().map(({ file }) => file));
  const folder = `${skill.path.split("/").at(-1)}/`;
  const problemOf = (kind: "asset" | "script", file: string): string => {
    if (isHidden(file))
      return `The ${kind} "${file}" is not served: hidden files (names that start with a dot) are never served.`;
    return skill.resourceDir === undefined
      ? `The ${kind} "${file}" is declared, but there is no folder ${folder} beside ${skill.filePath} for it.`
      : `The ${kind} "${file}" is not served: it must be a path below ${folder}, with '/' and without '..'.`;
  };
  const missing = (kind: "asset" | "script") =>
    skill[`${kind}s`]
      .filter(({ file }) => !served.has(file))
      .map(({ file, description }) => ({ kind, file, description, problem: problemOf(kind, file) }));
  return [...missing("asset"), ...missing("script")];
}
