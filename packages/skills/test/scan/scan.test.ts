import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, truncateSync, utimesSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createSandbox, DISK_FOLDER, type Sandbox, skillText } from "../../../../test/support/sandbox.ts";
import { buildCatalog } from "../../src/catalog/catalog.ts";
import { planRoots } from "../../src/roots/roots.ts";
import { createScanner, type ScanOptions, type ScanResult } from "../../src/scan/scan.ts";

const isRoot = process.getuid?.() === 0;

/** A scanner of the sandbox's project and home, and of the folders that are named. */
function scannerOf(sandbox: Sandbox, options: Partial<ScanOptions> & { skillDirs?: readonly string[] } = {}) {
  const { skillDirs = [], ...rest } = options;
  const roots = planRoots({ cwd: sandbox.project, home: sandbox.home, skillDirs, defaultDirs: true });
  return createScanner({ roots, now: Date.now, ...rest });
}

const namesOf = (skills: ScanResult["enabled"]) => skills.map((skill) => skill.name);
const listing = (result: ScanResult) => buildCatalog(result.enabled).entries;

describe("roots", () => {
  test("nothing on the disk is nothing to report: missing default folders are silent", async () => {
    const { enabled, disabled, diagnostics, folders, awaited } = await scannerOf(
      createSandbox(DISK_FOLDER),
    )();
    expect({ enabled, disabled, diagnostics, folders: [...folders] }).toEqual({
      enabled: [],
      disabled: [],
      diagnostics: [],
      folders: [],
    });
    expect(awaited.length).toBeGreaterThan(8);
  });

  test("a missing named folder is a warning, and it is awaited", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    const { diagnostics, awaited } = await scannerOf(sandbox, { skillDirs: ["mine"] })();
    const dir = sandbox.path("project/mine");
    expect(diagnostics).toMatchObject([{ severity: "warning", code: "root-missing", file: dir }]);
    expect(awaited).toContain(dir);
  });

  test("a root that is a file says so and leaves the others alone", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    const file = sandbox.write("project/.claude/skills", "not a folder");
    sandbox.skill("project/.codex/skills/pdf");
    const { enabled, diagnostics, awaited } = await scannerOf(sandbox)();
    expect(namesOf(enabled)).toEqual(["pdf"]);
    expect(diagnostics).toMatchObject([{ severity: "error", code: "root-not-a-folder", file }]);
    expect(awaited).toContain(file);
  });

  test("a root below a file is a missing one", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.write("project/.claude", "not a folder");
    expect((await scannerOf(sandbox)()).diagnostics).toEqual([]);
  });

  test("a root whose link leads nowhere is a missing one", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    symlinkSync("/nowhere", sandbox.path("project/mine"));
    const { diagnostics } = await scannerOf(sandbox, { skillDirs: ["mine"] })();
    expect(diagnostics).toMatchObject([{ severity: "warning", code: "root-missing" }]);
  });

  // Root reads every folder; the suite that runs as another user covers it there.
  test.skipIf(isRoot)(
    "a folder that may not be read is an error that says what to do (not as root)",
    async () => {
      const sandbox = createSandbox(DISK_FOLDER);
      sandbox.skill("project/.claude/skills/open");
      sandbox.skill("project/.claude/skills/closed/inner");
      const closed = sandbox.path("project/.claude/skills/closed");
      chmodSync(closed, 0o000);
      try {
        const { enabled, diagnostics } = await scannerOf(sandbox)();
        expect(namesOf(enabled)).toEqual(["open"]);
        expect(diagnostics).toMatchObject([{ severity: "error", code: "unreadable", file: closed }]);
        expect(diagnostics[0]?.message).toMatch(/permission/);
      } finally {
        chmodSync(closed, 0o755);
      }
    },
  );
});

