import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { commandJson, runCommand } from "../support/in-process.ts";
import { createOrigin } from "../support/origin.ts";
import { createSandbox, type Sandbox, skillText } from "../support/sandbox.ts";

const installed = ({ project }: Sandbox, ...parts: string[]): string =>
  path.join(project, ".agents/skills", ...parts);
const read = (file: string): string => readFileSync(file, "utf8");
const lockText = ({ project }: Sandbox): string => read(path.join(project, "skills-lock.json"));
const lockOf = (sandbox: Sandbox) => JSON.parse(lockText(sandbox)).skills;

/** A project with `pdf`, and `.claude/skills/pdf`, from a repository. */
async function withInstalled(...flags: readonly string[]) {
  const sandbox = createSandbox();
  const origin = createOrigin(sandbox.path());
  origin.commit({ "skills/pdf/SKILL.md": skillText("pdf", "Reads PDF files.", "one\n") });
  const args = ["add", origin.fileUrl, "--agent", "claude", ...flags];
  expect((await runCommand(sandbox, args)).code).toBe(0);
  return { sandbox, url: origin.fileUrl, link: path.join(sandbox.project, ".claude/skills/pdf") };
}

describe("a source never takes over a skill of another one", () => {
  test("add . finds no skill in what is installed, and leaves the lock as it is", async () => {
    for (const flags of [[], ["--copy"]]) {
      const { sandbox } = await withInstalled(...flags);
      const before = lockText(sandbox);
      const { code, stderr } = await runCommand(sandbox, ["add", "."]);
      expect(code).toBe(1);
      expect(stderr).toBe(
        `skills-mcp: '.' contains no skill besides what is installed in ${installed(sandbox)}.\n`,
      );
      sandbox.skill("project/skills/own");
      const { stdout } = await runCommand(sandbox, ["add", "."]);
      expect(stdout).toMatch(/^add +own +\., 1 file\n/);
      expect(lockOf(sandbox).pdf).toEqual(JSON.parse(before).skills.pdf);
    }
  });

  test("a skill of the same content is a conflict, whether it is on the disk or not, and --replace takes it", async () => {
    const { sandbox, url } = await withInstalled();
    sandbox.write("project/skills/pdf/SKILL.md", skillText("pdf", "Reads PDF files.", "one\n"));
    const before = lockText(sandbox);
    const commit = lockOf(sandbox).pdf.skillsMcp.commit.slice(0, 7);
    for (const isThere of [true, false]) {
      if (!isThere) rmSync(installed(sandbox, "pdf"), { recursive: true });
      const { code, stdout } = await runCommand(sandbox, ["add", "."]);
      expect(code).toBe(1);
      expect(stdout).toMatch(/^conflict +pdf +\.\n/);
      expect(stdout).toContain(`pdf is installed from ${url}@${commit}; --replace takes it from .`);
      expect(lockText(sandbox)).toBe(before);
    }
    expect((await runCommand(sandbox, ["sync"])).code).toBe(0);
    const replaced = await runCommand(sandbox, ["add", ".", "--replace"]);
    expect([replaced.code, replaced.stdout]).toEqual([
      0,
      expect.stringMatching(`^update +pdf +\\., instead of ${url}@${commit}\n`),
    ]);
    expect(lockOf(sandbox).pdf).toMatchObject({ source: ".", sourceType: "local" });
    expect((await runCommand(sandbox, ["undo"])).code).toBe(0);
    expect(lockText(sandbox)).toBe(before);
  });
});

