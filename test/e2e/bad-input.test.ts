import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { BIN } from "../support/bin.ts";
import { connect, describedSkills, ERAS, namesIn } from "../support/client.ts";
import { connectInProcess, runCommand } from "../support/in-process.ts";
import { createSandbox, DISK_FOLDER, type Sandbox, skillText } from "../support/sandbox.ts";

const SKILLS = "project/.claude/skills";

interface Listing {
  readonly skills: readonly { readonly name: string; readonly description: string; readonly path: string }[];
  readonly diagnostics: readonly { readonly code: string; readonly file: string; readonly message: string }[];
}

/** A sandbox with one good skill, which must be served whatever lies beside it. */
function sandboxWithGoodSkill(base?: string): Sandbox {
  const sandbox = createSandbox(base);
  sandbox.skill(`${SKILLS}/good`);
  return sandbox;
}

async function list(sandbox: Sandbox, ...args: string[]): Promise<Listing & { readonly stderr: string }> {
  const { code, stdout, stderr } = await runCommand(sandbox, ["list", "--json", ...args]);
  expect(code).toBe(0);
  return { ...(JSON.parse(stdout) as Listing), stderr };
}

/** One line names the file and the reason, and everything else is served. */
function expectOneLine(
  listing: Listing & { readonly stderr: string },
  file: string,
  code: string,
  reason: RegExp,
): void {
  expect(listing.diagnostics).toEqual([expect.objectContaining({ code, file })]);
  const lines = listing.stderr.split("\n").filter((line) => line.includes(file));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(reason);
  expect(listing.skills.map((skill) => skill.name)).toContain("good");
}

describe("a broken SKILL.md is skipped with one line", () => {
  test.each([
    ["no front matter", "# Just text\n", "no-front-matter", /front matter/],
    ["an empty file", "", "no-front-matter", /front matter/],
    ["a half-written file", "---\nname: half\ndescr", "no-front-matter", /front matter/],
    ["no name", "---\ndescription: x\n---\n", "missing-name", /name/],
    ["no description", "---\nname: x\n---\n", "missing-description", /description/],
    ["a blank description", "---\nname: x\ndescription: '  '\n---\n", "missing-description", /description/],
    ["an unclosed list", "---\nname: x\ndescription: [a, b\n---\n", "front-matter-unreadable", /description/],
    ["an unclosed map", "---\nname: {\ndescription: x\n---\n", "front-matter-unreadable", /name/],
  ])("%s", async (_what, content, code, reason) => {
    const sandbox = sandboxWithGoodSkill();
    const file = sandbox.write(`${SKILLS}/bad/SKILL.md`, content);
    const listing = await list(sandbox);
    expectOneLine(listing, file, code, reason);
    expect(listing.skills).toHaveLength(1);
  });

  test("front matter that is code is never run", async () => {
    const sandbox = sandboxWithGoodSkill();
    const marker = sandbox.path("marker");
    const code = `require("fs").writeFileSync(${JSON.stringify(marker)}, "x")`;
    const file = sandbox.write(
      `${SKILLS}/js/SKILL.md`,
      `---js\n{ name: (${code}, "js"), description: "d" }\n---\n`,
    );
    expectOneLine(await list(sandbox), file, "front-matter-language", /never executed/);
    expect(existsSync(marker)).toBe(false);
  });

  test.each([
    ["nested brackets", `name: bomb\ndescription: d\nx: ${"[".repeat(30_000)}`],
    [
      "aliases",
      `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefgh".replace(/./g, (key) => `${key}: &${key} [*a,*a,*a,*a]\n`)}`,
    ],
    ["a tag", "name: bomb\ndescription: !!js/function 'function () { while (true); }'"],
    ["six thousand keys", Array.from({ length: 6_000 }, (_, key) => `key${key}: v`).join("\n")],
  ])("a YAML bomb of %s neither hangs nor crashes", async (_what, yaml) => {
    const sandbox = sandboxWithGoodSkill();
    sandbox.write(`${SKILLS}/bomb/SKILL.md`, `---\n${yaml}\n---\n`);
    expect((await list(sandbox)).skills.map((skill) => skill.name)).toContain("good");
  });

  test("__proto__ in front matter pollutes nothing", async () => {
    const sandbox = sandboxWithGoodSkill();
    sandbox.write(
      `${SKILLS}/proto/SKILL.md`,
      "---\nname: proto\ndescription: d\n__proto__:\n  polluted: yes\n---\n",
    );
    expect((await list(sandbox)).skills.map((skill) => skill.name)).toEqual(["good", "proto"]);
  });

  test("30 MB of SKILL.md is skipped with the limit named", async () => {
    const sandbox = sandboxWithGoodSkill();
    const file = sandbox.skill(`${SKILLS}/huge`);
    truncateSync(file, 30 * 1024 * 1024);
    expectOneLine(await list(sandbox), file, "too-large", /30\.0 MiB.*limit is 1 MiB/);
  });

  test("text that is not UTF-8 is skipped", async () => {
    const sandbox = sandboxWithGoodSkill();
    const latin1 = Buffer.from("---\nname: latin\ndescription: caf\xe9\n---\n", "latin1");
    const file = sandbox.write(`${SKILLS}/latin/SKILL.md`, latin1);
    expectOneLine(await list(sandbox), file, "not-utf8", /UTF-8/);
  });
});

