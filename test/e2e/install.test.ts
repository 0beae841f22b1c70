import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { IS_WINDOWS, spawnBin } from "../support/bin.ts";
import { startGitServer } from "../support/git-server.ts";
import { commandJson, runCommand } from "../support/in-process.ts";
import { createOrigin } from "../support/origin.ts";
import { createSandbox, type Sandbox, skillText } from "../support/sandbox.ts";
import { runBeside } from "../support/team-library.ts";

const BODY = "one\ntwo\nthree\nfour\nfive\n";

/** A sandbox with a folder of two skills in `source/`. */
function withSource(): Sandbox {
  const sandbox = createSandbox();
  sandbox.write("source/skills/pdf/SKILL.md", skillText("pdf", "Reads PDF files.", BODY));
  sandbox.write("source/skills/pdf/references/fields.md", "fields\n");
  sandbox.write("source/skills/deploy/SKILL.md", skillText("Deploy It", "Deploys.", BODY));
  return sandbox;
}

const installed = ({ project }: Sandbox, ...parts: string[]): string =>
  path.join(project, ".agents/skills", ...parts);
const read = (file: string): string => readFileSync(file, "utf8");
const lockOf = ({ project }: Sandbox) => JSON.parse(read(path.join(project, "skills-lock.json"))).skills;

