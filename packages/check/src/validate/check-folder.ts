import path from "node:path";
import type { Finding, Skill } from "#skills";
import {
  listSkillFiles,
  POLICY_FILE,
  POLICY_FOLDER,
  readSkillFile,
  readWholeAs,
  type SkillFile,
} from "#skills";
import { isInside, realpath } from "#util";
import { defined } from "#util/pure";
import { asFindings } from "../audit-skills/as-findings.ts";
import { type AuditOptions, auditSkill } from "../audit-skills/audit-skill.ts";
import { checkSkill, checkText } from "../rules/check-skill.ts";
import { checkCodexSettings } from "../rules/codex-settings.ts";
import { checkWriters } from "./check-writers.ts";
import { joinAudit } from "./join-findings.ts";

/** A file that was checked. */
export interface ValidatedFile {
  readonly file: string;
  /** Of the skill that it is. */
  readonly name?: string;
  /** Its fields that the specification does not have, and some hosts act on; absent when there are none. */
  readonly hostFields?: readonly string[];
  readonly findings: readonly Finding[];
}

/** A larger file is data; what a person wrote is smaller. */
export const LARGEST_TEXT = 256 * 1024;
const MOST_TEXT = 4 * 1024 * 1024;

/** Checks one skill by the path of its SKILL.md, and the files beside it. The first result is the skill's own. */
export async function checkFolder(
  file: string,
  { ignore = [] }: AuditOptions = {},
): Promise<readonly ValidatedFile[]> {
  const realFile = await realpath(file);
  const loaded = await readWholeAs(realFile, (text) => ({ ok: true, skill: text }));
  if (!loaded.ok) {
    const { code: rule, message, line } = loaded.failure;
    return [{ file, findings: [{ severity: "error", rule, message, ...defined({ line }) }] }];
  }
  const skill = await folderAsSkill(file, realFile);
  const { files, complete } = await listSkillFiles(skill);
  const paths = new Set(files.map(({ names }) => names.join("/")));
  const checked = checkSkill({
    text: loaded.text,
    fileName: skill.fileName,
    folder: path.basename(skill.dir),
    files: complete ? paths : undefined,
  });
  const { name, hostFields, findings } = checked;
  const own: ValidatedFile = {
    file,
    ...defined({ name }),
    ...(hostFields.length === 0 ? {} : { hostFields }),
    findings: [...findings, ...(await checkWriters(realFile))],
  };
  const bundled = await checkBundled(skill, files);
  const found = await auditSkill({ ...skill, name: name ?? skill.name }, { ignore });
  return withAudit([own, ...bundled], asFindings(found), skill.dir);
}

/** The results with what the audit found, which may be in files that have no other findings. */
export function withAudit(
  checked: readonly ValidatedFile[],
  audited: ReadonlyMap<string, readonly Finding[]>,
  dir: string,
): readonly ValidatedFile[] {
  const left = new Map(
    Array.from(audited, ([name, findings]) => [path.join(dir, ...name.split("/")), findings]),
  );
  const merged = checked.map((result) => {
    const more = left.get(result.file) ?? [];
    left.delete(result.file);
    return more.length === 0 ? result : { ...result, findings: joinAudit(result.findings, more) };
  });
  return [...merged, ...Array.from(left, ([file, findings]) => ({ file, findings }))];
}

/** Only what is needed to list and open its files. */
async function folderAsSkill(file: string, realFile: string): Promise<Skill> {
  const dir = path.dirname(file);
  const realDir = await realpath(dir);
  return {
    name: path.basename(dir),
    description: "",
    provider: "file",
    location: "project",
    dir,
    fileName: path.basename(file),
    realDir,
    ...(isInside(realDir, realFile) ? {} : { linkedFile: realFile }),
  };
}

async function checkBundled(skill: Skill, files: readonly SkillFile[]): Promise<readonly ValidatedFile[]> {
  const checked: ValidatedFile[] = [];
  let room = MOST_TEXT;
  for (const file of files) {
    const name = file.names.join("/");
    if (name === skill.fileName || file.size > Math.min(LARGEST_TEXT, room)) continue;
    room -= file.size;
    const text = await readText(skill, file);
    if (text === undefined) continue;
    const isSettings = name === `${POLICY_FOLDER}/${POLICY_FILE}`;
    const findings = [...(isSettings ? checkCodexSettings(text) : []), ...checkText(text)];
    if (isSettings || findings.length > 0)
      checked.push({ file: path.join(skill.dir, ...file.names), findings });
  }
  return checked;
}

/** Undefined for a binary file, and for one that cannot be read: it is not part of what is served either. */
async function readText(skill: Skill, file: SkillFile): Promise<string | undefined> {
  const bytes = await readSkillFile(skill, file).catch(() => undefined);
  return bytes === undefined || bytes.includes(0) ? undefined : bytes.toString("utf8");
}
