import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox, type Sandbox, skillText } from "../../../../test/support/sandbox.ts";
import { planRoots } from "../../src/roots/roots.ts";
import { createScanner, type Scan } from "../../src/scan/scan.ts";

/** A scanner whose second scan may use what it knows. */
function scannerOf(sandbox: Sandbox, { now = Date.now }: { now?: () => number } = {}) {
  const roots = planRoots({ cwd: sandbox.project, home: sandbox.home, skillDirs: [], defaultDirs: true });
  return createScanner({ roots, now });
}

describe("the second scan", () => {
  test("unchanged files give the very same values", async () => {
    const sandbox = createSandbox();
    for (let index = 0; index < 20; index++) sandbox.skill(`project/.claude/skills/s${index}`);
    const scan = scannerOf(sandbox, { now: afterTheGrain });
    const first = await scan();
    const file = sandbox.skill("project/.claude/skills/s7", { description: "Changed." });
    utimesSync(file, 1, 1);
    const second = await scan();
    const same = second.enabled.filter((skill, index) => skill === first.enabled[index]);
    expect(same).toHaveLength(19);
    expect(second.enabled.find((skill) => skill.name === "s7")?.description).toBe("Changed.");
  });

  test("a file that was just written is read again, but the same content gives the very same value", async () => {
    const sandbox = createSandbox();
    const file = sandbox.skill("project/.claude/skills/pdf");
    const scan = scannerOf(sandbox);
    const first = await scan();
    writeFileSync(file, readFileSync(file));
    expect((await scan()).enabled[0]).toBe(first.enabled[0]);
  });

  test.skipIf(!existsSync("/proc/self/io"))(
    "files are read again only when they were changed so lately that a second change may look the same (Linux)",
    async () => {
      const sandbox = createSandbox();
      const body = "x".repeat(8_000);
      for (let index = 0; index < 100; index++) sandbox.skill(`project/.claude/skills/s${index}`, { body });
      const readBy = async (scan: Scan) => {
        const before = bytesRead();
        expect((await scan()).enabled).toHaveLength(100);
        return bytesRead() - before;
      };
      const settled = scannerOf(sandbox, { now: afterTheGrain });
      const racy = scannerOf(sandbox, { now: withinTheGrain });
      for (const scan of [settled, racy]) expect(await readBy(scan)).toBeGreaterThan(100 * 4_000);
      expect(await readBy(racy)).toBeGreaterThan(100 * 4_000);
      // Next to nothing: the test runner's own traffic.
      expect(await readBy(settled)).toBeLessThan(100 * 400);
    },
  );

  test("an edit of the same size within one tick of the clock is seen, with the old time put back", async () => {
    const sandbox = createSandbox();
    const scan = scannerOf(sandbox);
    const file = sandbox.skill("project/.claude/skills/pdf", { description: "Edit 000." });
    for (let edit = 1; edit <= 100; edit++) {
      const { atime, mtime } = statSync(file);
      await scan();
      const description = `Edit ${String(edit).padStart(3, "0")}.`;
      writeFileSync(file, skillText("pdf", description, "# pdf\n"));
      utimesSync(file, atime, mtime);
      expect((await scan()).enabled).toMatchObject([{ description }]);
    }
  });

  test("an edit of the same size with the old time put back is seen after the grain too", async () => {
    const sandbox = createSandbox();
    const scan = scannerOf(sandbox, { now: afterTheGrain });
    const file = sandbox.skill("project/.claude/skills/pdf", { description: "Before." });
    const { atime, mtime, ctimeMs } = statSync(file);
    await scan();
    do {
      writeFileSync(file, skillText("pdf", "Behind.", "# pdf\n"));
      utimesSync(file, atime, mtime);
    } while (statSync(file).ctimeMs === ctimeMs);
    expect((await scan()).enabled).toMatchObject([{ description: "Behind." }]);
  });

  test("another file of the same size and time in its place is seen", async () => {
    const sandbox = createSandbox();
    const scan = scannerOf(sandbox, { now: afterTheGrain });
    const file = sandbox.skill("project/.claude/skills/pdf", { description: "Before." });
    const other = sandbox.write("other.md", skillText("pdf", "Behind.", "# pdf\n"));
    for (const each of [file, other]) utimesSync(each, 1_000, 1_000);
    await scan();
    renameSync(other, file);
    expect((await scan()).enabled).toMatchObject([{ description: "Behind." }]);
  });

  test("a deleted skill is gone, and comes back as it was", async () => {
    const sandbox = createSandbox();
    const scan = scannerOf(sandbox, { now: afterTheGrain });
    sandbox.skill("project/.claude/skills/pdf");
    const first = await scan();
    rmSync(sandbox.path("project/.claude/skills/pdf"), { recursive: true });
    expect((await scan()).enabled).toEqual([]);
    sandbox.skill("project/.claude/skills/pdf");
    expect((await scan()).enabled).toEqual(first.enabled);
  });

  test.each([
    ["a linked file", "project/.claude/skills/pdf/SKILL.md", "elsewhere/SKILL.md"],
    ["a linked folder", "project/.claude/skills/pdf", "elsewhere"],
    ["a broken linked file", "project/.claude/skills/bad/SKILL.md", "broken/SKILL.md"],
  ])("%s is seen as what it is once its target lies in its place", async (_what, link, target) => {
    const sandbox = createSandbox();
    sandbox.skill("elsewhere", { name: "pdf" });
    sandbox.write("broken/SKILL.md", "---\nname: [\n---\n");
    mkdirSync(path.dirname(sandbox.path(link)), { recursive: true });
    symlinkSync(sandbox.path(target), sandbox.path(link));
    const scan = scannerOf(sandbox, { now: afterTheGrain });
    const plain = ({ enabled, diagnostics, awaited }: Awaited<ReturnType<Scan>>) => ({
      enabled,
      diagnostics,
      awaited,
    });
    await scan();
    rmSync(sandbox.path(link));
    renameSync(sandbox.path(target), sandbox.path(link));
    expect(plain(await scan())).toEqual(plain(await scannerOf(sandbox)()));
  });

  test("the same broken file gives the same diagnostic each time", async () => {
    const sandbox = createSandbox();
    sandbox.write("project/.claude/skills/bad/SKILL.md", "---\nname: [\n---\n");
    const scan = scannerOf(sandbox, { now: afterTheGrain });
    const first = await scan();
    expect(first.diagnostics).toHaveLength(1);
    expect((await scan()).diagnostics).toEqual(first.diagnostics);
    expect((await scannerOf(sandbox)()).diagnostics).toEqual(first.diagnostics);
  });

  // Root reads every file; the suite that runs as another user covers it there.
  test.skipIf(process.getuid?.() === 0)(
    "a file that may not be read is read once that is allowed (not as root)",
    async () => {
      const sandbox = createSandbox();
      const file = sandbox.skill("project/.claude/skills/pdf");
      const scan = scannerOf(sandbox, { now: afterTheGrain });
      chmodSync(file, 0o000);
      expect((await scan()).diagnostics).toMatchObject([{ severity: "error", code: "unreadable", file }]);
      chmodSync(file, 0o644);
      expect(await scan()).toMatchObject({ enabled: [{ name: "pdf" }], diagnostics: [] });
    },
  );
});

/** A clock by which every file was last changed long ago, so that no second change can share its time stamp. */
function afterTheGrain(): number {
  return Date.now() + 60_000;
}

/** A clock by which every file was changed just now. */
function withinTheGrain(): number {
  return 0;
}

/** The bytes that this process has read so far. */
function bytesRead(): number {
  return Number(/rchar: (\d+)/.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
}
