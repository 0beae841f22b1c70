import { SKILL_TEMPLATE } from "#check";
import { oneLine } from "#util/pure";

/** The folders that a new skill may start with. */
export const PARTS = ["scripts", "references", "evals"] as const;
export type SkillPart = (typeof PARTS)[number];

export interface NewFile {
  /** Below the skill's folder, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly executable?: true;
}

/** What is known of a skill before it is written. */
export interface KnownBefore {
  /** One line; instead of the text that says what to write there. */
  readonly description?: string;
  /** What people asked for: prompts that should find the skill. */
  readonly prompts?: readonly string[];
}

/** The files of a new skill, which break no rule and say what to write where; until that is written, `validate` advises to. */
export function newSkill(
  name: string,
  parts: ReadonlySet<SkillPart>,
  { description, prompts = [] }: KnownBefore = {},
): readonly NewFile[] {
  const title = name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " ");
  return [
    { path: "SKILL.md", text: skillText(name, title, parts, description) },
    ...(parts.has("scripts") ? [{ path: "scripts/run.mjs", text: SCRIPT, executable: true } as const] : []),
    ...(parts.has("references") ? [{ path: "references/details.md", text: reference(title) }] : []),
    ...(parts.has("evals") ? [{ path: "evals/evals.json", text: evals(name) }] : []),
    ...(prompts.length === 0 ? [] : [{ path: "evals/prompts.json", text: promptsText(prompts) }]),
  ];
}

function skillText(
  name: string,
  title: string,
  parts: ReadonlySet<SkillPart>,
  description: string | undefined,
): string {
  const more = [
    ...(parts.has("scripts")
      ? ["- Run [scripts/run.mjs](scripts/run.mjs) for the steps that must be exact; it needs Node only."]
      : []),
    ...(parts.has("references")
      ? ["- Read [references/details.md](references/details.md) when a case is not covered here."]
      : []),
  ];
  return `---
name: ${name}
description: >-
  ${description === undefined ? placeholder(name) : oneLine(description)}
---

# ${title}

${SKILL_TEMPLATE.result}

## Steps

1. ${SKILL_TEMPLATE.look}
2. ${SKILL_TEMPLATE.work}
3. ${SKILL_TEMPLATE.check}

## Example

${SKILL_TEMPLATE.example}
${more.length === 0 ? "" : `\n## More\n\n${more.join("\n")}\n`}`;
}

function placeholder(name: string): string {
  return `Says in one sentence what ${name} does. ${SKILL_TEMPLATE.description}`;
}

/** As `eval` reads them. */
function promptsText(prompts: readonly string[]): string {
  const list = prompts.map((query) => ({ query, should_trigger: true }));
  return `${JSON.stringify(list, null, 2)}\n`;
}

const SCRIPT = `#!/usr/bin/env node
// ${SKILL_TEMPLATE.script}
const args = process.argv.slice(2);
if (args.length === 0) {
  console.error("Usage: run.mjs <argument>…");
  process.exitCode = 2;
} else {
  console.log(JSON.stringify({ args }));
}
`;

function reference(title: string): string {
  return `# ${title}: details

${SKILL_TEMPLATE.reference} each of them short.
`;
}

/** One prompt that should use the skill, with what its answer must show. */
function evals(name: string): string {
  const prompt = `${SKILL_TEMPLATE.prompt} ${name}, in the words of a user.`;
  const value = {
    skill_name: name,
    evals: [{ id: 1, prompt, expected_output: "What a good answer shows.", files: [], expectations: [] }],
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}
