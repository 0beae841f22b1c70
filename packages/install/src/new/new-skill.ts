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

/** The files of a new skill, which keep every rule and say what to write where. */
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

State the result that counts, and how to tell that it is right.

## Steps

1. Look at what is there: name the files or commands to start with.
2. Do the work: write the steps that are easy to get wrong, and leave out what every agent knows.
3. Check the result: give the command or the fact that shows it.

## Example

Show one request and the answer that you expect.
${more.length === 0 ? "" : `\n## More\n\n${more.join("\n")}\n`}`;
}

function placeholder(name: string): string {
  return `Says in one sentence what ${name} does. Use when someone asks for it, with the words and file types that they would use.`;
}

/** As `eval` reads them. */
function promptsText(prompts: readonly string[]): string {
  const list = prompts.map((query) => ({ query, should_trigger: true }));
  return `${JSON.stringify(list, null, 2)}\n`;
}

const SCRIPT = `#!/usr/bin/env node
// Prints what it was asked to do. Replace it with the steps that must be exact.
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

What an agent needs only in some cases: tables, formats, rare errors. One topic per file keeps each of them short.
`;
}

/** One prompt that should use the skill, with what its answer must show. */
function evals(name: string): string {
  const prompt = `Write a request here that should use ${name}, in the words of a user.`;
  const value = {
    skill_name: name,
    evals: [{ id: 1, prompt, expected_output: "What a good answer shows.", files: [], expectations: [] }],
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}
