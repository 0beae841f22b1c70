import type { DeclaredAsset, DeclaredScript } from "../../skill/library-front-matter.ts";
import type { LibrarySkill } from "./library.ts";

/** The files that a skill itself brings along, as far as they can be served. */
export interface OwnFiles {
  readonly assets: readonly DeclaredAsset[];
  readonly scripts: readonly DeclaredScript[];
  readonly problems: readonly FileProblem[];
}

/** A declaration that is not served, for whoever keeps the library. */
export interface FileProblem {
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

/** Whether a path leads through a hidden name, such as `.env` or `.git/config`. Hidden files are never served. */
export function isHidden(file: string): boolean {
  return file.split("/").some((name) => name.startsWith(".") && name !== "." && name !== "..");
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