describe("priority", () => {
  test("the project's copy wins over the user's, which is shadowed and not lost (N1)", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill("project/.claude/skills/pdf");
    sandbox.skill("home/.claude/skills/pdf");
    expect(listing(await scannerOf(sandbox)())).toMatchObject([
      {
        listedAs: "pdf",
        skill: { location: "project", dir: sandbox.path("project/.claude/skills/pdf") },
        shadowed: [{ location: "user", dir: sandbox.path("home/.claude/skills/pdf") }],
      },
    ]);
  });

  test("a named folder wins, however much newer the other copy is (N6)", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    const old = sandbox.skill("project/mine/pdf");
    utimesSync(old, 1, 1);
    sandbox.skill("project/.claude/skills/pdf");
    const result = await scannerOf(sandbox, { skillDirs: ["mine"] })();
    expect(namesOf(result.enabled)).toEqual(["pdf", "pdf"]);
    expect(listing(result).find((entry) => entry.listedAs === "pdf")?.skill.provider).toBe("file");
  });

  test("one real folder seen through several roots is one skill (N7)", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill("shared/foo");
    for (const agent of ["project/.agents", "project/.claude", "home/.codex"]) {
      mkdirSync(sandbox.path(agent, "skills"), { recursive: true });
      symlinkSync(sandbox.path("shared/foo"), sandbox.path(agent, "skills/foo"));
    }
    const entries = listing(await scannerOf(sandbox)());
    expect(entries).toMatchObject([{ listedAs: "foo", skill: { provider: "agents" } }]);
    expect(entries[0]?.alsoSeen.map((skill) => skill.provider)).toEqual(["claude", "codex"]);
  });

  test("the skills of a plugin come last and carry its name; a missing install folder is a warning", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill("home/.claude/plugins/cache/docs/skills/pdf");
    sandbox.skill("home/.claude/skills/pdf");
    const plugins = {
      "docs@acme": { installPath: "cache/docs" },
      "gone@acme": { installPath: "cache/gone" },
    };
    const file = sandbox.write("home/.claude/plugins/installed_plugins.json", JSON.stringify({ plugins }));
    const { enabled, diagnostics, awaited } = await scannerOf(sandbox, {
      plugins: {
        file,
        root: sandbox.path("home/.claude/plugins"),
        settingsFile: sandbox.path("home/.claude/settings.json"),
        named: false,
      },
    })();
    expect(enabled.map((skill) => [skill.location, skill.plugin?.name])).toEqual([
      ["user", undefined],
      ["plugin", "docs"],
    ]);
    expect(diagnostics).toMatchObject([{ severity: "warning", code: "root-missing" }]);
    expect(diagnostics[0]?.message).toContain("gone@acme");
    expect(awaited).toEqual(expect.arrayContaining([file, sandbox.path("home/.claude/settings.json")]));
  });
});

