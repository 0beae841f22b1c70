import path from "node:path";
import { buildLibrary } from "../../catalog/library/build-library.ts";
import type { LibrarySkill } from "../../catalog/library/library.ts";
import { adviceOn } from "../../catalog/library/library-rules.ts";
import { createLibraryScanner } from "../../registry/scan-library.ts";
import { Refusal } from "../../skill/refusal.ts";
import { loadConfig } from "../config/load-config.ts";
import type { ValidatedFile, ValidationFinding } from "../validation.ts";
import { inspectFiles } from "./library-info.ts";

/** Checks every file of a library, what its skills declare, and its settings. Empty when there is no Markdown. */
export async function validateLibrary(dir: string): Promise<readonly ValidatedFile[]> {
  const root = { dir, location: "project", prefix: "", named: true } as const;
  const [scanned] = await createLibraryScanner({ libraries: [root], strict: false, now: Date.now })();
  if (scanned === undefined || scanned.files.length + scanned.diagnostics.length === 0) return [];
  const findings = new Map<string, ValidationFinding[]>();
  const add = (file: string, ...more: readonly ValidationFinding[]): void => {
    findings.set(file, [...(findings.get(file) ?? []), ...more]);
  };
  const library = buildLibrary([scanned]);
  for (const skill of library.skills.values()) add(skill.file, ...(await findingsIn(skill)));
  for (const { file, code: rule, message, line, severity } of scanned.diagnostics) {
    // What is only left out here is still a mistake to its author.
    const weight = severity === "error" || rule === "library-field" ? "error" : "advice";
    add(file, { severity: weight, rule, message, ...(line === undefined ? {} : { line }) });
  }
  const config = path.join(dir, "config.yaml");
  const problem = await configProblem(config);
  if (problem !== undefined) add(config, { severity: "error", rule: "config", message: problem });
  const names = new Map([...library.skills.values()].map((skill) => [skill.file, skill.path]));
  return [...findings]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, found]) => {
      const name = names.get(file);
      return { file, ...(name === undefined ? {} : { name }), findings: found };
    });
}

async function findingsIn(skill: LibrarySkill): Promise<readonly ValidationFinding[]> {
  const files = await inspectFiles({ skills: new Map([[skill.path, skill]]) }, skill);
  const missing = files.flatMap(({ problem }): readonly ValidationFinding[] =>
    problem === undefined ? [] : [{ severity: "error", rule: "file", message: problem }],
  );
  return [...missing, ...adviceOn(skill).map((advice) => ({ severity: "advice" as const, ...advice }))];
}

async function configProblem(file: string): Promise<string | undefined> {
  try {
    await loadConfig({ libraryFiles: [{ file, fromGit: false }], ownFile: "", environment: {}, log() {} });
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}
