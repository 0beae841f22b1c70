import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { commandJson, runCommand } from "../support/in-process.ts";
import { createOrigin } from "../support/origin.ts";
import { createSandbox, type Sandbox, skillText } from "../support/sandbox.ts";

const BODY = "one\ntwo\nthree\nfour\nfive\n";

const installed = ({ project }: Sandbox, ...parts: string[]): string =>
  path.join(project, ".agents/skills", ...parts);
const read = (file: string): string => readFileSync(file, "utf8");

/** Version `version` of the skill `pdf` in `source/`. */
function publish({ write }: Sandbox, version: number): void {
  write("source/skills/pdf/SKILL.md", skillText("pdf", "Reads PDF files.", `version ${version}\n${BODY}`));
  write("source/skills/pdf/scripts/run.sh", `echo ${version}\n`);
  write("source/skills/pdf/notes.md", `notes ${version}\n`);
}

async function withInstalled(): Promise<Sandbox> {
  const sandbox = createSandbox();
  publish(sandbox, 1);
  expect((await runCommand(sandbox, ["add", "../source"])).code).toBe(0);
  return sandbox;
}

/** The files of the trash, each from the folder of its skill on. */
function inTrash({ home }: Sandbox): readonly string[] {
  const trash = path.join(home, ".skills-mcp/trash");
  return readdirSync(trash, { recursive: true, encoding: "utf8" })
    .map((file) => file.split(path.sep).slice(3).join("/"))
    .filter((file) => file !== "");
}

/** What a source never has, and people put beside its files. */
function addOwnThings(sandbox: Sandbox): void {
  const own = (...parts: string[]) => installed(sandbox, "pdf", ...parts);
  mkdirSync(own("node_modules/left-pad"), { recursive: true });
  writeFileSync(own("node_modules/left-pad/index.js"), "mine");
  mkdirSync(own(".git"));
  writeFileSync(own(".git/HEAD"), "ref: refs/heads/main\n");
  mkdirSync(own("scripts/output"));
  chmodSync(own("scripts/run.sh"), 0o755);
}

describe("an update keeps what people have beside a skill's files", () => {
  test("node_modules, a repository, an empty folder, the x bit and a link", async () => {
    const sandbox = await withInstalled();
    addOwnThings(sandbox);
    symlinkSync("../../../data", installed(sandbox, "pdf/data"));
    publish(sandbox, 2);
    const { code, stdout } = await runCommand(sandbox, ["update"]);
    expect(code, stdout).toBe(0);
    expect(stdout).toContain("1 edited by you");
    expect(stdout).not.toMatch(/^ +- /m);
    const own = (...parts: string[]) => installed(sandbox, "pdf", ...parts);
    expect(read(own("scripts/run.sh"))).toBe("echo 2\n");
    expect(statSync(own("scripts/run.sh")).mode & 0o111).toBe(0o111);
    expect(read(own("node_modules/left-pad/index.js"))).toBe("mine");
    expect(read(own(".git/HEAD"))).toContain("refs/heads/main");
    expect(readdirSync(own("scripts/output"))).toEqual([]);
    expect(readlinkSync(own("data"))).toBe("../../../data");
  });

  test("node_modules in the copy of an agent", async () => {
    const sandbox = createSandbox();
    publish(sandbox, 1);
    const args = ["add", "../source", "--agent", "claude", "--copy"];
    expect((await runCommand(sandbox, args)).code).toBe(0);
    const own = sandbox.write("project/.claude/skills/pdf/node_modules/left-pad/index.js", "mine");
    publish(sandbox, 2);
    expect((await runCommand(sandbox, ["update"])).code).toBe(0);
    expect(read(own)).toBe("mine");
    expect(read(path.join(sandbox.project, ".claude/skills/pdf/notes.md"))).toBe("notes 2\n");
  });

  test("--keep-mine keeps a link in the place of a file, and says so only of what stays", async () => {
    const sandbox = await withInstalled();
    const link = installed(sandbox, "pdf/notes.md");
    rmSync(link);
    symlinkSync("elsewhere.md", link);
    publish(sandbox, 2);
    expect((await runCommand(sandbox, ["update"])).code).toBe(1);
    const plan = (await commandJson(sandbox, "update", "--keep-mine", "--json")) as {
      plan: { files: { kept: string[]; removed: string[] } }[];
    };
    expect(plan.plan[0]?.files).toMatchObject({ kept: ["notes.md"], removed: [] });
    expect(readlinkSync(link)).toBe("elsewhere.md");
    expect(read(installed(sandbox, "pdf/SKILL.md"))).toContain("version 2");
  });

  test("a link in the place of a folder that the source adds is a conflict, and nothing is written through it", async () => {
    const sandbox = await withInstalled();
    mkdirSync(sandbox.path("outside"));
    symlinkSync(sandbox.path("outside"), installed(sandbox, "pdf/assets"));
    publish(sandbox, 2);
    sandbox.write("source/skills/pdf/assets/logo.svg", "<svg/>");
    const { code, stdout } = await runCommand(sandbox, ["update"]);
    expect(code).toBe(1);
    expect(stdout).toContain("edited by hand and changed by its source: assets");
    expect((await runCommand(sandbox, ["update", "--keep-mine"])).code).toBe(0);
    expect(lstatSync(installed(sandbox, "pdf/assets")).isSymbolicLink()).toBe(true);
    expect(readdirSync(sandbox.path("outside"))).toEqual([]);
  });

  test("--force names what it drops, and the trash has it", async () => {
    const sandbox = await withInstalled();
    addOwnThings(sandbox);
    symlinkSync("elsewhere.md", installed(sandbox, "pdf/link.md"));
    publish(sandbox, 2);
    const { code, stdout } = await runCommand(sandbox, ["update", "--force"]);
    expect(code).toBe(0);
    expect(stdout).toContain("without your .git/, node_modules/, scripts/output/, x bit of scripts/run.sh");
    expect(stdout).toContain("- link.md\n");
    expect(readdirSync(installed(sandbox, "pdf")).sort()).toEqual(["SKILL.md", "notes.md", "scripts"]);
    expect(inTrash(sandbox)).toEqual(
      expect.arrayContaining(["node_modules/left-pad/index.js", ".git/HEAD", "scripts/output", "link.md"]),
    );
  });
});