describe("odd things on the disk", () => {
  test("a FIFO, a socket, a folder and a device called SKILL.md are never opened", async () => {
    const sandbox = sandboxWithGoodSkill();
    for (const kind of ["fifo", "socket", "device"]) mkdirSync(sandbox.path(SKILLS, kind));
    execFileSync("mkfifo", [sandbox.path(SKILLS, "fifo", "SKILL.md")]);
    mkdirSync(sandbox.path(SKILLS, "folder", "SKILL.md"), { recursive: true });
    symlinkSync("/dev/zero", sandbox.path(SKILLS, "device", "SKILL.md"));
    const socket = createServer();
    await new Promise<void>((resolve) => socket.listen(sandbox.path(SKILLS, "socket", "SKILL.md"), resolve));
    onTestFinished(() => void socket.close());
    const { diagnostics, skills } = await list(sandbox);
    expect(skills.map((skill) => skill.name)).toEqual(["good"]);
    const found = Object.fromEntries(
      diagnostics.map(({ code, file }) => [path.basename(path.dirname(file)), code]),
    );
    expect(found).toEqual({
      device: "not-a-file",
      fifo: "not-a-file",
      folder: "not-a-file",
      socket: "not-a-file",
    });
  });

  test("symlinked folders are followed once and loops end", async () => {
    const sandbox = sandboxWithGoodSkill(DISK_FOLDER);
    sandbox.skill("shared/foo");
    symlinkSync("../../../shared/foo", sandbox.path(SKILLS, "foo"));
    symlinkSync("../../../shared/foo", sandbox.path(SKILLS, "foo-again"));
    symlinkSync(".", sandbox.path(SKILLS, "self"));
    symlinkSync("../..", sandbox.path(SKILLS, "good", "up"));
    symlinkSync("nowhere", sandbox.path(SKILLS, "broken"));
    const { skills, diagnostics } = await list(sandbox);
    expect(skills.map((skill) => [skill.name, skill.path])).toEqual([
      ["foo", sandbox.path(SKILLS, "foo")],
      ["good", sandbox.path(SKILLS, "good")],
    ]);
    expect(diagnostics).toEqual([
      expect.objectContaining({ code: "broken-link", file: sandbox.path(SKILLS, "broken") }),
    ]);
  });

  test("the same real folder seen through two providers is one skill that answers to both", async () => {
    const sandbox = createSandbox();
    sandbox.skill("home/.claude/skills/pdf");
    mkdirSync(sandbox.path("home/.agents/skills"), { recursive: true });
    symlinkSync(sandbox.path("home/.claude/skills/pdf"), sandbox.path("home/.agents/skills/pdf"));
    expect((await list(sandbox)).skills.map((skill) => skill.name)).toEqual(["pdf"]);
    expect((await list(sandbox, "--include", "claude")).skills.map((skill) => skill.name)).toEqual(["pdf"]);
    expect((await runCommand(sandbox, ["info", "claude:pdf"])).code).toBe(0);
  });

  // Other systems do not let such a name come to be.
  test.skipIf(process.platform !== "linux").each(["folder", "link"])(
    "a %s whose name is not UTF-8 gets a line that says to rename it",
    async (kind) => {
      const sandbox = sandboxWithGoodSkill();
      const odd = Buffer.concat([Buffer.from(sandbox.path(SKILLS, "inv")), Buffer.from([0xff])]);
      sandbox.skill("elsewhere/inv");
      if (kind === "link") symlinkSync(sandbox.path("elsewhere/inv"), odd);
      else renameSync(sandbox.path("elsewhere/inv"), odd);
      // Node could not remove it either.
      onTestFinished(() => void execFileSync("rm", ["-rf", sandbox.project]));
      expectOneLine(
        await list(sandbox),
        sandbox.path(SKILLS, "inv\uFFFD"),
        "unreadable",
        /not valid UTF-8.*Rename it/,
      );
    },
  );

  test("node_modules with 5,000 files and .git are not entered", async () => {
    const sandbox = sandboxWithGoodSkill();
    sandbox.skill(`${SKILLS}/node_modules/dep/skill`);
    sandbox.skill(`${SKILLS}/.git/skill`);
    const modules = sandbox.path(SKILLS, "node_modules");
    for (let folder = 0; folder < 5; folder++) {
      const inner = path.join(modules, `package-${folder}`);
      mkdirSync(inner);
      for (let file = 0; file < 1_000; file++) writeFileSync(path.join(inner, `${file}`), "");
    }
    expect((await list(sandbox)).skills.map((skill) => skill.name)).toEqual(["good"]);
  });

  test("a skills root that is a file is named, and the other roots are served", async () => {
    const sandbox = sandboxWithGoodSkill();
    const file = sandbox.write("project/.codex/skills", "not a folder");
    expectOneLine(await list(sandbox), file, "root-not-a-folder", /not a folder/);
  });

  test("a folder named on the command line that is missing gets a line", async () => {
    const sandbox = sandboxWithGoodSkill();
    expectOneLine(
      await list(sandbox, "--skill-dir", "gone"),
      sandbox.path("project/gone"),
      "root-missing",
      /does not exist/,
    );
  });

  test("a broken installed_plugins.json is named, and everything else is served", async () => {
    const sandbox = sandboxWithGoodSkill();
    const file = sandbox.write("home/.claude/plugins/installed_plugins.json", '{"version": 1, "plugins": {');
    expectOneLine(await list(sandbox), file, "plugins-file", /not valid JSON/);
  });

  test("lower-case skill.md is served with a warning; of two spellings SKILL.md wins", async () => {
    const sandbox = sandboxWithGoodSkill();
    const lower = sandbox.write(`${SKILLS}/lower/skill.md`, skillText("lower", "d"));
    expectOneLine(await list(sandbox), lower, "file-name-case", /SKILL\.md/);
    sandbox.skill(`${SKILLS}/lower`, { name: "upper" });
    expect((await list(sandbox)).skills.map((skill) => skill.name)).toEqual(["good", "upper"]);
  });

  test("a name that looks like a path is served under one that can be typed", async () => {
    const sandbox = sandboxWithGoodSkill();
    sandbox.write(`${SKILLS}/cicd/SKILL.md`, skillText("CI/CD helper", "d"));
    sandbox.write(`${SKILLS}/up/SKILL.md`, skillText("../../etc/passwd", "d"));
    const names = (await list(sandbox)).skills.map((skill) => skill.name);
    expect(names).toEqual(["CI-CD helper", "etc-passwd", "good"]);
    expect((await runCommand(sandbox, ["info", "ci-cd helper"])).code).toBe(0);
  });

  test.skipIf(process.getuid?.() !== 0).each(ERAS)(
    "seed 002: permission denied, an unreadable folder or file is skipped with one line, protocol %s (run as nobody)",
    async (era) => {
      const sandbox = sandboxWithGoodSkill();
      const file = sandbox.skill(`${SKILLS}/secret`);
      const folder = sandbox.path(SKILLS, "closed");
      mkdirSync(folder);
      chmodSync(file, 0o000);
      chmodSync(folder, 0o000);
      for (const dir of ["", "project", "home"]) chmodSync(sandbox.path(dir), 0o755);
      // A copy of the bin, because the checkout may lie where nobody may go.
      cpSync(path.dirname(BIN), sandbox.path("dist"), { recursive: true });
      const asNobody = "process.setgid(65534); process.setuid(65534); import(process.argv[1]);";
      const script = ["-e", asNobody, sandbox.path("dist/cli.js")];
      const connection = await connect(sandbox, { era, script });
      expect(namesIn(await describedSkills(connection))).toEqual(["good"]);
      for (const denied of [file, folder]) {
        const linesOf = () =>
          connection
            .log()
            .split("\n")
            .filter((line) => line.includes(`skipped: ${denied}:`));
        await expect.poll(linesOf).toEqual([expect.stringContaining("permission denied") as string]);
      }
    },
  );

  test("the server starts with all of it and serves the good skill", async () => {
    const sandbox = sandboxWithGoodSkill();
    const file = sandbox.write(`${SKILLS}/bad/SKILL.md`, "nothing");
    const { log, ...connection } = await connectInProcess(sandbox, { era: "2025-11-25" });
    expect(namesIn(await describedSkills({ log, ...connection }))).toEqual(["good"]);
    expect(
      log()
        .split("\n")
        .filter((line) => line.includes(file)),
    ).toHaveLength(1);
    expect(log()).toMatch(/^\S+Z info {2}ready: 1 skill, 1 problem above$/m);
  });
});
