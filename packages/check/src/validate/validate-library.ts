import path from "node:path";
import type { ConfigProblem } from "#config";
import { configProblems } from "#config";
import { adviceOn, inspectFiles } from "#library";
import type { Diagnostic, Finding, LibrarySkill } from "#skills";
import { buildLibrary, createLibraryScanner, type ScannedLibrary } from "#skills";
import { defined } from "#util/pure";
import type { ValidatedFile } from "./check-folder.ts";
import { checkLibrarySkill } from "./check-library-skill.ts";

/** Checks every file of a library, what its skills declare, and its settings. Empty when there is no Markdown. */
export async function validateLibrary(dir: string): Promise<readonly ValidatedFile[]> {
  const scanned = await scanFolder(dir);
  if (scanned === undefined || scanned.files.length + scanned.diagnostics.length === 0) return [];
  const findings = new Map<string, Finding[]>();
  const add = (file: string, more: readonly Finding[]): void => {
    findings.set(file, [...(findings.get(file) ?? []), ...more]);
  };
  const library = buildLibrary([scanned]);
  for (const skill of library.skills.values()) {
    add(skill.file, await findingsIn(skill));
    for (const { file, findings: hidden } of await checkLibrarySkill(skill)) add(file, hidden);
  }
  for (const diagnostic of scanned.diagnostics) add(diagnostic.file, [fromDiagnostic(diagnostic)]);
  const config = path.join(dir, "config.yaml");
  const { problems, warnings } = await configProblems(config);
  const wrong = [
    ...problems.map((one) => configFinding(config, one, "error")),
    ...warnings.map((one) => configFinding(config, one, "advice")),
  ];
  if (wrong.length > 0) add(config, wrong);
  const names = new Map([...library.skills.values()].map((skill) => [skill.file, skill.path]));
  return [...findings]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, found]) => {
      const name = names.get(file);
      return { file, ...defined({ name }), findings: found };
    });
}

/** Checks one file of a library; undefined when it is not part of one. */
export async function validateLibraryFile(file: string): Promise<ValidatedFile | undefined> {
  const all = await validateLibrary(path.dirname(file));
  return all.find((checked) => checked.file === file && checked.name !== undefined);
}

async function scanFolder(dir: string): Promise<ScannedLibrary | undefined> {
  const root = { dir, location: "project", prefix: "", named: true } as const;
  const [scanned] = await createLibraryScanner({ libraries: [root], now: Date.now })();
  return scanned;
}

async function findingsIn(skill: LibrarySkill): Promise<readonly Finding[]> {
  const files = await inspectFiles({ skills: new Map([[skill.path, skill]]) }, skill);
  const missing = files.flatMap(({ problem }): readonly Finding[] =>
    problem === undefined ? [] : [{ severity: "error", rule: "file", message: problem }],
  );
  return [...missing, ...adviceOn(skill).map((one) => ({ severity: "advice" as const, ...one }))];
}

function fromDiagnostic({ code: rule, message, line, severity }: Diagnostic): Finding {
  // A README is not a mistake; a field that is ignored is one to its author.
  const wrong = rule !== "no-front-matter" && (severity === "error" || rule === "library-field");
  return { severity: wrong ? "error" : "advice", rule, message, ...defined({ line }) };
}

function configFinding(
  file: string,
  { place, message }: ConfigProblem,
  severity: Finding["severity"],
): Finding {
  const line = Number(place.slice(file.length + 1));
  return { severity, rule: "config", message, ...(line > 0 ? { line } : {}) };
}