describe("a disabled skill", () => {
  async function withDisabled(): Promise<Sandbox> {
    const sandbox = await withInstalled();
    renameSync(installed(sandbox, "pdf/SKILL.md"), installed(sandbox, "pdf/.SKILL.md"));
    return sandbox;
  }

  test("stays disabled after update --force", async () => {
    const sandbox = await withDisabled();
    writeFileSync(installed(sandbox, "pdf/notes.md"), "edited\n");
    publish(sandbox, 2);
    expect((await runCommand(sandbox, ["update", "--force"])).code).toBe(0);
    expect(existsSync(installed(sandbox, "pdf/SKILL.md"))).toBe(false);
    expect(read(installed(sandbox, "pdf/.SKILL.md"))).toContain("version 2");
    expect(read(installed(sandbox, "pdf/notes.md"))).toBe("notes 2\n");
  });

  test("that was edited is merged like any other, and stays disabled", async () => {
    const sandbox = await withDisabled();
    const file = installed(sandbox, "pdf/.SKILL.md");
    writeFileSync(file, read(file).replace("five", "five, edited"));
    publish(sandbox, 2);
    const { code, stdout } = await runCommand(sandbox, ["update"]);
    expect(code, stdout).toBe(0);
    expect(existsSync(installed(sandbox, "pdf/SKILL.md"))).toBe(false);
    expect(read(file)).toContain("version 2");
    expect(read(file)).toContain("five, edited");
  });
});