describe("files", () => {
  test.each<[string, string, string | Uint8Array, RegExp]>([
    ["no front matter", "no-front-matter", "# Just a heading\n", /./],
    ["not UTF-8", "not-utf8", Buffer.from("---\nname: caf\xe9\ndescription: x\n---\n", "latin1"), /UTF-8/],
    ["UTF-16", "not-utf8", Buffer.from(`\uFEFF${skillText("a", "b")}`, "utf16le"), /UTF-8/],
  ])("%s is skipped with a reason that names the file", async (_case, code, content, message) => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill("project/.claude/skills/good");
    const file = sandbox.write("project/.claude/skills/bad/SKILL.md", content);
    const { enabled, diagnostics } = await scannerOf(sandbox)();
    expect(namesOf(enabled)).toEqual(["good"]);
    expect(diagnostics).toMatchObject([{ severity: "error", code, file }]);
    expect(diagnostics[0]?.message).toMatch(message);
  });

  test("a SKILL.md of 30 MB is skipped, and the limit is named", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    const file = sandbox.skill("project/.claude/skills/huge");
    truncateSync(file, 30 * 1024 * 1024);
    const { enabled, diagnostics } = await scannerOf(sandbox)();
    expect(enabled).toEqual([]);
    expect(diagnostics).toMatchObject([{ severity: "error", code: "too-large", file }]);
    expect(diagnostics[0]?.message).toMatch(/30\.0 MiB.*limit is 1 MiB/);
  });

  test("a front matter longer than the first read is read whole, a letter cut in two by it included", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    // Two-byte letters around byte 4,096, at even and at odd offsets.
    for (const pad of ["", "x"]) {
      const description = `${pad}${"é".repeat(3_000)} end`;
      sandbox.skill(`project/.claude/skills/long${pad}`, { description });
    }
    const { enabled, diagnostics } = await scannerOf(sandbox)();
    expect(diagnostics).toEqual([]);
    expect(enabled.map((skill) => skill.description.endsWith("é end"))).toEqual([true, true]);
  });

  test("a disabled skill is kept apart, and what is wrong with one is not reported", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.write("project/.claude/skills/off/.SKILL.md", skillText("off", "Is off."));
    sandbox.write("project/.claude/skills/broken/.SKILL.md", "no front matter");
    const { enabled, disabled, diagnostics } = await scannerOf(sandbox)();
    expect({ enabled, disabled: namesOf(disabled), diagnostics }).toEqual({
      enabled: [],
      disabled: ["off"],
      diagnostics: [],
    });
  });

  test("a disabled skill whose file is a broken link is not reported either", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    mkdirSync(sandbox.path("project/.claude/skills/off"), { recursive: true });
    symlinkSync("/nowhere", sandbox.path("project/.claude/skills/off/.SKILL.md"));
    expect((await scannerOf(sandbox)()).diagnostics).toEqual([]);
  });

  test("beside SKILL.md, .SKILL.md and other spellings are ignored with one warning", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    const folder = "project/.claude/skills/both";
    const file = sandbox.write(`${folder}/SKILL.md`, skillText("on", "Is on."));
    sandbox.write(`${folder}/.SKILL.md`, skillText("off", "Is off."));
    sandbox.write(`${folder}/skill.md`, skillText("other", "Is other."));
    const { enabled, disabled, diagnostics } = await scannerOf(sandbox)();
    expect([namesOf(enabled), namesOf(disabled)]).toEqual([["on"], []]);
    expect(diagnostics).toMatchObject([{ severity: "warning", code: "both-enabled-and-disabled", file }]);
    expect(diagnostics[0]?.message).toContain(".SKILL.md and skill.md");
  });

  test("a lower-case skill.md is served with a warning", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    const file = sandbox.write("project/.claude/skills/low/skill.md", skillText("low", "Is low."));
    const { enabled, diagnostics } = await scannerOf(sandbox)();
    expect(enabled).toMatchObject([{ name: "low", fileName: "skill.md" }]);
    expect(diagnostics).toMatchObject([{ severity: "warning", code: "file-name-case", file }]);
  });

  test("a name that could not be typed back is replaced with a warning", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    const file = sandbox.skill("project/.claude/skills/cicd", { name: "CI/CD" });
    const { enabled, diagnostics } = await scannerOf(sandbox)();
    expect(namesOf(enabled)).toEqual(["CI-CD"]);
    expect(diagnostics).toMatchObject([{ severity: "warning", code: "name-replaced", file }]);
    expect(diagnostics[0]?.message).toMatch(/'CI\/CD'.*'CI-CD'/);
  });

  test("what could only be recovered is served with a warning, and skipped when strict", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    const text = '---\nname: odd\ndescription: Says "hi" [and more\nlist: [1, 2\n---\n';
    const file = sandbox.write("project/.claude/skills/odd/SKILL.md", text);
    const lenient = await scannerOf(sandbox)();
    expect(namesOf(lenient.enabled)).toEqual(["odd"]);
    expect(lenient.diagnostics).toMatchObject([{ severity: "warning", file }]);
    const strict = await scannerOf(sandbox, { reading: { strict: true } })();
    expect(strict.enabled).toEqual([]);
    expect(strict.diagnostics).toMatchObject([{ severity: "error", file }]);
  });

  test("a linked SKILL.md counts when its target is a file, and the real path is recorded", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    const target = sandbox.write("shared/doc.md", skillText("linked", "Is linked."));
    mkdirSync(sandbox.path("project/.claude/skills/l"), { recursive: true });
    symlinkSync(target, sandbox.path("project/.claude/skills/l/SKILL.md"));
    expect(await scannerOf(sandbox)()).toMatchObject({
      enabled: [{ name: "linked", linkedFile: target, dir: sandbox.path("project/.claude/skills/l") }],
      diagnostics: [],
    });
  });

  test.each<[string, (sandbox: Sandbox) => string, string]>([
    ["nowhere", () => "/nowhere", "broken-link"],
    ["a folder", (sandbox) => sandbox.home, "not-a-file"],
    ["a device", () => "/dev/zero", "not-a-file"],
    ["itself", () => "SKILL.md", "broken-link"],
    ["a FIFO", (sandbox) => fifo(sandbox.path("pipe")), "not-a-file"],
  ])("a SKILL.md that is a link to %s is reported and never opened", async (_case, target, code) => {
    const sandbox = createSandbox(DISK_FOLDER);
    mkdirSync(sandbox.path("project/.claude/skills/l"), { recursive: true });
    const file = sandbox.path("project/.claude/skills/l/SKILL.md");
    symlinkSync(target(sandbox), file);
    const { enabled, diagnostics } = await scannerOf(sandbox)();
    expect(enabled).toEqual([]);
    expect(diagnostics).toMatchObject([{ severity: "error", code, file }]);
  });
});

test("a scan of 1,000 skills lets requests through while it runs (P15)", async () => {
  const sandbox = createSandbox(DISK_FOLDER);
  for (let index = 0; index < 1_000; index++) sandbox.skill(`project/.claude/skills/s${index}`);
  const scan = scannerOf(sandbox);
  let served = 0;
  const serve = () => {
    served++;
    immediate = setImmediate(serve);
  };
  let immediate = setImmediate(serve);
  const { enabled } = await scan();
  clearImmediate(immediate);
  expect(enabled).toHaveLength(1_000);
  expect(served).toBeGreaterThan(2);
});

function fifo(file: string): string {
  expect(spawnSync("mkfifo", [file]).status).toBe(0);
  return file;
}
