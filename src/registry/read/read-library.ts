import fs from "node:fs";
import path from "node:path";
import type { LibraryFile } from "../../catalog/library/build-library.ts";
import type { Diagnostic } from "../../skill/diagnostic.ts";
import type { LibraryFrontMatter } from "../../skill/library-front-matter.ts";
import { parseLibrarySkill } from "../../skill/parse-library-skill.ts";
import type { Location } from "../../skill/skill.ts";
import { describeError, realpath, stat } from "../../system/file-system.ts";
import { isInside } from "../../system/inside.ts";
import { below, type FoundFile } from "../scan/folder-tree.ts";
import type { FileRecord } from "./file-cache.ts";
import type { FileFacts } from "./file-reader.ts";
import { failureDiagnostic } from "./read-found.ts";
import { detached, type HeadFormat } from "./read-skill-file.ts";

/** A Markdown file of a library. */
export function libraryHeads(strict: boolean): HeadFormat<LibraryFrontMatter> {
  return {
    parse(text, finding) {
      const parsed = parseLibrarySkill(text, { strict, finding });
      if (!parsed.ok) return { ok: false, failure: parsed.problem };
      const { frontMatter, warnings } = parsed.skill;
      return { ok: true, value: kept(frontMatter), warnings };
    },
    same: (a, b) => JSON.stringify(a) === JSON.stringify(b),
    toTexts: ({ description, ...rest }) => [description, JSON.stringify(rest)],
    fromTexts(description, json) {
      const rest = JSON.parse(json) as unknown;
      return description !== "" && isRest(rest) ? { ...rest, description } : undefined;
    },
  };
}

function isRest(value: unknown): value is Omit<LibraryFrontMatter, "description"> {
  const { keywords, inherit, priority, assets, scripts } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return (
    areAll(keywords, isText) &&
    typeof inherit === "boolean" &&
    typeof priority === "number" &&
    areAll(assets, (asset) => hasTexts(asset, ["file", "description", "type"])) &&
    areAll(
      scripts,
      (script) =>
        hasTexts(script, ["file", "description", "execution"]) &&
        areAll(script["args"], (arg) => hasTexts(arg, ["name", "description"])),
    )
  );
}

function areAll(values: unknown, are: (value: unknown) => boolean): boolean {
  return Array.isArray(values) && values.every(are);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function hasTexts(value: unknown, keys: readonly string[]): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  return keys.every((key) => isText((value as Readonly<Record<string, unknown>>)[key]));
}

/** Words are short; the texts are what would keep the whole file alive. */
function kept(head: LibraryFrontMatter): LibraryFrontMatter {
  return { ...head, description: detached(head.description), keywords: head.keywords.map(detached) };
}

export interface LibraryReading {
  readonly file?: LibraryFile;
  /** What it was made of. */
  readonly record: FileRecord<LibraryFrontMatter> | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly awaited: readonly string[];
}

/** The library that a file belongs to, by the two paths it has. */
export interface LibraryFolder {
  readonly dir: string;
  readonly realDir: string;
  readonly location: Location;
}

/** Makes a skill of its library of what was found; undefined when the file is gone. */
export function readLibraryFile(
  found: FoundFile,
  library: LibraryFolder,
  { real, record, beside }: FileFacts<LibraryFrontMatter, Companion>,
  before: LibraryReading | undefined,
): LibraryReading | undefined {
  const shown = below(found.dir, found.fileName);
  const { awaited } = real;
  if (!real.ok) return { record, awaited, diagnostics: [failureDiagnostic(shown, real.failure)] };
  if (record === undefined) return undefined;
  const { head } = record;
  if (!head.ok) {
    return before?.record === record && !found.isLink
      ? before
      : { record, awaited, diagnostics: [failureDiagnostic(shown, head.failure)] };
  }
  const diagnostics = head.warnings.map(
    (problem): Diagnostic => ({ severity: "warning", file: shown, ...problem }),
  );
  const resources = resourcesOf(found, library, beside);
  if (resources.diagnostic !== undefined) diagnostics.push(resources.diagnostic);
  const known = before?.record?.head === head ? before.file : undefined;
  const isKnown =
    known !== undefined &&
    known.location === library.location &&
    known.realFile === real.file &&
    known.resourceDir === resources.dir &&
    known.root === library.realDir;
  if (
    isKnown &&
    before?.record === record &&
    !found.isLink &&
    before.diagnostics.length === diagnostics.length
  )
    return before;
  const file: LibraryFile = isKnown
    ? known
    : {
        ...head.value,
        filePath: path.relative(library.dir, shown).split(path.sep).join("/"),
        location: library.location,
        file: shown,
        realFile: real.file,
        resourceDir: resources.dir,
        root: library.realDir,
      };
  return { file, record, awaited, diagnostics };
}

/** What the disk says of the folder that a skill's resources are expected in. */
export type Companion =
  | { readonly kind: "none" }
  | { readonly kind: "folder"; readonly holdsIndex: boolean }
  | { readonly kind: "link"; readonly target: string; readonly isFolder: boolean }
  | { readonly kind: "broken"; readonly error: unknown };

const NO_COMPANION: Companion = { kind: "none" };

export function companionNow(found: FoundFile): Companion {
  if (found.companion === undefined) return NO_COMPANION;
  const dir = companionDir(found);
  try {
    if (found.companion === "folder") {
      return { kind: "folder", holdsIndex: fs.existsSync(below(dir, "_index.md")) };
    }
    const target = fs.realpathSync.native(dir);
    return { kind: "link", target, isFolder: fs.statSync(target).isDirectory() };
  } catch (error) {
    return { kind: "broken", error };
  }
}

/** The same through the thread pool. */
export async function companionLater(found: FoundFile): Promise<Companion> {
  if (found.companion === undefined) return NO_COMPANION;
  const dir = companionDir(found);
  try {
    if (found.companion === "folder") {
      return { kind: "folder", holdsIndex: await isThere(below(dir, "_index.md")) };
    }
    const target = await realpath(dir);
    return { kind: "link", target, isFolder: (await stat(target)).isDirectory() };
  } catch (error) {
    return { kind: "broken", error };
  }
}

function companionDir(found: FoundFile): string {
  return below(found.realDir, found.fileName.slice(0, -".md".length));
}

/** The folder beside the file, if there is one and it lies in the library. */
function resourcesOf(
  found: FoundFile,
  library: LibraryFolder,
  beside: Companion,
): { readonly dir: string | undefined; readonly diagnostic?: Diagnostic } {
  if (beside.kind === "none") return { dir: undefined };
  const name = found.fileName.slice(0, -".md".length);
  const shown = below(found.dir, name);
  if (beside.kind === "folder") {
    const dir = companionDir(found);
    // A linked folder of skills may lie elsewhere; its files stay there.
    if (!isInside(library.realDir, dir)) return { dir: undefined, diagnostic: outside(shown) };
    return beside.holdsIndex && name !== "_index"
      ? { dir, diagnostic: hidesSkills(shown, found.fileName) }
      : { dir };
  }
  if (beside.kind === "link") {
    if (!beside.isFolder) return { dir: undefined };
    return isInside(library.realDir, beside.target)
      ? { dir: beside.target }
      : { dir: undefined, diagnostic: outside(shown) };
  }
  const message = `This link leads nowhere: ${describeError(beside.error)}.`;
  return { dir: undefined, diagnostic: { severity: "warning", code: "broken-link", file: shown, message } };
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