describe("names", () => {
  test.each(["constructor", "__proto__", "toString"])(
    "a file named %s that is removed is seen by verify, update and the diff of approve",
    async (name) => {
      const sandbox = createSandbox();
      publish(sandbox, 1);
      sandbox.write(`source/skills/pdf/${name}`, "text\n");
      sandbox.write("home/.skills-mcp/trust.yaml", 'review: ["*"]\n');
      expect((await runCommand(sandbox, ["add", "../source"])).code).toBe(0);
      expect((await runCommand(sandbox, ["approve", "pdf"])).code).toBe(0);
      rmSync(installed(sandbox, "pdf", name));
      expect(await commandJson(sandbox, "verify", "--json")).toMatchObject({
        skills: [{ state: "edited", files: [`${name} (removed)`] }],
      });
      const review = await runCommand(sandbox, ["approve", "pdf", "--diff", "--dry-run"]);
      expect(review.stdout).toContain(`--- a/${name}`);
      rmSync(sandbox.path("source/skills/pdf", name));
      sandbox.write(`project/.agents/skills/pdf/${name}`, "text\n");
      const update = await runCommand(sandbox, ["update", "--dry-run"]);
      expect(update.stdout).toContain(`- ${name}\n`);
    },
  );

  test("two names that give one folder are a conflict that names both", async () => {
    const sandbox = createSandbox();
    sandbox.write("one/SKILL.md", skillText("pdf tools", "One.", "one\n"));
    sandbox.write("two/SKILL.md", skillText("pdf-tools", "Two.", "two\n"));
    expect((await runCommand(sandbox, ["add", "../one"])).code).toBe(0);
    for (const flags of [[], ["--replace"]]) {
      const { code, stdout } = await runCommand(sandbox, ["add", "../two", ...flags]);
      expect(code).toBe(1);
      expect(stdout).toContain(`${installed(sandbox, "pdf-tools")} is the folder of 'pdf tools' as well.`);
    }
    // As another tool may have written it.
    const file = path.join(sandbox.project, "skills-lock.json");
    const lock = JSON.parse(read(file));
    lock.skills["pdf-tools"] = { source: "../two", sourceType: "local", computedHash: "0" };
    writeFileSync(file, JSON.stringify(lock));
    sandbox.write("one/SKILL.md", skillText("pdf tools", "One.", "one, changed\n"));
    for (const round of [1, 2]) {
      const { code, stdout } = await runCommand(sandbox, ["update"]);
      expect(code, `round ${round}`).toBe(1);
      expect(stdout).toContain("Remove one of them first: skills-mcp remove 'pdf-tools'");
      expect(stdout).not.toContain("run the command again");
    }
    expect((await runCommand(sandbox, ["remove", "pdf-tools"])).code).toBe(0);
    expect((await runCommand(sandbox, ["sync"])).code).toBe(0);
    expect((await runCommand(sandbox, ["update"])).code).toBe(0);
    expect(read(installed(sandbox, "pdf-tools/SKILL.md"))).toContain("one, changed");
  });
});

describe("one bad skill or entry does not stop the others", () => {
  test("add --all leaves out a skill with a link loop", async () => {
    const sandbox = createSandbox();
    const origin = createOrigin(sandbox.path());
    origin.commit({
      "skills/pdf/SKILL.md": skillText("pdf", "Reads PDF files."),
      "skills/loop/SKILL.md": skillText("loop", "Loops."),
      "skills/loop/again": { link: "." },
      "skills/circle/SKILL.md": skillText("circle", "Goes in circles."),
      "skills/circle/one": { link: "two" },
      "skills/circle/two": { link: "one" },
    });
    const { code, stdout } = await runCommand(sandbox, ["add", origin.fileUrl, "--all"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^conflict +loop/m);
    expect(stdout).toContain("'again' is a link");
    expect(existsSync(installed(sandbox, "pdf/SKILL.md"))).toBe(true);
    expect(existsSync(installed(sandbox, "loop"))).toBe(false);
  });

  test("update says of each skill that its source no longer has why it stays", async () => {
    const sandbox = createSandbox();
    publish(sandbox, 1);
    sandbox.skill("source/skills/one");
    sandbox.skill("source/skills/two");
    expect((await runCommand(sandbox, ["add", "../source", "--all"])).code).toBe(0);
    for (const name of ["one", "two"]) rmSync(sandbox.path("source/skills", name), { recursive: true });
    const { stdout } = await runCommand(sandbox, ["update"]);
    for (const name of ["one", "two"]) expect(stdout).toContain(`Remove it with skills-mcp remove ${name}`);
  });

  test.each(["file:///etc", "nowhere", "ftp://example.com/"])(
    "a lock with a site at %s: outdated, update and sync name it and go on",
    async (sourceUrl) => {
      const sandbox = await withInstalled();
      const file = path.join(sandbox.project, "skills-lock.json");
      const lock = JSON.parse(read(file));
      lock.skills.site = { source: "x", sourceType: "well-known", sourceUrl, computedHash: "0" };
      writeFileSync(file, JSON.stringify(lock));
      publish(sandbox, 2);
      const outdated = await runCommand(sandbox, ["outdated"]);
      expect(outdated.stdout).toContain("a well-known source cannot be asked");
      expect([0, 1]).toContain(outdated.code);
      for (const command of ["update", "sync"]) {
        const { code, stdout } = await runCommand(sandbox, [command]);
        expect([0, 1], stdout).toContain(code);
        expect(stdout).toContain("its source (well-known) is not one that can be fetched");
      }
      expect(read(installed(sandbox, "pdf/SKILL.md"))).toContain("version 2");
    },
  );
});
