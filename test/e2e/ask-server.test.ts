import { describe, expect, test } from "vitest";
import { askServer } from "#server";
import { BIN, environmentOf, NODE } from "../support/bin.ts";
import { createSandbox } from "../support/sandbox.ts";

describe("a server that is started", () => {
  test("answers with its skills, and has ended afterwards", async () => {
    const sandbox = createSandbox();
    sandbox.skill("home/.claude/skills/pdf");
    sandbox.write("home/.claude/skills/pdf/references/SKILL.txt", "x");
    const program = [NODE, BIN, "mcp"];
    expect(await askServer({ kind: "local", program, env: environmentOf(sandbox) })).toMatchObject({
      ok: true,
      server: expect.stringMatching(/^skills-mcp \d/) as string,
      skills: 1,
    });
  });

  test.each([
    [["/nowhere/skills-mcp"], "it cannot be started: it does not exist"],
    [
      [NODE, "-e", "console.error('no such skill'); process.exit(3)"],
      "it ended with exit code 3: no such skill",
    ],
    [[NODE, "-e", "setInterval(() => {}, 1000)"], "no answer within 0.5 s"],
  ])("%j says why there is no answer", async (program, reason) => {
    const env = environmentOf(createSandbox());
    // Far longer than a program needs that ends, and short for one that never answers.
    const longestMs = reason.startsWith("no answer") ? 500 : 10_000;
    expect(await askServer({ kind: "local", program, env }, longestMs)).toEqual({ ok: false, reason });
  });
});