describe("several skills of one name in a source", () => {
  const TWO = {
    "plugins/a/skills/review/SKILL.md": skillText("review", "The one of a."),
    "plugins/b/skills/review/SKILL.md": skillText("review", "The one of b."),
    "plugins/b/skills/review/check.md": "check\n",
    "plugins/b/skills/lint/SKILL.md": skillText("lint", "Lints."),
  };
  const PLUGINS = {
    "plugins/a/.claude-plugin/plugin.json": JSON.stringify({ name: "a" }),
    "plugins/b/.claude-plugin/plugin.json": JSON.stringify({ name: "b" }),
  };
  const withSource = (files: Readonly<Record<string, string>>): Sandbox => {
    const sandbox = createSandbox();
    for (const [file, text] of Object.entries(files)) sandbox.write(`source/${file}`, text);
    return sandbox;
  };

  test("one is installed; the other is named with the way to take it, which works", async () => {
    const sandbox = withSource(TWO);
    const { code, stdout } = await runCommand(sandbox, ["add", "../source", "--all"]);
    expect(code).toBe(0);
    const way = "add ../source plugins/b/skills/review";
    expect(stdout).toContain(
      `left out  review  plugins/b/skills/review: plugins/a/skills/review has the same name. To take it: skills-mcp ${way}\n`,
    );
    expect(read(installed(sandbox, "review/SKILL.md"))).toContain("The one of a.");
    const other = await runCommand(sandbox, way.split(" "));
    expect(other.code).toBe(1);
    expect(other.stdout).toContain(
      "review is installed from plugins/a/skills/review of ../source; --replace takes plugins/b/skills/review",
    );
    expect((await runCommand(sandbox, [...way.split(" "), "--replace"])).code).toBe(0);
    expect(readdirSync(installed(sandbox, "review")).sort()).toEqual(["SKILL.md", "check.md"]);
    // It is the one that an update means from then on.
    sandbox.write("source/plugins/b/skills/review/check.md", "more\n");
    expect((await runCommand(sandbox, ["update", "review"])).code).toBe(0);
    expect(read(installed(sandbox, "review/check.md"))).toBe("more\n");
  });

  test("those of plugins are installed beside each other, by the names that agents see", async () => {
    const sandbox = withSource({ ...TWO, ...PLUGINS });
    const refused = await runCommand(sandbox, ["add", "../source", "review"]);
    expect(refused.stderr).toContain("several skills 'review': a:review, b:review. Name one of these.");
    expect((await runCommand(sandbox, ["add", "../source", "b:review"])).code).toBe(0);
    expect(readdirSync(installed(sandbox))).toEqual(["b-review"]);
    const { stdout } = await runCommand(sandbox, ["add", "../source", "--all"]);
    expect(stdout).toMatch(/^add +a-review +\.\.\/source, 1 file, a:review in its source$/m);
    expect(stdout).toMatch(/^keep +b-review /m);
    expect(stdout).not.toContain("left out");
    expect(readdirSync(installed(sandbox)).sort()).toEqual(["a-review", "b-review", "lint"]);
    const { skills } = (await commandJson(sandbox, "list", "--json")) as { skills: { name: string }[] };
    expect(skills.map(({ name }) => name).sort()).toEqual(["a-review", "b-review", "lint"]);
    expect((await runCommand(sandbox, ["verify"])).code).toBe(0);
    sandbox.write("source/plugins/b/skills/review/SKILL.md", skillText("review", "A new one of b."));
    expect((await runCommand(sandbox, ["update", "b:review"])).code).toBe(0);
    expect(read(installed(sandbox, "b-review/SKILL.md"))).toBe(
      "---\nname: b-review\ndescription: A new one of b.\n---\n\n",
    );
    rmSync(installed(sandbox), { recursive: true });
    rmSync(path.join(sandbox.home, ".skills-mcp"), { recursive: true });
    expect((await runCommand(sandbox, ["sync", "--frozen"])).code).toBe(0);
    expect((await runCommand(sandbox, ["verify"])).code).toBe(0);
    expect((await runCommand(sandbox, ["remove", "a:review"])).code).toBe(0);
    expect(readdirSync(installed(sandbox)).sort()).toEqual(["b-review", "lint"]);
  });

  test("real folders come before agents' folders and links, and the lock has no hash of nothing", async () => {
    const sandbox = createSandbox();
    const { fileUrl, commit } = createOrigin(sandbox.path());
    commit({
      ".codex-plugin/plugin.json": JSON.stringify({ name: "everything" }),
      "team/playwright/.claude-plugin/plugin.json": JSON.stringify({ name: "pw" }),
      "team/playwright/skills/migrate/SKILL.md": skillText("migrate", "Migrates."),
      "team/playwright/skills/migrate/mapping.md": "mapping\n",
      ".gemini/skills/migrate/SKILL.md": { link: "../../../team/playwright/skills/migrate/SKILL.md" },
      "team/a11y/SKILL.md": skillText("a11y", "Audits."),
      "team/a11y/scripts/scan.py": "pass\n",
      "commands/a11y.md": skillText("a11y", "A slash command."),
      "commands/plan.md": skillText("plan", "Another one."),
      ".gemini/skills/cmd-a11y/SKILL.md": { link: "../../../commands/a11y.md" },
      ".gemini/skills/cmd-plan/SKILL.md": { link: "../../../commands/plan.md" },
      ".claude/skills/a11y/SKILL.md": skillText("a11y", "A copy without its script."),
    });
    const { stdout } = await runCommand(sandbox, ["add", fileUrl, "--all", "--json"]);
    const { leftOut } = JSON.parse(stdout) as { leftOut: unknown };
    expect(leftOut).toEqual([
      { name: "a11y", path: ".claude/skills/a11y", instead: "team/a11y" },
      { name: "a11y", path: ".gemini/skills/cmd-a11y", instead: "team/a11y" },
    ]);
    expect(readdirSync(installed(sandbox)).sort()).toEqual(["a11y", "migrate", "plan"]);
    expect(existsSync(installed(sandbox, "migrate/mapping.md"))).toBe(true);
    expect(existsSync(installed(sandbox, "a11y/scripts/scan.py"))).toBe(true);
    for (const { computedHash } of Object.values<{ computedHash: string }>(lockOf(sandbox)))
      expect(computedHash).not.toMatch(/^e3b0c442/);
    expect((await runCommand(sandbox, ["verify"])).code).toBe(0);
  });
});

