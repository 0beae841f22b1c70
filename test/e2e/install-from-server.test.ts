import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { serveInProcess as serve } from "../support/in-process.ts";
import { createSandbox } from "../support/sandbox.ts";
import { runBeside } from "../support/team-library.ts";
import { waitUntil } from "../support/wait-until.ts";

test("add installs complete skills from another skills-mcp, and update follows its edits", async () => {
  const server = createSandbox();
  server.skill("project/.agents/skills/pdf", { body: "one" });
  server.write("project/.agents/skills/pdf/references/fields.md", "fields\n");
  server.write("project/.agents/skills/pdf/.env", "SECRET=1\n");
  server.skill("project/.agents/skills/deploy");
  const url = await serve(server);

  const client = createSandbox();
  const file = (name: string): string => path.join(client.project, ".agents/skills", name);
  const run = async (...args: string[]): Promise<string> => (await runBeside(client, args)).stdout;
  expect(await run("add", url, "--all")).toContain("2 skills added to ");
  expect(readFileSync(file("pdf/SKILL.md"))).toEqual(
    readFileSync(server.path("project/.agents/skills/pdf/SKILL.md")),
  );
  expect(readFileSync(file("pdf/references/fields.md"), "utf8")).toBe("fields\n");
  expect(statSync(file("pdf/.env"), { throwIfNoEntry: false })).toBeUndefined();
  expect(await run("verify")).toMatch(/deploy +unchanged[^]+pdf +unchanged/);

  const index = async (): Promise<string> =>
    (await fetch(`${url}/.well-known/agent-skills/index.json`)).text();
  const before = await index();
  server.write("project/.agents/skills/pdf/references/fields.md", "more fields\n");
  await waitUntil("the server publishes the edit", async () => (await index()) !== before);
  expect(await run("update")).toMatch(/update +pdf .*1 changed/);
  expect(readFileSync(file("pdf/references/fields.md"), "utf8")).toBe("more fields\n");
});
