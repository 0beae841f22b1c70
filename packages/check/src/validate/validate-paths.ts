import { stat } from "node:fs/promises";
import path from "node:path";
import { type Diagnostic, SKILL_FOLDERS, traverseRoot } from "#skills";
import { describeError, errorCode, runQueue } from "#util";
import type { AuditOptions } from "../audit-skills/audit-skill.ts";
import { checkFolder, type ValidatedFile } from "./check-folder.ts";
import { validateLibrary, validateLibraryFile } from "./validate-library.ts";

const SKILLS_AT_ONCE = 16;

/** Checks skill files, skill folders, and folders of skills. Every given path has at least one result. */
export async function validatePaths(
  paths: readonly string[],
  cwd: string,
  audit: AuditOptions = {},
): Promise<readonly ValidatedFile[]> {
  const checked: ValidatedFile[] = [];
  const seen = new Set<string>();
  for (const given of paths) {
    for (const result of await validatePath(path.resolve(cwd, given), audit)) {
      if (seen.has(result.file)) continue;
      seen.add(result.file);
      checked.push(result);
    }
  }
  return checked;
}

async function validatePath(target: string, audit: AuditOptions): Promise<readonly ValidatedFile[]> {
  try {
    const stats = await stat(target);
    if (!stats.isDirectory()) return (await validateMarkdown(target)) ?? (await checkFolder(target, audit));
    if (await isLibrary(target)) return await validateLibrary(target);
    const found = await traverseRoot(target, SKILL_FOLDERS);
    const broken = found.diagnostics.map(fromDiagnostic);
    const files: (readonly ValidatedFile[])[] = Array.from({ length: found.files.length });
    await runQueue(found.files.entries(), SKILLS_AT_ONCE, async ([at, { dir, fileName }]) => {
      files[at] = await checkFolder(path.join(dir, fileName), audit);
    });
    if (files.length + broken.length > 0) return [...broken, ...files.flat()];
    // A tree of Markdown without a single SKILL.md is a library.
    const library = await validateLibrary(target);
    if (library.length > 0) return library;
    const message = "There is no SKILL.md in or below this folder, and no Markdown of a library.";
    return [{ file: target, findings: [{ severity: "error", rule: "no-skill", message }] }];
  } catch (error) {
    const rule = errorCode(error) === "ENOENT" ? "no-skill" : "unreadable";
    const message = `This path cannot be checked: ${describeError(error)}.`;
    return [{ file: target, findings: [{ severity: "error", rule, message }] }];
  }
}

/** A Markdown file of another name may be a skill of a library. */
async function validateMarkdown(file: string): Promise<readonly ValidatedFile[] | undefined> {
  const name = path.basename(file).toLowerCase();
  if (name.endsWith("skill.md") || !name.endsWith(".md")) return undefined;
  const checked = await validateLibraryFile(file);
  return checked && [checked];
}

/** These two names occur only in libraries. */
async function isLibrary(dir: string): Promise<boolean> {
  const found = await Promise.all(
    ["_root.md", "_index.md"].map((name) =>
      stat(path.join(dir, name)).then(
        (stats) => stats.isFile(),
        () => false,
      ),
    ),
  );
  return found.includes(true);
}

function fromDiagnostic({ file, code: rule, message, severity }: Diagnostic): ValidatedFile {
  return { file, findings: [{ severity: severity === "error" ? "error" : "advice", rule, message }] };
}
