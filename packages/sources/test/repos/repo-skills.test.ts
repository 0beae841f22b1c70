import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox, skillText } from "../../../../test/support/sandbox.ts";
import { findSourceSkills } from "../../src/repos/source-skills.ts";

type Files = Readonly<Record<string, string | { readonly link: string }>>;

/** What a folder with these files contains: `plugin:name path` of each skill, and the paths of those that are left out. */
async function found(files: Files, base?: string) {
  const sandbox = createSandbox();
  for (const [file, content] of Object.entries(files)) {
    if (typeof content === "string") sandbox.write(`source/${file}`, content);
    else {
      mkdirSync(path.dirname(sandbox.path("source", file)), { recursive: true });
      symlinkSync(content.link, sandbox.path("source", file));
    }
  }
  const { skills, leftOut, problems } = await findSourceSkills({ folder: sandbox.path("source") }, base);
  return {
    skills: skills.map(
      ({ plugin, name, path: at }) => `${plugin === undefined ? "" : `${plugin}:`}${name} ${at}`,
    ),
    leftOut: leftOut.map(({ skill, instead }) => `${skill.path} (${instead})`),
    problems,
  };
}

const skill = (name: string): string => skillText(name, `Does ${name} things.`);
const manifest = (name: string): string => JSON.stringify({ name });

describe.runIf(process.platform !== "win32")("a source contains", () => {
  test.each<[string, Files, { skills: string[]; leftOut?: string[] }]>([
    [
      "of two plain skills with one name the one in skills/",
      { "a/SKILL.md": skill("twice"), "skills/twice/SKILL.md": skill("twice") },
      { skills: ["twice skills/twice"], leftOut: ["a (skills/twice)"] },
    ],
    [
      "each of two plugins' skills with one name",
      {
        "a/.claude-plugin/plugin.json": manifest("a"),
        "a/skills/x/SKILL.md": skill("x"),
        "b/.claude-plugin/plugin.json": manifest("b"),
        "b/skills/x/SKILL.md": skill("x"),
      },
      { skills: ["a:x a/skills/x", "b:x b/skills/x"] },
    ],
    [
      "a skill of an agent's folder, unless another one has its name",
      {
        ".claude/skills/x/SKILL.md": skill("x"),
        ".claude/skills/only/SKILL.md": skill("only"),
        "deep/down/x/SKILL.md": skill("x"),
      },
      { skills: ["x deep/down/x", "only .claude/skills/only"], leftOut: [".claude/skills/x (deep/down/x)"] },
    ],
    [
      "once what a link in an agent's folder leads to",
      {
        "pro/x/SKILL.md": skill("x"),
        "pro/x/more.md": "more",
        ".gemini/skills/x/SKILL.md": { link: "../../../pro/x/SKILL.md" },
        ".codex/skills/x": { link: "../../pro/x" },
      },
      { skills: ["x pro/x"] },
    ],
    [
      "no link with files of its own beside the skill that it leads to",
      {
        "pro/x/SKILL.md": skill("x"),
        "y/x/SKILL.md": { link: "../../pro/x/SKILL.md" },
        "y/x/own.md": "own",
      },
      { skills: ["x pro/x"], leftOut: ["y/x (pro/x)"] },
    ],
    [
      "a slash command that a link makes a skill, unless a skill has its name",
      {
        "commands/x.md": skill("x"),
        "commands/y.md": skill("y"),
        "a/SKILL.md": { link: "../commands/x.md" },
        "b/SKILL.md": { link: "../commands/y.md" },
        ".claude/skills/x/SKILL.md": skill("x"),
      },
      { skills: ["y b", "x .claude/skills/x"], leftOut: ["a (.claude/skills/x)"] },
    ],
    [
      "the skills below a SKILL.md at the top that is a link to one of them",
      {
        "SKILL.md": { link: "skills/x/SKILL.md" },
        "README.md": "text",
        "skills/x/SKILL.md": skill("x"),
        "other/y/SKILL.md": skill("y"),
      },
      { skills: ["x skills/x", "y other/y"], leftOut: [" (skills/x)"] },
    ],
    [
      "a skill inside an agent's copy that is left out",
      {
        "skills/x/SKILL.md": skill("x"),
        ".claude/skills/x/SKILL.md": skill("x"),
        ".claude/skills/x/inner/SKILL.md": skill("inner"),
      },
      {
        skills: ["x skills/x", "inner .claude/skills/x/inner"],
        leftOut: [".claude/skills/x (skills/x)"],
      },
    ],
  ])("%s", async (_what, files, { skills, leftOut = [] }) => {
    const result = await found(files);
    expect([...result.skills].sort()).toEqual([...skills].sort());
    expect(result.leftOut).toEqual(leftOut);
    expect(result.problems).toEqual([]);
  });

  test("what is named is meant, also in an agent's folder", async () => {
    const files = { ".claude/skills/x/SKILL.md": skill("x"), "skills/x/SKILL.md": skill("x") };
    expect((await found(files, ".claude/skills")).skills).toEqual(["x .claude/skills/x"]);
  });

  test("no broken link, which is a problem", async () => {
    const { skills, problems } = await found({ "x/SKILL.md": { link: "../nowhere.md" } });
    expect([skills, problems]).toEqual([
      [],
      ["x/SKILL.md: This symbolic link is broken: it does not exist."],
    ]);
  });
});
