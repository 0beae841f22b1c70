import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test } from "vitest";
import { BIN, environmentOf, NODE } from "../support/bin.ts";
import { createSandbox } from "../support/sandbox.ts";
import { waitUntil } from "../support/wait-until.ts";

test("a client's workspace folders are searched as project folders, and the change is announced", async () => {
  const sandbox = createSandbox();
  sandbox.skill("project/.claude/skills/here");
  sandbox.skill("one/.claude/skills/first", { body: "from one" });
  sandbox.skill("two/.codex/skills/second");
  sandbox.skill("three/.codex/skills/third");
  sandbox.write("three/.git/HEAD", "");
  sandbox.write("three/deep/down/file", "");
  let roots = ["one"];
  const client = new Client(
    { name: "test", version: "1.0.0" },
    { capabilities: { roots: { listChanged: true } } },
  );
  client.setRequestHandler("roots/list", async () => ({
    roots: roots.map((folder) => ({ uri: pathToFileURL(sandbox.path(folder)).href })),
  }));
  await client.connect(
    new StdioClientTransport({
      command: NODE,
      args: [BIN, "mcp"],
      env: environmentOf(sandbox),
      cwd: sandbox.project,
      stderr: "ignore",
    }),
  );
  onTestFinished(() => client.close());
  const names = async (): Promise<string> =>
    (await client.listPrompts()).prompts.map(({ name }) => name).join(" ");
  await waitUntil("the skills of the first workspace", async () => (await names()) === "first here");
  const loaded = await client.callTool({ name: "skill", arguments: { name: "first" } });
  expect(loaded.content).toMatchObject([{ text: expect.stringMatching(/Location: project[\s\S]*from one/) }]);

  roots = ["two"];
  await client.sendRootsListChanged();
  await waitUntil("the skills of the second workspace", async () => (await names()) === "here second");

  roots = ["three/deep/down"];
  await client.sendRootsListChanged();
  await waitUntil("the skills of the third one's repository", async () => (await names()) === "here third");
});
