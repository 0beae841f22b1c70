import path from "node:path";
import type { LibraryFile } from "../catalog/library/build-library.ts";
import type { Diagnostic } from "../skill/diagnostic.ts";
import type { LibraryFrontMatter } from "../skill/library-front-matter.ts";
import { parseLibrarySkill } from "../skill/parse-library-skill.ts";
import type { Location } from "../skill/skill.ts";
import type { FileCache } from "./file-cache.ts";
import { describeError, realpath, stat } from "./file-system.ts";
import { failureDiagnostic } from "./read-found.ts";
import { detached, type HeadFormat } from "./read-skill-file.ts";
import { realFile } from "./real-file.ts";
import { isInside } from "./roots.ts";
import type { FoundFile } from "./walk.ts";

/** A Markdown file of a library. */
export function libraryHeads(strict: boolean): HeadFormat<LibraryFrontMatter> {
  return {
    parse(text) {
      const parsed = parseLibrarySkill(text, { strict });
      if (!parsed.ok) return { ok: false, failure: parsed.problem };
      const { frontMatter, warnings } = parsed.skill;
      return { ok: true, value: kept(frontMatter), warnings };
    },
    same: (a, b) => JSON.stringify(a) === JSON.stringify(b),
  };
}

/** Words are short; the texts are what would keep the whole file alive. */
function kept(head: LibraryFrontMatter): LibraryFrontMatter {
  return { ...head, description: detached(head.description), keywords: head.keywords.map(detached) };
}

export type LibraryCache = FileCache<LibraryFrontMatter, LibraryFile>;

export interface LibraryReading {
  readonly file?: LibraryFile;
  readonly revision?: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly awaited: readonly string[];
}

/** The library that a file belongs to, by the two paths it has. */
export interface LibraryFolder {
  readonly dir: string;
  readonly realDir: string;
  readonly location: Location;
}

/** Reads a found file into a skill of its library; undefined when the file is gone. */
export async function readLibraryFile(
  found: FoundFile,
  library: LibraryFolder,
  cache: LibraryCache,
): Promise<LibraryReading | undefined> {
  const shown = path.join(found.dir, found.fileName);
  const real = await realFile(found);
  const { awaited } = real;
  if (!real.ok) return { awaited, diagnostics: [failureDiagnostic(shown, real.failure)] };
  const record = await cache.head(real.file);
  if (record === undefined) return undefined;
  const { head, made, revision } = record;
  if (!head.ok) return { awaited, diagnostics: [failureDiagnostic(shown, head.failure)] };
  const diagnostics = head.warnings.map(
    (problem): Diagnostic => ({ severity: "warning", file: shown, ...problem }),
  );
  const resources = await resourcesOf(found, library);
  if (resources.diagnostic !== undefined) diagnostics.push(resources.diagnostic);
  const fresh: LibraryFile = {
    ...head.value,
    filePath: path.relative(library.dir, shown).split(path.sep).join("/"),
    location: library.location,
    file: shown,
    realFile: real.file,
    resourceDir: resources.dir,
    root: library.realDir,
  };
  let file = made.find((known) => isSamePlace(known, fresh));
  if (file === undefined) {
    file = fresh;
    made.push(file);
  }
  return { file, revision, awaited, diagnostics };
}

/** The folder beside the file, if there is one and it lies in the library. */
async function resourcesOf(
  found: FoundFile,
  library: LibraryFolder,
): Promise<{ readonly dir: string | undefined; readonly diagnostic?: Diagnostic }> {
  if (found.companion === undefined) return { dir: undefined };
  const name = found.fileName.slice(0, -".md".length);
  const dir = path.join(found.realDir, name);
  const shown = path.join(found.dir, name);
  if (found.companion === "folder") {
    // A linked folder of skills may lie elsewhere; its files stay there.
    if (!isInside(library.realDir, dir)) return { dir: undefined, diagnostic: outside(shown) };
    return (await isThere(path.join(dir, "_index.md"))) && name !== "_index"
      ? { dir, diagnostic: hidesSkills(shown, found.fileName) }
      : { dir };
  }
  try {
    const target = await realpath(dir);
    if (!(await stat(target)).isDirectory()) return { dir: undefined };
    return isInside(library.realDir, target)
      ? { dir: target }
      : { dir: undefined, diagnostic: outside(shown) };
  } catch (error) {
    const message = `This link leads nowhere: ${describeError(error)}.`;
    return { dir: undefined, diagnostic: { severity: "warning", code: "broken-link", file: shown, message } };
  }
}

/** The one mistake that makes a whole folder of skills vanish. */
function hidesSkills(file: string, fileName: string): Diagnostic {
  const message = `It holds an _index.md, but as ${fileName} lies beside it, it is the folder of that skill's files, and nothing in it is served as a skill. Move ${fileName} to ${path.basename(file)}/_index.md, or rename it.`;
  return { severity: "warning", code: "hidden-skills", file, message };
}

function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

function outside(file: string): Diagnostic {
  const message =
    "It lies outside of the library, so its assets and scripts are not served. Move it into the library.";
  return { severity: "warning", code: "outside-library", file, message };
}

function isSamePlace(a: LibraryFile, b: LibraryFile): boolean {
  return (
    a.filePath === b.filePath &&
    a.location === b.location &&
    a.file === b.file &&
    a.realFile === b.realFile &&
    a.resourceDir === b.resourceDir &&
    a.root === b.root
  );
}
