import { array, boolean, enum as oneOf, optional, strictObject, string } from "zod";
import { agentName } from "#agents";
import type { DisabledFor, SnapshotSource, Toggles } from "#skills";
import { commandText, defined } from "#util/pure";
import type { SkillFix } from "../../../dashboard/changes/fix-skill.ts";
import type { PageTools } from "../../../dashboard/page-tools.ts";
import { skillFile } from "../../../mcp/client-view/found-skills.ts";
import type { VisibilityAnswer } from "../../../wire/seen.ts";
import type {
  EvalPromptAnswer,
  NewSkillAnswer,
  SkillFixAnswer,
  SkillTextAnswer,
  ToggledAnswer,
} from "../../../wire/skill-facts.ts";
import { badBody } from "../api-request.ts";
import type { Handlers } from "../create-api.ts";
import { json } from "../json-answer.ts";

const MOST_AT_ONCE = 10_000;
const LONGEST_TEXT = 4_000;

const TOGGLE = strictObject({
  /** Of rows, because several rows may have one name. */
  files: array(string().min(1)).min(1).max(MOST_AT_ONCE),
  to: oneOf(["enabled", "disabled"]),
  agent: optional(string().min(1).max(100)),
  profile: optional(string().regex(/^[\w.-]{1,64}$/)),
});

const VISIBILITY = strictObject({
  files: array(string().min(1)).min(1).max(MOST_AT_ONCE),
  /** Absent: what was written is removed. */
  rule: optional(oneOf(["always", "name-only", "manual", "usual"])),
  /** Absent: every agent. */
  agent: optional(string().min(1).max(100)),
});

const NEW = strictObject({
  name: string().min(1).max(200),
  scope: oneOf(["project", "user"]),
  description: optional(string().max(LONGEST_TEXT)),
  prompts: optional(array(string().min(1).max(LONGEST_TEXT)).max(20)),
});

const FIX = strictObject({ files: array(string().min(1)).min(1).max(500) });

/** A larger file is no text that somebody writes in a page. */
const LONGEST_FILE = 256 * 1024;
const CHECK = strictObject({ file: string().min(1), text: string().max(LONGEST_FILE) });
const EDIT = strictObject({
  file: string().min(1),
  before: string().max(LONGEST_FILE),
  after: string().max(LONGEST_FILE),
});

const PROMPT = strictObject({
  skill: string().min(1),
  prompt: string().trim().min(1).max(LONGEST_TEXT),
  shouldTrigger: boolean(),
});

/** Every one of these can be undone by another one of them. */
export function skillWrites(
  skills: Pick<SnapshotSource, "snapshot">,
  toggles: Toggles,
  page: PageTools,
): Handlers {
  return {
    "skills/toggle": async (_, body) => {
      const read = TOGGLE.safeParse(body);
      if (!read.success || (read.data.agent !== undefined && read.data.profile !== undefined))
        throw badBody('{"files": ["/path/SKILL.md"], "to": "disabled", "agent": "codex"}');
      return json(await toggle(skills, toggles, read.data));
    },
    "skills/visibility": async (_, body) => {
      const read = VISIBILITY.safeParse(body);
      if (!read.success) throw badBody('{"files": ["/path/SKILL.md"], "rule": "always", "agent": "codex"}');
      const { files, rule, agent } = read.data;
      const byFile = await namesByFile(skills, files);
      const named = agent === undefined ? undefined : agentName(agent);
      const written = await toggles.setListed([...byFile.values()], named, rule);
      const placed = [...byFile.keys()];
      return json({
        skills: written.map(({ name, before }, at) => ({
          name,
          file: placed[at] ?? "",
          ...defined({ before }),
        })),
      } satisfies VisibilityAnswer);
    },
    "skills/new": async (_, body) => json((await page.writeSkill(readNew(body))) satisfies NewSkillAnswer),
    "skills/new/undo": async (_, body) =>
      json((await page.removeSkill(readNew(body))) satisfies NewSkillAnswer),
    "skills/fix": async (_, body) => json(fixesAnswer(await page.fixSkills(readFix(body)))),
    "skills/fix/undo": async (_, body) => json(fixesAnswer(await page.undoFixes(readFix(body)))),
    "skills/check": async (_, body) => {
      const { file, text } = readBody(CHECK, body, '{"file": "/path/SKILL.md", "text": "…"}');
      return json((await textAnswer(page, file, text)) satisfies SkillTextAnswer);
    },
    "skills/edit": async (_, body) => {
      const example = '{"file": "/path/SKILL.md", "before": "…", "after": "…"}';
      const { file, before, after } = readBody(EDIT, body, example);
      return json(fixAnswer(await page.editText(file, before, after)));
    },
    "evals/add": async (_, body) => {
      const { skill, prompt, shouldTrigger } = readPrompt(body);
      const query = { query: prompt, should_trigger: shouldTrigger };
      return json((await page.addPrompt(skill, query)) satisfies EvalPromptAnswer);
    },
    "evals/remove": async (_, body) => {
      const { skill, prompt, shouldTrigger } = readPrompt(body);
      const query = { query: prompt, should_trigger: shouldTrigger };
      return json((await page.removePrompt(skill, query)) satisfies EvalPromptAnswer);
    },
  };
}

