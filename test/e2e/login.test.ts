import { spawn } from "node:child_process";
import { chmodSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { variableOf } from "#sources";
import { BIN, environmentOf, NODE } from "../support/bin.ts";
import { commandLines, HAS_PROC } from "../support/git-processes.ts";
import { runCommand, startInProcess } from "../support/in-process.ts";
import { createSandbox, DISK_FOLDER, skillText } from "../support/sandbox.ts";
import { createTeam, runBeside } from "../support/team-library.ts";
import { waitUntil } from "../support/wait-until.ts";

const TOKEN = "canary-login-0c41d7";

/** Files that have the token, but for the one that is meant to. */
function filesWithToken(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file, "latin1").includes(TOKEN) && !/credentials$|tokens$/.test(file));
}

/** A server whose skills need a token. */
async function serveTeam(...more: string[]) {
  const server = createSandbox();
  server.skill("project/.agents/skills/pdf");
  server.skill("project/.agents/skills/payroll");
  const tokens = server.write("tokens", `ann:${TOKEN}\n`);
  chmodSync(tokens, 0o600);
  const { url } = await startInProcess(server, ["serve", "--token-file", tokens, ...more]);
  return { server, url, host: new URL(url).host };
}

describe("login", () => {
  test("lets add, outdated and sync into a server with tokens; without it the refusal says so", async () => {
    const { url, host } = await serveTeam();
    const client = createSandbox();
    const refused = await runBeside(client, ["add", url, "--all"]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`it needs a login: run skills-mcp login ${host}.`);

    const login = await runCommand(client, ["login", host], { input: `${TOKEN}\n` });
    expect(login).toMatchObject({ code: 0, stderr: "" });
    expect(login.stdout).toContain(`Kept the token for ${host} in `);
    expect((await runCommand(client, ["login"])).stdout).toBe(`${host}\n`);

    const added = await runBeside(client, ["add", url, "--all"]);
    expect(added.stdout).toContain("2 skills added to ");
    const outdated = await runBeside(client, ["outdated", "--json"]);
    const again = await runBeside(client, ["sync"]);
    expect(again.code).toBe(0);
    const said = [login, added, outdated, again].map(({ stdout, stderr }) => stdout + stderr).join("\n");
    expect(said).not.toContain(TOKEN);
    expect(filesWithToken(client.path())).toEqual([]);

    expect((await runCommand(client, ["logout", host])).stdout).toContain("Removed the token");
    expect((await runCommand(client, ["logout", host])).stdout).toContain("There is no token");
    expect((await runBeside(client, ["add", url, "--all"])).code).toBe(1);
    const byVariable = await runBeside(client, ["add", url, "--all", "--dry-run"], {
      [variableOf(host)]: TOKEN,
    });
    expect(byVariable.code).toBe(0);
  });

  test("takes the token from a person who does not see it, or from standard input, and never as an argument", async () => {
    const sandbox = createSandbox();
    const asArgument = await runCommand(sandbox, ["login", "a.dev", TOKEN]);
    expect(asArgument.code).toBe(2);
    expect(asArgument.stderr).toContain("the token is asked for, or read from standard input");
    expect(asArgument.stderr).not.toContain(TOKEN);
    const empty = await runCommand(sandbox, ["login", "a.dev"], { input: " \n" });
    expect(empty).toMatchObject({ code: 1, stderr: expect.stringContaining("No token was given") as string });
    const wrong = await runCommand(sandbox, ["login", "http://example.com"], { input: TOKEN });
    expect(wrong.stderr).toContain("plain http is only allowed for this machine");
    const shadowed = await runCommand(sandbox, ["login", "a.dev"], {
      input: TOKEN,
      env: { SKILLS_TOKEN_A_DEV: "x" },
    });
    expect(shadowed.stderr).toContain("SKILLS_TOKEN_A_DEV is set and is used instead of it");
  });

  test.runIf(HAS_PROC)("shows nothing of what is typed on a terminal", async () => {
    const sandbox = createSandbox();
    const child = spawn("script", ["-qec", [NODE, BIN, "login", "a.dev"].join(" "), "/dev/null"], {
      cwd: sandbox.project,
      env: { ...environmentOf(sandbox), TERM: "xterm" },
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let shown = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      shown += text;
    });
    await waitUntil("the question", () => shown.includes("Token for a.dev (not shown): "));
    child.stdin.write(`${TOKEN}\r`);
    await waitUntil("the answer", () => shown.includes("Kept the token for a.dev"));
    expect(shown).not.toContain("canary");
    expect(readFileSync(path.join(sandbox.home, ".skills-mcp/credentials"), "utf8")).toBe(`a.dev ${TOKEN}\n`);
  });

  test("a file of tokens that others can read is refused, by add and by a server with repositories", async () => {
    const { url, host } = await serveTeam();
    const client = createSandbox();
    await runCommand(client, ["login", host], { input: TOKEN });
    chmodSync(path.join(client.home, ".skills-mcp/credentials"), 0o644);
    const refused = await runBeside(client, ["add", url, "--all"]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/chmod 600/) as string });
    const list = await runCommand(client, ["list"], { env: { SKILLS_REPO: `${url}/x.git` } });
    expect(list.stderr).toContain("can be read by others, so its tokens are not used");
  });
});

describe("a token of a git host", () => {
  test.runIf(HAS_PROC)(
    "opens a repository for add and for a server, and is in no list of processes",
    async () => {
      const { sandbox, origin, server, url } = await createTeam(DISK_FOLDER);
      const seen: string[] = [];
      server.onRequest = () => seen.push(...commandLines());
      origin.commit({ "skills/pdf/SKILL.md": skillText("pdf", "Reads PDF files.") });
      server.mode = { kind: "auth", token: TOKEN };
      const { host } = new URL(server.origin);
      const failed = await runBeside(sandbox, ["add", url, "--all"]);
      expect(failed.stderr).toContain(`run skills-mcp login ${host}, or configure git's credential helper`);
      await runCommand(sandbox, ["login", host], { input: TOKEN });
      expect((await runBeside(sandbox, ["add", url, "--all"])).stdout).toContain("1 skill added to ");
      const list = await runBeside(sandbox, ["list"], { SKILLS_REPO: url, GITHUB_TOKEN: "canary-hub" });
      expect(list.stdout).toContain("pdf");
      expect(seen.some((line) => line.includes("fetch"))).toBe(true);
      expect(seen.filter((line) => line.includes(TOKEN) || line.includes(basicOf(TOKEN)))).toEqual([]);
      expect(filesWithToken(sandbox.path())).toEqual([]);
      const hub = basicOf("canary-hub");
      expect(server.requests.filter(({ authorization }) => authorization?.includes(hub))).toEqual([]);
    },
  );
});

const basicOf = (token: string): string => Buffer.from(`x-access-token:${token}`).toString("base64");
