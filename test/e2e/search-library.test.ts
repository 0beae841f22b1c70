import { describe, expect, test } from "vitest";

import { ERAS } from "../support/client.ts";
import { connectInProcess as connect, runCommand } from "../support/in-process.ts";
import { createSandbox } from "../support/sandbox.ts";

const LIBRARY = "project/library";

function sandboxWithBoth() {
  const sandbox = createSandbox();
  sandbox.skill("project/.claude/skills/pdf", { description: "Reads and fills PDF forms." });
  sandbox.write(
    `${LIBRARY}/ui/login.md`,
    "---\nkeywords: [login, session]\ndescription: How people sign in\n---\nPasskeys before passwords.\n",
  );
  return sandbox;
}

describe.each(ERAS)("the ranked search over a library, protocol %s", (era) => {
  test("find_skills finds both kinds, and says what get_skill takes", async () => {
    const args = ["mcp", "--library", "library", "--tools", "all"];
    const { client } = await connect(sandboxWithBoth(), { era, args });
    const found = async (task: string) =>
      (await client.callTool({ name: "find_skills", arguments: { task } })).structuredContent;
    expect(await found("sign in with passkeys")).toMatchObject({
      results: [{ name: "ui/login", skill_path: "ui/login", provider: "library" }],
    });
    expect(await found("ui/login")).toMatchObject({ verdict: "match", results: [{ name: "ui/login" }] });
    expect(await found("fill a PDF form")).toMatchObject({ results: [{ name: "pdf", provider: "claude" }] });
  });

  test("get_skill suggests what the ranked search finds where no keyword fits", async () => {
    const { client } = await connect(sandboxWithBoth(), { era, args: ["mcp", "--library", "library"] });
    const { structuredContent } = await client.callTool({
      name: "get_skill",
      arguments: { context: "passkeys" },
    });
    expect(structuredContent).toMatchObject({
      no_match: true,
      suggestions: [{ name: "ui/login", skill_path: "ui/login", description: "How people sign in" }],
    });
  });

  test("the skill tool tells a library skill's path from an unknown name", async () => {
    const { client } = await connect(sandboxWithBoth(), { era, args: ["mcp", "--library", "library"] });
    const answer = await client.callTool({ name: "skill", arguments: { name: "ui/login" } });
    expect(answer.isError).toBe(true);
    expect(JSON.stringify(answer.content)).toContain("call get_skill with skill_path 'ui/login'");
  });
});

test("skills-mcp search finds library skills, and an edit is seen at once", async () => {
  const sandbox = sandboxWithBoth();
  const search = async (query: string) =>
    JSON.parse((await runCommand(sandbox, ["search", query, "--library", "library", "--json"])).stdout) as {
      results: readonly { name: string }[];
    };
  expect((await search("passkeys")).results.map(({ name }) => name)).toEqual(["ui/login"]);
  sandbox.write(`${LIBRARY}/ui/login.md`, "---\nkeywords: [login]\ndescription: x\n---\nOnly giraffes.\n");
  expect((await search("passkeys")).results).toEqual([]);
  expect((await search("giraffes")).results.map(({ name }) => name)).toEqual(["ui/login"]);
});
