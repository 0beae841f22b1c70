import { describe, expect, test } from "vitest";
import { ERAS } from "../support/client.ts";
import { connectInProcess as connect } from "../support/in-process.ts";
import { createSandbox } from "../support/sandbox.ts";
import { waitUntil } from "../support/wait-until.ts";

describe.each(ERAS)("prompts, protocol %s", (era) => {
  test("each skill is a prompt, whose text is the skill and the task", async () => {
    const sandbox = createSandbox();
    const body = "# Git\n";
    sandbox.skill("project/.claude/skills/git", { description: "Commits.", body });
    sandbox.skill("home/.codex/skills/git", { description: "Codex commits." });
    sandbox.skill("home/.claude/skills/My Skill");
    sandbox.write("library/ui.md", "---\nkeywords: [ui]\ndescription: Screens.\n---\nUse grids.\n");
    const { client } = await connect(sandbox, { era, env: { SKILLS_DIR: sandbox.path("library") } });
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name, title, description }) => [name, title, description])).toEqual([
      ["My-Skill", "My Skill", "Does My Skill things."],
      ["claude-git", "claude:git", "Commits."],
      ["codex-git", "codex:git", "Codex commits."],
      ["ui", "ui", "Screens."],
    ]);
    // Claude Code gives a declared argument the first word alone, so a skill that wants none declares none.
    expect(prompts.map((prompt) => prompt.arguments)).toEqual([undefined, undefined, undefined, undefined]);

    const folder = sandbox.path("project/.claude/skills/git");
    const plain = await client.getPrompt({ name: "claude-git" });
    expect(plain.messages).toEqual([{ role: "user", content: { type: "text", text: expect.any(String) } }]);
    const text = `Loading: claude:git\nBase directory: ${folder}\nLocation: project\nProvider: claude\n\n---\nname: git\ndescription: Commits.\n---\n\n${body}`;
    expect(plain.messages[0]?.content).toEqual({ type: "text", text });
    const asked = await client.getPrompt({ name: "claude-git", arguments: { task: "Commit it all" } });
    expect(asked.messages[0]?.content).toEqual({
      type: "text",
      text: `${text.trimEnd()}\n\nTask: Commit it all`,
    });
    const library = await client.getPrompt({ name: "ui", arguments: { task: " " } });
    expect(library.messages[0]?.content).toMatchObject({ text: expect.stringMatching(/Use grids\.\s*$/) });

    await expect(client.getPrompt({ name: "git" })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("Did you mean"),
    });
    await expect(client.getPrompt({ name: "ui", arguments: { other: "x" } })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("'other'"),
    });
  });

  test("a new skill is announced as a prompt; --prompts off offers none", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/git");
    const { client } = await connect(sandbox, { era });
    let changes = 0;
    client.setNotificationHandler("notifications/prompts/list_changed", () => void changes++);
    if (era === "2026-07-28") await client.listen({ promptsListChanged: true });
    await client.listPrompts();
    sandbox.skill("project/.claude/skills/pdf");
    await waitUntil("the notice", () => changes > 0);
    const { prompts } = await client.listPrompts(undefined, { cacheMode: "refresh" });
    expect(prompts.map(({ name }) => name)).toEqual(["git", "pdf"]);

    const off = await connect(sandbox, { era, args: ["mcp", "--prompts", "off"] });
    expect(off.client.getServerCapabilities()?.prompts).toBeUndefined();
    expect(off.client.getServerCapabilities()?.resources).toMatchObject({
      listChanged: true,
      subscribe: true,
    });
  });
});
