import { mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { commandJson, exchangeInProcess, runCommand } from "../support/in-process.ts";
import { messagesOf } from "../support/log.ts";
import { createSandbox } from "../support/sandbox.ts";

const OWN = "home/.skills-mcp/config.yaml";
const PROJECT = "project/.skills-mcp.yaml";

const names = (listed: unknown): readonly string[] =>
  (listed as { skills: readonly { name: string }[] }).skills.map(({ name }) => name);

test("flags in the own file count everywhere, and a flag on the command line replaces them", async () => {
  const sandbox = createSandbox();
  for (const name of ["pdf", "git", "draft-x"]) sandbox.skill(`home/.claude/skills/${name}`);
  sandbox.skill("home/.skills-mcp/team/deploy");
  sandbox.write(OWN, "skills:\n  exclude: ['draft-*']\n  skill_dirs: [team]\n");
  expect(names(await commandJson(sandbox, "list", "--json"))).toEqual(["deploy", "git", "pdf"]);
  expect(names(await commandJson(sandbox, "list", "--json", "--exclude", "git"))).toEqual([
    "deploy",
    "draft-x",
    "pdf",
  ]);
  expect(names(await commandJson(sandbox, "--skill-dir", "nowhere", "ls", "-f", "json"))).toEqual([
    "git",
    "pdf",
  ]);
});

test("a project narrows and adds, from above the working directory too, and config names each place", async () => {
  const sandbox = createSandbox();
  for (const name of ["pdf", "pdf-x", "git"]) sandbox.skill(`home/.claude/skills/${name}`);
  sandbox.skill("project/team/deploy");
  mkdirSync(sandbox.path("project/.git"), { recursive: true });
  mkdirSync(sandbox.path("project/src/deep"), { recursive: true });
  const own = sandbox.write(OWN, "skills:\n  include: [pdf*, deploy]\n");
  const project = sandbox.write(
    PROJECT,
    "skills:\n  include: [pdf, git, deploy]\n  skill_dirs: [team]\nserver:\n  port: 80\n  description_budget: 900\nrepos: []\n",
  );
  const cwd = sandbox.path("project/src/deep");
  const listed = await runCommand(sandbox, ["list", "--json"], { cwd });
  expect(names(JSON.parse(listed.stdout))).toEqual(["deploy", "pdf"]);
  expect(messagesOf(listed.stderr)).toBe(
    `${project}:5: server.port was ignored, because a project may only narrow and add; set it in ${own}.\n`,
  );
  const { stdout } = await runCommand(sandbox, ["config", "--json"], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({
    values: {
      skills: { include: ["pdf*", "deploy"] },
      server: { port: 4700, description_budget: 900 },
      project: { skills: { skill_dirs: [sandbox.path("project/team")] }, repos: [] },
    },
    origins: {
      "skills.include": { kind: "file", file: own, line: 2 },
      "server.description_budget": { kind: "file", file: project, line: 6 },
      "project.skills.include": { kind: "file", file: project, line: 2 },
      "project.repos": { kind: "file", file: project, line: 7 },
    },
  });
});

test("without a repository the folders above are no project", async () => {
  const sandbox = createSandbox();
  sandbox.skill("home/.claude/skills/pdf");
  sandbox.write(PROJECT, "skills: {exclude: [pdf]}\n");
  mkdirSync(sandbox.path("project/src"));
  const listed = await runCommand(sandbox, ["list", "--json"], { cwd: sandbox.path("project/src") });
  expect(names(JSON.parse(listed.stdout))).toEqual(["pdf"]);
});

test("what is wrong in either file refuses to start over HTTP, with its line; what is unknown is a line of the log", async () => {
  const sandbox = createSandbox();
  const own = sandbox.write(OWN, "server:\n  tools: [catalogue]\n");
  expect(await runCommand(sandbox, ["mcp", "--transport", "http"])).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(
      new RegExp(`^skills-mcp: ${own}:2: server\\.tools does not accept 'catalogue'`),
    ) as string,
  });
  sandbox.write(OWN, "server:\n  prot: 80\n");
  const project = sandbox.write(PROJECT, "skills:\n  skill_dirs: [/etc]\n");
  expect(await runCommand(sandbox, ["list"])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      new RegExp(
        `prot is not a setting\\. Did you mean server\\.port\\?\\nskills-mcp: ${project}:2: .* must be a folder below `,
      ),
    ) as string,
  });
});

test("S19: an unknown key in the own file or a library's file is one warning with a suggestion and ends no server; a wrong value is named and ends none on stdio", async () => {
  const sandbox = createSandbox();
  const own = sandbox.write(OWN, "# mine\nscripts:\n  timeout_secs: 5\n");
  sandbox.write("lib/deploy.md", "---\ndescription: Deploys.\nkeywords: [deploy]\n---\nText.\n");
  const shared = sandbox.write("lib/config.yaml", "\nmatching:\n  min_scor: 0.3\n");
  const clientInfo = { name: "raw", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const input = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`;
  const serve = () => exchangeInProcess(sandbox, ["mcp", "--library", sandbox.path("lib")], input, 1);

  const served = await serve();
  expect(served.code).toBe(0);
  expect(served.stdout).toContain('"protocolVersion":"2025-11-25"');
  expect(messagesOf(served.stderr).split("\n")).toEqual(
    expect.arrayContaining([
      `${own}:3: scripts.timeout_secs is not a setting. Did you mean scripts.timeout_seconds?`,
      `${shared}:3: matching.min_scor is not a setting. Did you mean matching.min_score?`,
    ]),
  );
  expect(served.stderr.match(/ warn /g)).toHaveLength(2);

  sandbox.write("lib/config.yaml", "\nmatching:\n  min_score: high\n");
  const wrong = await serve();
  const message = `${shared}:3: matching.min_score is "high", but must be a number from 0 to 1.`;
  expect(wrong).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(JSON.stringify(message).slice(1, -1)),
  });
  expect(wrong.stderr).toContain(` error ${message}\n`);
  sandbox.write(OWN, "# mine\nscripts:\n  timeout_seconds: soon\n");
  expect((await serve()).stderr).toContain(
    ` error ${own}:3: scripts.timeout_seconds is "soon", but must be a whole number from 1 to 86400.\n`,
  );
});