describe("add", () => {
  test("without a terminal, of several skills it wants to know which", async () => {
    const sandbox = withSource();
    const { code, stderr } = await runCommand(sandbox, ["add", "../source"]);
    expect(code).toBe(2);
    expect(stderr).toBe(
      "skills-mcp: '../source' contains 2 skills: Deploy It, pdf. Name those that you want after the source, or pass --all.\n",
    );
    expect(readdirSync(sandbox.project)).toEqual([]);
  });

  test("prints the plan, and --dry-run stops there", async () => {
    const sandbox = withSource();
    const { code, stdout } = await runCommand(sandbox, ["add", "../source", "--all", "--dry-run"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^add +Deploy It +\.\.\/source, 1 file\nadd +pdf +\.\.\/source, 2 files\nNothing was changed/,
    );
    expect(readdirSync(sandbox.project)).toEqual([]);
  });

  test("installs, links into an agent's folder, and the agents are served it once", async () => {
    const sandbox = withSource();
    expect((await runCommand(sandbox, ["add", "../source", "PDF", "--agent", "claude"])).code).toBe(0);
    expect(read(installed(sandbox, "pdf/references/fields.md"))).toBe("fields\n");
    const link = path.join(sandbox.project, ".claude/skills/pdf");
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    if (!IS_WINDOWS) expect(readlinkSync(link)).toBe("../../.agents/skills/pdf");
    expect(lockOf(sandbox)).toMatchObject({ pdf: { source: "../source", sourceType: "local" } });
    const { skills } = (await commandJson(sandbox, "list", "--origin", "--json")) as { skills: unknown };
    expect(skills).toMatchObject([{ name: "pdf", origin: "../source" }]);
    expect((await runCommand(sandbox, ["remove", "pdf"])).code).toBe(0);
    expect(existsSync(link)).toBe(false);
    expect(readdirSync(installed(sandbox))).toEqual([]);
  });

  test("refuses a skill of another origin, and --force moves it to the trash", async () => {
    const sandbox = withSource();
    sandbox.skill("project/.agents/skills/pdf", { body: "my own" });
    const refused = await runCommand(sandbox, ["add", "../source", "pdf"]);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain("its origin is unknown");
    expect(read(installed(sandbox, "pdf/SKILL.md"))).toContain("my own");
    expect((await runCommand(sandbox, ["add", "../source", "pdf", "--force"])).code).toBe(0);
    expect(read(installed(sandbox, "pdf/SKILL.md"))).toContain("five");
    expect((await runCommand(sandbox, ["undo"])).code).toBe(0);
    expect(read(installed(sandbox, "pdf/SKILL.md"))).toContain("my own");
    expect(lockOf(sandbox)).toEqual({});
  });

  test("leaves links alone, and writes through none out of the project", async () => {
    const sandbox = withSource();
    mkdirSync(installed(sandbox), { recursive: true });
    symlinkSync(sandbox.path("source/skills/deploy"), installed(sandbox, "pdf"));
    const { code, stdout } = await runCommand(sandbox, ["add", "../source", "pdf", "--force"]);
    expect(code).toBe(1);
    expect(stdout).toContain("is a link that someone made, and is left alone");
    rmSync(path.join(sandbox.project, ".agents"), { recursive: true });
    mkdirSync(sandbox.path("elsewhere"));
    symlinkSync(sandbox.path("elsewhere"), path.join(sandbox.project, ".agents"));
    const out = await runCommand(sandbox, ["add", "../source", "pdf"]);
    expect(out.code).toBe(1);
    expect(out.stderr).toContain("leads out of the project");
    expect(readdirSync(sandbox.path("elsewhere"))).toEqual([]);
  });

  test.each([
    [["add"], 2, "add takes a source"],
    [["add", "../nowhere"], 1, ""],
    [["add", "../source", "--agent", "nobody"], 2, "Unknown agent 'nobody'. "],
    [["add", "../source", "nothing"], 1, "contains no skill 'nothing'"],
    [["remove", "../../etc"], 1, "which no skill name does"],
    [["remove"], 2, "remove takes one or more skill names"],
    [["update", "nothing"], 1, "'nothing' is not installed in this project"],
    [["undo"], 1, "There is no change to undo"],
  ] as const)("%j exits with %i and one line", async (args, code, message) => {
    const sandbox = withSource();
    const ran = await runCommand(sandbox, [...args]);
    expect(ran.stderr).toContain(message);
    expect(ran.stderr.trim().split("\n")).toHaveLength(1);
    expect(ran.code).not.toBe(70);
    if (args[1] !== "../nowhere") expect(ran.code).toBe(code);
    expect(readdirSync(sandbox.project)).toEqual([]);
  });

  test("a damaged lock is named and left as it is", async () => {
    const sandbox = withSource();
    const file = sandbox.write("project/skills-lock.json", "<<<<<<< HEAD\n");
    const { code, stderr } = await runCommand(sandbox, ["add", "../source", "--all"]);
    expect(code).toBe(1);
    expect(stderr).toContain(`${file} cannot be read`);
    expect(read(file)).toBe("<<<<<<< HEAD\n");
    expect(existsSync(installed(sandbox))).toBe(false);
  });
});

describe("update", () => {
  test("keeps edits, refuses what does not fit, and undo brings the old version back", async () => {
    const sandbox = withSource();
    const source = sandbox.path("source/skills/pdf/SKILL.md");
    const mine = installed(sandbox, "pdf/SKILL.md");
    expect((await runCommand(sandbox, ["add", "../source", "--all"])).code).toBe(0);
    writeFileSync(mine, read(mine).replace("one", "ONE"));
    writeFileSync(source, read(source).replace("five", "FIVE"));
    const updated = await runCommand(sandbox, ["update", "--diff"]);
    expect(updated.code).toBe(0);
    expect(updated.stdout).toContain("SKILL.md  (merged with your edits)");
    expect(updated.stdout).toContain("-five\n+FIVE");
    expect(read(mine)).toContain("ONE\ntwo\nthree\nfour\nFIVE");

    writeFileSync(source, read(source).replace("one", "1"));
    const edited = read(mine);
    const conflict = await runCommand(sandbox, ["update"]);
    expect(conflict.code).toBe(1);
    expect(read(mine)).toBe(edited);
    const theirs = /the new one in (\S+)\.\n/.exec(conflict.stdout)?.[1] ?? "";
    expect(read(path.join(theirs, "SKILL.md"))).toBe(read(source));

    expect((await runCommand(sandbox, ["update", "--force"])).code).toBe(0);
    expect(read(mine)).toBe(read(source));
    expect((await runCommand(sandbox, ["undo"])).code).toBe(0);
    expect(read(mine)).toBe(edited);
  });
});

test("verify and sync compare with the lock, and sync --frozen changes nothing on drift", async () => {
  const sandbox = withSource();
  expect((await runCommand(sandbox, ["add", "../source", "--all"])).code).toBe(0);
  expect((await runCommand(sandbox, ["verify"])).code).toBe(0);
  sandbox.skill("project/.agents/skills/own");
  rmSync(installed(sandbox, "pdf"), { recursive: true });
  writeFileSync(installed(sandbox, "deploy-it/notes.md"), "mine");
  const verified = await runCommand(sandbox, ["verify", "--json"]);
  expect(verified.code).toBe(1);
  expect(JSON.parse(verified.stdout).skills).toMatchObject([
    { name: "Deploy It", state: "edited", files: ["notes.md (added)"] },
    { name: "pdf", state: "missing" },
    { name: "own", state: "unknown-origin" },
  ]);
  const frozen = await runCommand(sandbox, ["sync", "--frozen"]);
  expect(frozen.code).toBe(1);
  expect(frozen.stdout).toContain("Nothing was changed.");
  expect(existsSync(installed(sandbox, "pdf"))).toBe(false);
  expect((await runCommand(sandbox, ["sync"])).code).toBe(0);
  expect(read(installed(sandbox, "pdf/references/fields.md"))).toBe("fields\n");
  expect(read(installed(sandbox, "deploy-it/notes.md"))).toBe("mine");
});

test("a disabled skill is unchanged, and an update leaves it disabled", async () => {
  const sandbox = withSource();
  const run = (...args: string[]) => runCommand(sandbox, args);
  expect((await run("add", "../source", "--all")).code).toBe(0);
  expect((await run("disable", "pdf")).code).toBe(0);
  const verified = await run("verify");
  expect(verified.code).toBe(0);
  expect(verified.stdout).toMatch(/^pdf +unchanged, disabled /m);
  expect((await run("sync", "--frozen")).code).toBe(0);
  sandbox.skill("source/skills/pdf", { description: "Does newer things." });
  const updated = await run("update", "pdf");
  expect([updated.code, updated.stdout]).toEqual([0, expect.stringMatching(/^update +pdf /m)]);
  expect(read(installed(sandbox, "pdf/.SKILL.md"))).toContain("Does newer things.");
  expect(existsSync(installed(sandbox, "pdf/SKILL.md"))).toBe(false);
  writeFileSync(installed(sandbox, "pdf/.SKILL.md"), "mine");
  const edited = await run("verify", "--json");
  expect(edited.code).toBe(1);
  expect(JSON.parse(edited.stdout).skills[1]).toMatchObject({ state: "edited", files: ["SKILL.md"] });
});

test("a repository over HTTP: the lock has the commit, and another machine gets exactly that", async () => {
  const sandbox = createSandbox();
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" };
  const work = sandbox.path("git/team");
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      cwd: work,
      env,
      encoding: "utf8",
    });
  sandbox.skill("git/team/skills/pdf", { body: "first" });
  git("init", "-q");
  git("config", "uploadpack.allowAnySHA1InWant", "true");
  git("add", "-A");
  git("commit", "-qm", "one");
  const server = await startGitServer(sandbox.path("git"));
  const run = (...args: string[]) => runBeside(sandbox, args);
  const url = server.url("team/.git");
  expect((await run("add", url)).code).toBe(0);
  const commit = git("rev-parse", "HEAD").trim();
  expect(lockOf(sandbox)["pdf"]).toMatchObject({
    sourceType: "git",
    skillPath: "skills/pdf/SKILL.md",
    skillsMcp: { commit },
  });

  sandbox.skill("git/team/skills/pdf", { body: "second" });
  git("commit", "-qam", "two");
  expect(JSON.parse((await run("outdated", "--json")).stdout).skills).toMatchObject([
    { name: "pdf", isOutdated: true },
  ]);
  // Another machine: nothing is installed, and nothing is stored.
  rmSync(path.join(sandbox.project, ".agents"), { recursive: true });
  rmSync(path.join(sandbox.home, ".skills-mcp"), { recursive: true });
  const synced = await run("sync", "--frozen");
  expect(synced.code, synced.stdout).toBe(0);
  expect(read(installed(sandbox, "pdf/SKILL.md"))).toContain("first");
  expect((await run("update")).code).toBe(0);
  expect(read(installed(sandbox, "pdf/SKILL.md"))).toContain("second");
});

