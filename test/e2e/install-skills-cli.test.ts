import { execFileSync, spawn } from "node:child_process";
import { lstatSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { environmentOf, spawnBin } from "../support/bin.ts";
import { startGitServer } from "../support/git-server.ts";
import { serveInProcess as serve } from "../support/in-process.ts";
import { createSandbox } from "../support/sandbox.ts";

/** `node scripts/check-install.mjs` installs the `skills` tool, which needs a newer Node, and names both here. */
const CLI = process.env["SKILLS_MCP_SKILLS_CLI"];
const CLI_NODE = process.env["SKILLS_MCP_SKILLS_NODE"] ?? process.execPath;

/** A project and a home folder that both tools work on, with a repository on loopback. */
async function openWorld() {
  const sandbox = createSandbox();
  const work = sandbox.path("git/team");
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      cwd: work,
      env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" },
    });
  const publish = (body: string): void => {
    sandbox.skill("git/team/skills/pdf", { body });
    sandbox.skill("git/team/skills/deploy", { name: "Deploy It", body });
    sandbox.write("git/team/skills/pdf/references/fields.md", body);
    git("init", "-q");
    git("config", "uploadpack.allowAnySHA1InWant", "true");
    git("add", "-A");
    git("commit", "-qm", "change");
  };
  publish("first");
  const { origin } = await startGitServer(sandbox.path("git"));
  const output = (child: ReturnType<typeof spawn>) =>
    new Promise<string>((resolve, reject) => {
      let text = "";
      child.stdout?.setEncoding("utf8").on("data", (more: string) => {
        text += more;
      });
      child.on("close", (code) => (code === 0 ? resolve(text) : reject(new Error(`exit ${code}: ${text}`))));
    });
  return {
    sandbox,
    publish,
    url: `${origin}/team/.git`,
    ours: (...args: string[]) => output(spawnBin(sandbox, args).child),
    theirs: (...args: string[]) =>
      output(
        spawn(CLI_NODE, [CLI ?? "", ...args], {
          cwd: sandbox.project,
          env: { ...environmentOf(sandbox), DISABLE_TELEMETRY: "1", GIT_CONFIG_GLOBAL: "/dev/null" },
          stdio: ["ignore", "pipe", "ignore"],
        }),
      ),
  };
}

interface Verified {
  readonly skills: readonly { readonly name: string; readonly state: string }[];
}
const states = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries((JSON.parse(text) as Verified).skills.map(({ name, state }) => [name, state]));
const names = (text: string): readonly string[] =>
  (JSON.parse(text) as { readonly name: string }[]).map(({ name }) => name).sort();
const AS_LOCKED = { "Deploy It": "as-locked", pdf: "as-locked" };

test.skipIf(CLI === undefined)(
  "the skills tool and skills-mcp work on one project and one lock",
  { timeout: 120_000 },
  async () => {
    const { sandbox, publish, url, ours, theirs } = await openWorld();
    const lock = () =>
      JSON.parse(readFileSync(path.join(sandbox.project, "skills-lock.json"), "utf8")).skills;
    await theirs("add", url, "--skill", "pdf", "-y", "-a", "claude-code", "codex");
    const pdf = lock()["pdf"];
    expect(states(await ours("verify", "--json"))).toEqual({ pdf: "as-locked" });
    await ours("add", url, "deploy it", "--agent", "claude");
    expect(lock()["pdf"]).toEqual(pdf);
    expect(names(await theirs("list", "--json"))).toEqual(["Deploy It", "pdf"]);

    publish("second");
    await theirs("update", "-y");
    expect(states(await ours("verify", "--json"))).toEqual(AS_LOCKED);
    publish("third");
    await ours("update");
    const written = lock();
    // The tool dropped our part of the entry, and the link is still there.
    expect(written["Deploy It"].skillsMcp.links).toEqual([".claude/skills/deploy-it"]);
    expect(await theirs("update", "-y")).toContain("up to date");
    expect(lock()).toEqual(written);

    rmSync(path.join(sandbox.project, ".agents"), { recursive: true });
    await theirs("experimental_install");
    expect(states(await ours("verify", "--json"))).toEqual(AS_LOCKED);
    await ours("update");
    for (const folder of [".agents", ".claude"])
      rmSync(path.join(sandbox.project, folder), { recursive: true });
    await ours("sync", "--frozen");
    expect(lstatSync(path.join(sandbox.project, ".claude/skills/deploy-it")).isSymbolicLink()).toBe(true);
    expect(names(await theirs("list", "--json"))).toEqual(["Deploy It", "pdf"]);

    await theirs("remove", "Deploy It", "-y");
    expect(states(await ours("verify", "--json"))).toEqual({ pdf: "as-locked" });
    await ours("remove", "pdf");
    // The tool installs copies into folders of its own when it updates, which nobody else knows.
    expect(lock()).toEqual({});
  },
);

test.skipIf(CLI === undefined)("and on the skills of one user", { timeout: 120_000 }, async () => {
  const { publish, url, ours, theirs } = await openWorld();
  await theirs("add", url, "--skill", "pdf", "-g", "-y", "-a", "claude-code");
  expect(states(await ours("verify", "-g", "--json"))).toEqual({ pdf: "as-locked" });
  await ours("add", "-g", url, "deploy it");
  publish("second");
  await ours("update", "-g");
  expect(states(await ours("verify", "-g", "--json"))).toEqual(AS_LOCKED);
  await theirs("update", "-g", "-y");
  expect(states(await ours("verify", "-g", "--json"))).toEqual(AS_LOCKED);
  expect(names(await theirs("list", "-g", "--json"))).toEqual(["Deploy It", "pdf"]);
  await ours("remove", "-g", "pdf");
  expect(names(await theirs("list", "-g", "--json"))).toEqual(["Deploy It"]);
});

test.skipIf(CLI === undefined)(
  "the skills tool installs complete skills from a running server",
  { timeout: 120_000 },
  async () => {
    const { sandbox, ours, theirs } = await openWorld();
    const team = createSandbox();
    team.skill("project/.agents/skills/forms", { body: "Fill them." });
    team.write("project/.agents/skills/forms/scripts/fill.mjs", "export {};\n");
    await theirs("add", await serve(team), "-y", "-a", "claude-code", "codex");
    const installed = path.join(sandbox.project, ".agents/skills/forms");
    expect(readFileSync(path.join(installed, "SKILL.md"), "utf8")).toContain("Fill them.");
    expect(readFileSync(path.join(installed, "scripts/fill.mjs"), "utf8")).toBe("export {};\n");
    expect(states(await ours("verify", "--json"))).toEqual({ forms: "as-locked" });
  },
);
