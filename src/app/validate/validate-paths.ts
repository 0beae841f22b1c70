import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { readWhole } from "../../registry/read/read-skill-file.ts";
import { SKILL_FOLDERS } from "../../registry/roots/layouts.ts";
import { traverseRoot } from "../../registry/scan/traverse.ts";
import type { Diagnostic } from "../../skill/diagnostic.ts";
import { checkRules } from "../../skill/rules.ts";
import { describeError, errorCode } from "../../system/files/file-system.ts";
import { validateLibrary, validateLibraryFile } from "./validate-library.ts";

/** An error or advice about one place in one file. */
export interface ValidationFinding {
  readonly severity: "error" | "advice";
  readonly rule: string;
  readonly line?: number;
  readonly message: string;
}

export interface ValidatedFile {
  readonly file: string;
  readonly name?: string;
  readonly findings: readonly ValidationFinding[];
}

/** Checks skill files, skill folders, and folders of skills. Every given path has at least one result. */
export async function validatePaths(
  paths: readonly string[],
  cwd: string,
): Promise<readonly ValidatedFile[]> {
  const checked: ValidatedFile[] = [];
  const seen = new Set<string>();
  for (const given of paths) {
    for (const result of await validatePath(path.resolve(cwd, given))) {
      if (seen.has(result.file)) continue;
      seen.add(result.file);
      checked.push(result);
    }
  }
  return checked;
}

async function validatePath(target: string): Promise<readonly ValidatedFile[]> {
  try {
    const stats = await stat(target);
    if (!stats.isDirectory()) return [(await validateMarkdown(target)) ?? (await validateFile(target))];
    if (await isLibrary(target)) return await validateLibrary(target);
    const found = await traverseRoot(target, SKILL_FOLDERS);
    const broken = found.diagnostics.map(fromDiagnostic);
    const files = await Promise.all(
      found.files.map(({ dir, fileName }) => validateFile(path.join(dir, fileName))),
    );
    if (files.length + broken.length > 0) return [...broken, ...files];
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
async function validateMarkdown(file: string): Promise<ValidatedFile | undefined> {
  const name = path.basename(file).toLowerCase();
  return name.endsWith("skill.md") || !name.endsWith(".md") ? undefined : validateLibraryFile(file);
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

async function validateFile(file: string): Promise<ValidatedFile> {
  const spelling = spellingOf(path.basename(file));
  const loaded = await readWhole(await realpath(file));
  if (!loaded.ok) {
    const { code: rule, message, line } = loaded.failure;
    return {
      file,
      findings: [...spelling, { severity: "error", rule, message, ...(line === undefined ? {} : { line }) }],
    };
  }
  const { skill, text } = loaded;
  // We serve a recovered skill, but other agents do not: for its author that is an error.
  const recovered = skill.warnings.map(({ code: rule, message, line }): ValidationFinding => {
    return { severity: "error", rule, message, ...(line === undefined ? {} : { line }) };
  });
  const rules = checkRules(skill, path.basename(path.dirname(file)), text.slice(skill.bodyStart));
  const found = rules.map(({ severity, rule, message, field }): ValidationFinding => {
    const line = field === undefined ? undefined : lineOfField(text.slice(0, skill.bodyStart), field);
    return { severity, rule, message, ...(line === undefined ? {} : { line }) };
  });
  return { file, name: skill.name, findings: [...spelling, ...recovered, ...found] };
}

function spellingOf(fileName: string): readonly ValidationFinding[] {
  if (fileName === "SKILL.md") return [];
  if (fileName === ".SKILL.md") {
    return [
      {
        severity: "advice",
        rule: "disabled",
        message: "The skill is disabled; `skills-mcp enable` enables it.",
      },
    ];
  }
  const message = `The file is called '${fileName}'; the specification and most agents require 'SKILL.md'.`;
  return [{ severity: "error", rule: "file-name", message }];
}

function lineOfField(frontMatter: string, field: string): number | undefined {
  const index = frontMatter.split(/\r\n|\r|\n/).findIndex((line) => line.startsWith(`${field}:`));
  return index < 0 ? undefined : index + 1;
}

function fromDiagnostic({ file, code: rule, message, severity }: Diagnostic): ValidatedFile {
  return { file, findings: [{ severity: severity === "error" ? "error" : "advice", rule, message }] };
}