test("outdated shows what update would change, and not every skill of a repository with a new commit", async () => {
  const sandbox = createSandbox();
  const origin = createOrigin(sandbox.path("git"));
  const server = await startGitServer(sandbox.path("git"));
  const url = server.url("team-skills.git");
  const text = (name: string, body: string) => skillText(name, `Does ${name}.`, body);
  const files = { "a/SKILL.md": text("a", "1"), "b/SKILL.md": text("b", "1"), "c/SKILL.md": text("c", "1") };
  origin.commit(files);
  expect((await runCommand(sandbox, ["add", url, "--all"])).code).toBe(0);
  const { "c/SKILL.md": moved, ...others } = files;
  const newest = origin.commit({ ...others, "a/SKILL.md": text("a", "2"), "moved/c/SKILL.md": moved });
  for (const kind of ["ok", "old"] as const) {
    server.mode = { kind };
    expect(JSON.parse((await runCommand(sandbox, ["outdated", "--json"])).stdout).skills).toMatchObject([
      { name: "a", newest, isOutdated: true },
      { name: "b", newest, isOutdated: false },
      { name: "c", newest, isOutdated: false },
    ]);
  }
  const { stdout } = await runCommand(sandbox, ["outdated"]);
  expect(stdout).toMatch(/^b +up to date /m);
  expect(stdout).toContain("1 skill with updates");
  expect(JSON.parse((await runCommand(sandbox, ["verify", "--remote", "--json"])).stdout).skills).toEqual([
    expect.objectContaining({ name: "a", newest }),
    expect.not.objectContaining({ newest }),
    expect.not.objectContaining({ newest }),
  ]);
  const { plan } = JSON.parse((await runCommand(sandbox, ["update", "--dry-run", "--json"])).stdout);
  expect(plan.map(({ action }: { readonly action: string }) => action)).toEqual(["update", "keep", "keep"]);
});

test("two commands at once: one waits for the other, and both are done", async () => {
  const sandbox = withSource();
  const both = ["pdf", "Deploy It"].map((name) => spawnBin(sandbox, ["add", "../source", name]).exit);
  expect(await Promise.all(both)).toMatchObject([{ code: 0 }, { code: 0 }]);
  expect(Object.keys(lockOf(sandbox))).toEqual(["Deploy It", "pdf"]);
  expect(readdirSync(installed(sandbox)).sort()).toEqual(["deploy-it", "pdf"]);
});