interface WantedToggle {
  readonly files: readonly string[];
  readonly to: "enabled" | "disabled";
  readonly agent?: string | undefined;
  readonly profile?: string | undefined;
}

async function toggle(
  skills: Pick<SnapshotSource, "snapshot">,
  toggles: Toggles,
  { files, to, agent, profile }: WantedToggle,
): Promise<ToggledAnswer> {
  const verb = to === "enabled" ? "enable" : "disable";
  if (agent === undefined && profile === undefined) {
    const toggled = await toggles.toggleAll(files, to, "file");
    const names = toggled.map(({ name }) => name);
    return {
      skills: toggled.map(({ name, changed, file }) => ({ name, changed, file })),
      command: commandText([verb, ...names]),
    };
  }
  const whom: DisabledFor =
    profile === undefined
      ? { kind: "agent", name: agentName(agent ?? "") }
      : { kind: "profile", name: profile };
  const byFile = await namesByFile(skills, files);
  const results = await toggles.toggleFor([...byFile.values()], whom, to);
  const placed = [...byFile.keys()];
  return {
    skills: results.map(({ name, changed }, index) => ({ name, changed, file: placed[index] ?? "" })),
    command: commandText([verb, ...byFile.values(), `--${whom.kind}`, whom.name]),
  };
}

/** The names of served skills, by their files. */
async function namesByFile(
  skills: Pick<SnapshotSource, "snapshot">,
  files: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = new Set(files);
  const { catalog } = await skills.snapshot();
  const found = catalog.entries.flatMap(({ skill, listedAs }) => {
    const file = skillFile(skill);
    return wanted.has(file) ? [[file, listedAs] as const] : [];
  });
  return new Map(found);
}

function readNew(body: unknown) {
  const read = NEW.safeParse(body);
  if (!read.success)
    throw badBody('{"name": "pdf", "scope": "project", "description": "…", "prompts": ["…"]}');
  const { name, scope, description, prompts } = read.data;
  return {
    name,
    scope,
    ...(description === undefined || description.trim() === "" ? {} : { description: description.trim() }),
    ...(prompts === undefined ? {} : { prompts }),
  };
}

function readFix(body: unknown): readonly string[] {
  const read = FIX.safeParse(body);
  if (read.success) return read.data.files;
  throw badBody('{"files": ["/path/SKILL.md"]}');
}

function fixesAnswer(fixes: readonly SkillFix[]): { readonly fixed: readonly SkillFixAnswer[] } {
  return { fixed: fixes.map(fixAnswer) };
}

/** A correction, with the command that makes the same one in a terminal. */
export function fixAnswer({ file, rules, diff }: SkillFix): SkillFixAnswer {
  return { file, rules, diff, command: commandText(["validate", "--fix", file]) };
}

/** A text with what is wrong in it. */
export async function textAnswer(page: PageTools, file: string, text: string): Promise<SkillTextAnswer> {
  const findings = await page.checkText(file, text);
  return {
    text,
    findings: findings.map(({ severity, rule: code, line, message }) => ({
      ...{ severity, code, message },
      ...defined({ line }),
    })),
  };
}

function readBody<T>(
  schema: { safeParse(body: unknown): { success: true; data: T } | { success: false } },
  body: unknown,
  example: string,
): T {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  throw badBody(example);
}

function readPrompt(body: unknown) {
  const read = PROMPT.safeParse(body);
  if (read.success) return read.data;
  throw badBody('{"skill": "pdf", "prompt": "merge two files", "shouldTrigger": true}');
}
