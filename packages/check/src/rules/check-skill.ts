import {
  checkInvisible,
  type Finding,
  findFrontMatter,
  hostFieldsIn,
  type ParsedSkill,
  parseSkill,
  splitLines,
} from "#skills";
import { defined } from "#util/pure";
import { hostFields, NOT_FIXED } from "./known-fields.ts";
import { findFileLinks } from "./links.ts";
import { checkRules } from "./rules.ts";
import { findSecrets } from "./secrets.ts";
import { checkTemplate } from "./template.ts";

/** One skill as it is on the disk. */
export interface SkillText {
  readonly text: string;
  readonly fileName: string;
  /** The name of its folder. */
  readonly folder: string;
  /** The paths of all of its files below the folder, with `/`; undefined when there are too many to know. */
  readonly files: ReadonlySet<string> | undefined;
}

export interface CheckedSkill {
  /** Undefined when it is no skill. */
  readonly name?: string;
  readonly findings: readonly Finding[];
  /** Its fields that the specification does not have, and some hosts act on. */
  readonly hostFields: readonly string[];
}

/** Checks one skill against every rule: what `validate`, `doctor` and the dashboard say about it. */
export function checkSkill({ text, fileName, folder, files }: SkillText): CheckedSkill {
  const ofFile = [...checkFileName(fileName), ...checkEncoding(text)];
  const parsed = parseSkill(text);
  if (!parsed.ok)
    return { findings: [...ofFile, fromProblem(parsed.problem), ...checkText(text)], hostFields: [] };
  const { skill } = parsed;
  const head = text.slice(0, skill.bodyStart);
  const body = text.slice(skill.bodyStart);
  const rules = checkRules(skill, folder, body).map(({ field, ...finding }): Finding => {
    const line = field === undefined ? undefined : lineOfField(head, field);
    return { ...finding, ...defined({ line }) };
  });
  const bodyLine = splitLines(head).length;
  return {
    name: skill.name,
    findings: [
      ...ofFile,
      // We serve a recovered skill, but other agents do not: for its author that is an error.
      ...skill.warnings.map((warning) => leftToPeople(fromProblem(warning), skill.fields)),
      ...rules,
      ...(files === undefined ? [] : checkLinks(body, bodyLine, files)),
      ...checkSecrets(text),
      ...checkTemplate(text),
      // Those of the front matter are among the warnings.
      ...checkInvisible(body, bodyLine),
    ],
    hostFields: hostFields(skill.fields),
  };
}

function fromProblem({ code: rule, message, line }: ParsedSkill["warnings"][number]): Finding {
  return { severity: "error", rule, message, ...defined({ line }) };
}

/** Once the front matter is readable, agents act on everything in it. */
function leftToPeople(finding: Finding, fields: Readonly<Record<string, unknown>>): Finding {
  const isLeft = finding.rule === "front-matter-recovered" && Object.keys(hostFieldsIn(fields)).length > 0;
  return isLeft ? { ...finding, message: `${finding.message} ${NOT_FIXED}` } : finding;
}

function checkFileName(fileName: string): readonly Finding[] {
  if (fileName === "SKILL.md") return [];
  if (fileName === ".SKILL.md") {
    const message = "The skill is disabled; `skills-mcp enable` enables it.";
    return [{ severity: "advice", rule: "disabled", message }];
  }
  const message = `The file is called '${fileName}'; the specification and most agents require 'SKILL.md'.`;
  return [{ severity: "error", rule: "file-name", message }];
}

/** What skills-mcp reads without trouble and some agents do not. */
function checkEncoding(text: string): readonly Finding[] {
  const findings: Finding[] = [];
  const add = (rule: string, line: number, message: string): void => {
    findings.push({ severity: "advice", rule, line, message });
  };
  if (text.startsWith("\ufeff"))
    add("bom", 1, "The file starts with a byte order mark, so some agents see no front matter. Remove it.");
  const { split } = findFrontMatter(text);
  if ("problem" in split) return findings;
  const head = text.slice(0, split.block.bodyStart);
  if (head.includes("\r")) {
    add("crlf", 1, "The front matter has Windows line ends (CRLF), which some agents misread. Use LF.");
  }
  const blank = splitLines(head).findIndex((line) => /[ \t]$/.test(line));
  if (blank !== -1)
    add("trailing-blanks", blank + 1, "A line of the front matter ends in blanks. Remove them.");
  return findings;
}

const BUNDLED = /^(?:scripts|references|assets)\//;

function checkLinks(body: string, firstLine: number, files: ReadonlySet<string>): readonly Finding[] {
  return findFileLinks(body).flatMap(({ target, path, line: at }): readonly Finding[] => {
    const line = firstLine + at - 1;
    if (path === undefined) {
      const message = `The link '${target}' leads out of the skill's folder, so it breaks where the skill is installed. Move the file into the folder.`;
      return [{ severity: "advice", rule: "link-outside", line, message }];
    }
    if (files.has(path) || isFolder(path, files)) return [];
    const severity = BUNDLED.test(path) ? "error" : "advice";
    const message = `The link '${target}' leads to a file that the skill does not have. Add the file, or correct the link.`;
    return [{ severity, rule: "dead-link", line, message }];
  });
}

function isFolder(path: string, files: ReadonlySet<string>): boolean {
  if (path === ".") return true;
  for (const file of files) if (file.startsWith(`${path}/`)) return true;
  return false;
}

/** What every text of a skill is checked for. */
export function checkText(text: string): readonly Finding[] {
  return [...checkSecrets(text), ...checkTemplate(text), ...checkInvisible(text)];
}

function checkSecrets(text: string): readonly Finding[] {
  return findSecrets(text).map(({ kind, line }) => {
    const message = `This looks like ${kind}. Remove it, revoke it, and let the user's environment provide it.`;
    return { severity: "error", rule: "secret", line, message };
  });
}

function lineOfField(frontMatter: string, field: string): number | undefined {
  const index = splitLines(frontMatter).findIndex((line) =>
    line.replace(/^\ufeff/, "").startsWith(`${field}:`),
  );
  return index < 0 ? undefined : index + 1;
}
