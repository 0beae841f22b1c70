import path from "node:path";
import { isInside, realpath, stat } from "#util";
import { visibleLine } from "#util/pure";
import type { LibraryFile } from "../library/build-library.ts";
import { leadsNowhere } from "../scan/links.ts";
import { below } from "../scan/listing.ts";
import type { FoundFile } from "../scan/scan-state.ts";
import type { Diagnostic } from "../skill/diagnostic.ts";
import type { LibraryFrontMatter } from "../skill/library-front-matter.ts";
import { parseLibrarySkill } from "../skill/parse-library-skill.ts";
import type { Location } from "../skill/skill.ts";
import { type CachedHead, type FileState, isSameTarget } from "./file-reader.ts";
import { detached, type HeadFormat } from "./read-skill-file.ts";
import { failureDiagnostic } from "./skill-result.ts";

/** A Markdown file of a library. */
export function libraryHeads(strict: boolean): HeadFormat<LibraryFrontMatter> {
  return {
    parse(text, finding) {
      const parsed = parseLibrarySkill(text, { strict, finding });
      if (!parsed.ok) return { ok: false, failure: parsed.problem };
      const { frontMatter, warnings } = parsed.skill;
      const { description, keywords } = frontMatter;
      // Other values are short; these would keep the text of the whole file in memory.
      const value = {
        ...frontMatter,
        description: detached(description),
        keywords: keywords.map(detached),
      };
      return { ok: true, value, warnings };
    },
    same: (a, b) => JSON.stringify(a) === JSON.stringify(b),
  };
}

/** What one Markdown file gave: a skill or a reason why not. */
export interface LibraryResult {
  readonly file?: LibraryFile;
  /** What it was made of. */
  readonly cached: CachedHead<LibraryFrontMatter> | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly awaited: readonly string[];
}

/** The library that a file belongs to, by the two paths it has. */
export interface LibraryFolder {
  readonly dir: string;
  readonly realDir: string;
  readonly location: Location;
  readonly strict: boolean;
}

/** Makes a library skill from a found file; undefined when the file is gone. */
export async function libraryResult(
  found: FoundFile,
  library: LibraryFolder,
  { real, cached }: FileState<LibraryFrontMatter>,
  before: LibraryResult | undefined,
): Promise<LibraryResult | undefined> {
  const shown = below(found.dir, found.fileName);
  const { awaited } = real;
  if (!real.ok) return { cached, awaited, diagnostics: [failureDiagnostic(shown, real.failure)] };
  if (cached === undefined) return undefined;
  const { head } = cached;
  const isUnchanged = before?.cached === cached && isSameTarget(before, real);
  if (!head.ok) {
    return isUnchanged ? before : { cached, awaited, diagnostics: [failureDiagnostic(shown, head.failure)] };
  }
  const diagnostics = head.warnings.map(
    (problem): Diagnostic => ({ severity: "warning", file: shown, ...problem }),
  );
  const resources = await resourcesOf(found, library);
  if (resources.diagnostic !== undefined) diagnostics.push(resources.diagnostic);
  const file: LibraryFile = {
    ...head.value,
    filePath: visibleLine(path.relative(library.dir, shown).split(path.sep).join("/")),
    location: library.location,
    file: shown,
    realFile: real.file,
    resourceDir: resources.dir,
    root: library.realDir,
    ...(library.strict ? { strict: true } : {}),
  };
  const known = before?.cached?.head === head && isSameFile(before.file, file) ? before.file : undefined;
  if (isUnchanged && known !== undefined && before.diagnostics.length === diagnostics.length) return before;
  return { file: known ?? file, cached, awaited, diagnostics };
}

/** Of two files with the same head. */
function isSameFile(a: LibraryFile | undefined, b: LibraryFile): boolean {
  return (
    a?.location === b.location &&
    a.realFile === b.realFile &&
    a.resourceDir === b.resourceDir &&
    a.root === b.root
  );
}

interface Resources {
  readonly dir: string | undefined;
  readonly diagnostic?: Diagnostic;
}

const NO_RESOURCES: Resources = { dir: undefined };

/** The folder beside the file, if there is one and it lies in the library. */
async function resourcesOf(found: FoundFile, library: LibraryFolder): Promise<Resources> {
  if (found.companion === undefined) return NO_RESOURCES;
  const name = found.fileName.slice(0, -".md".length);
  const shown = below(found.dir, name);
  const dir = below(found.realDir, name);
  if (found.companion === "folder") {
    // A linked folder of skills may lie elsewhere; its files stay there.
    if (!isInside(library.realDir, dir)) return { dir: undefined, diagnostic: outside(shown) };
    const holdsIndex = name !== "_index" && (await exists(below(dir, "_index.md")));
    return holdsIndex ? { dir, diagnostic: hidesSkills(shown, found.fileName) } : { dir };
  }
  try {
    const target = await realpath(dir);
    if (!(await stat(target)).isDirectory()) return NO_RESOURCES;
    if (isInside(library.realDir, target)) return { dir: target };
    return { dir: undefined, diagnostic: outside(shown) };
  } catch (error) {
    const message = leadsNowhere(error);
    return { dir: undefined, diagnostic: { severity: "warning", code: "broken-link", file: shown, message } };
  }
}

function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

/** The one mistake that makes a whole folder of skills vanish. */
function hidesSkills(file: string, fileName: string): Diagnostic {
  const message = `It holds an _index.md, but because ${fileName} lies beside it, it is the folder of that skill's files, and nothing in it is served as a skill. Move ${fileName} to ${path.basename(file)}/_index.md, or rename it.`;
  return { severity: "warning", code: "hidden-skills", file, message };
}

function outside(file: string): Diagnostic {
  const message =
    "It lies outside the library, so its assets and scripts are not served. Move it into the library.";
  return { severity: "warning", code: "outside-library", file, message };
}
