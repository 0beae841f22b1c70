import { execFileSync } from "node:child_process";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { INITIALIZE } from "../../../test/support/http-requests.ts";
import { createSandbox, type Sandbox } from "../../../test/support/sandbox.ts";
import type { SkillsOptions } from "../library.d.ts";
import { createApp, Refusal } from "../src/library-api.ts";

/** An app over the sandbox alone. Closed when the test ends. */
function open(sandbox: Sandbox, options: SkillsOptions = {}) {
  const { app, close } = createApp({ cwd: sandbox.project, userDir: sandbox.home, ...options });
  onTestFinished(close);
  return app;
}

async function refusalOf(call: Promise<unknown>) {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Refusal)) throw new Error("not refused", { cause: error });
  return error.detail;
}

test("library: skills of a library are listed, found and loaded with the others", async () => {
  const sandbox = createSandbox();
  sandbox.skill("project/.claude/skills/pdf");
  const text = "---\nkeywords: [backfill]\ndescription: Fills a new column.\n---\nIn batches.\n";
  const file = sandbox.write("library/database/backfill.md", text);
  const app = open(sandbox, { library: "../library" });
  expect((await app.list()).map(({ name, provider }) => [name, provider])).toEqual([
    ["pdf", "claude"],
    ["database/backfill", "library"],
  ]);
  expect(await app.load("database/backfill")).toMatchObject({
    path: file,
    keywords: ["backfill"],
    text,
    body: "In batches.\n",
    fields: { description: "Fills a new column." },
  });
  expect(await app.files("database/backfill")).toEqual({ files: [], complete: true });
  const { results } = await app.search("backfill a new column");
  expect(results[0]).toMatchObject({ name: "database/backfill", skill_path: "database/backfill" });
});

test("library: the first list has what a repository holds", async () => {
  const sandbox = createSandbox();
  sandbox.skill("repository/skills/deploy");
  const repository = sandbox.path("repository");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: repository, stdio: "pipe" });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "skills");
  const app = open(sandbox, { repos: [pathToFileURL(repository).href] });
  const [skill] = await app.list();
  expect(skill).toMatchObject({ name: "deploy", provider: "git", location: "repo" });
  expect(skill?.repository?.path).toBe("skills/deploy");
});

test("library: a call that cannot be met is refused with a code", async () => {
  const sandbox = createSandbox();
  sandbox.skill("project/.claude/skills/pdf");
  sandbox.skill("project/.codex/skills/pdf");
  sandbox.write("project/.claude/skills/pdf/.secret", "");
  const app = open(sandbox);
  expect(await refusalOf(app.load("pfd"))).toMatchObject({ code: "unknown-skill", name: "pfd" });
  expect(await refusalOf(app.load("pdf"))).toEqual({
    code: "ambiguous-skill",
    name: "pdf",
    candidates: ["claude:pdf", "codex:pdf"],
  });
  expect(await refusalOf(app.readFile("claude:pdf", ".secret"))).toMatchObject({ code: "unknown-file" });
  expect(await refusalOf(app.readFile("claude:pdf", "../../../x"))).toMatchObject({ code: "unknown-file" });
  const wrong = open(sandbox, { include: ["codex:@plugins"] });
  expect(await refusalOf(wrong.list())).toMatchObject({ code: "bad-filter" });
});

test("library: a refresh sees a new skill and calls the listeners that are left", async () => {
  const sandbox = createSandbox();
  sandbox.skill("project/.claude/skills/pdf");
  const app = open(sandbox);
  const calls: string[] = [];
  const stop = app.onChange(() => calls.push("stopped"));
  app.onChange(() => calls.push("left"));
  await app.list();
  stop();
  sandbox.skill("project/.claude/skills/docx");
  expect((await app.list()).map(({ name }) => name)).toEqual(["pdf"]);
  expect((await app.refresh()).map(({ name }) => name)).toEqual(["docx", "pdf"]);
  expect(calls).toEqual(["left"]);
});

test("library: the handler answers /mcp under the names that it was given, and leaves the rest alone", async () => {
  const sandbox = createSandbox();
  const mcp = await open(sandbox).mcpHandler({ allowedHosts: ["tools.example.com"] });
  const server = createServer((request, response) => {
    if (!mcp.handle(request, response)) response.writeHead(418).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const statusOf = (host: string, path: string) =>
    new Promise((resolve, reject) => {
      const headers = {
        host,
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
      };
      request({ port, path, method: "POST", headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .once("error", reject)
        .end(JSON.stringify(INITIALIZE));
    });
  expect(await statusOf("tools.example.com", "/mcp")).toBe(200);
  expect(await statusOf("localhost", "/mcp?a=b")).toBe(200);
  expect(await statusOf("evil.example.com", "/mcp")).toBe(403);
  for (const path of ["/", "/mcpx", "/metrics", "/api/v1/skills"])
    expect(await statusOf("localhost", path)).toBe(418);
});

test("library: an app that is closed before it was used, and twice, is closed", async () => {
  const { close } = createApp({ cwd: path.resolve("."), userDir: createSandbox().home });
  await close();
  await close();
});