describe("the links that add --agent made", () => {
  test("are in the lock, and sync makes them again on another machine, with --frozen too", async () => {
    for (const flag of [[], ["--frozen"]]) {
      const { sandbox, link } = await withInstalled();
      expect(lockOf(sandbox).pdf.skillsMcp.links).toEqual([".claude/skills/pdf"]);
      for (const folder of [".agents", ".claude"])
        rmSync(path.join(sandbox.project, folder), { recursive: true });
      rmSync(path.join(sandbox.home, ".skills-mcp"), { recursive: true });
      const { code, stdout } = await runCommand(sandbox, ["sync", ...flag]);
      expect([code, stdout]).toEqual([0, expect.stringContaining("also in .claude/skills/pdf")]);
      expect(lstatSync(link).isSymbolicLink()).toBe(true);
      expect(read(path.join(link, "SKILL.md"))).toContain("one");
    }
  });

  test("are reported by verify when they are missing, restored by sync, and taken back by undo", async () => {
    const { sandbox, link } = await withInstalled();
    rmSync(link);
    const verified = await runCommand(sandbox, ["verify", "--json"]);
    expect(verified.code).toBe(1);
    expect(JSON.parse(verified.stdout).skills).toMatchObject([
      { name: "pdf", state: "unlinked", files: [".claude/skills/pdf"] },
    ]);
    expect((await runCommand(sandbox, ["verify"])).stdout).toContain("skills-mcp sync");
    expect((await runCommand(sandbox, ["sync", "--dry-run"])).stdout).toMatch(
      /^update +pdf .*again in \.claude\/skills\/pdf/,
    );
    expect(existsSync(link)).toBe(false);
    expect((await runCommand(sandbox, ["sync"])).code).toBe(0);
    expect((await runCommand(sandbox, ["verify"])).code).toBe(0);
    const undone = await runCommand(sandbox, ["undo"]);
    expect([undone.code, undone.stdout]).toEqual([0, expect.stringContaining(`without ${link}`)]);
    expect(existsSync(link)).toBe(false);
    expect(existsSync(installed(sandbox, "pdf/SKILL.md"))).toBe(true);
  });

  test("are restored beside an edit, and what someone put in their place stays", async () => {
    const { sandbox, link } = await withInstalled();
    rmSync(link);
    writeFileSync(installed(sandbox, "pdf/SKILL.md"), skillText("pdf", "Mine."));
    expect((await runCommand(sandbox, ["sync"])).code).toBe(0);
    expect(read(path.join(link, "SKILL.md"))).toContain("Mine.");
    rmSync(link);
    writeFileSync(link, "notes\n");
    const kept = await runCommand(sandbox, ["sync"]);
    expect([kept.code, kept.stdout]).toEqual([
      0,
      expect.stringContaining(`${link} is not what the lock says`),
    ]);
    expect(read(link)).toBe("notes\n");
  });

  test("that lead nowhere on a fresh clone are no obstacle, and remove takes them with the entry", async () => {
    const { sandbox, link } = await withInstalled();
    rmSync(path.join(sandbox.project, ".agents"), { recursive: true });
    expect((await runCommand(sandbox, ["sync", "--frozen"])).code).toBe(0);
    expect(read(path.join(link, "SKILL.md"))).toContain("one");
    rmSync(path.join(sandbox.project, ".agents"), { recursive: true });
    expect((await runCommand(sandbox, ["remove", "pdf"])).code).toBe(0);
    expect(lstatSync(link, { throwIfNoEntry: false })).toBe(undefined);
    expect(lockOf(sandbox)).toEqual({});
  });

  test("to other places are not made because a lock says so", async () => {
    const { sandbox } = await withInstalled();
    const file = path.join(sandbox.project, "skills-lock.json");
    symlinkSync(sandbox.home, sandbox.path("elsewhere"));
    const changed = lockText(sandbox).replace('".claude/skills/pdf"', '"../elsewhere/pdf", "src/pdf"');
    expect(changed).toContain("elsewhere");
    writeFileSync(file, changed);
    rmSync(path.join(sandbox.project, ".agents"), { recursive: true });
    expect((await runCommand(sandbox, ["sync"])).code).toBe(0);
    expect(readdirSync(sandbox.home)).not.toContain("pdf");
    expect(existsSync(path.join(sandbox.project, "src"))).toBe(false);
  });

  test("copies are restored as well", async () => {
    const { sandbox, link } = await withInstalled("--copy");
    for (const folder of [".agents", ".claude"])
      rmSync(path.join(sandbox.project, folder), { recursive: true });
    expect((await runCommand(sandbox, ["sync"])).code).toBe(0);
    expect(lstatSync(link).isDirectory()).toBe(true);
    expect((await runCommand(sandbox, ["verify"])).code).toBe(0);
  });
});
