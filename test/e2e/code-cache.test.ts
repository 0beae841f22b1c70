import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { BIN, environmentOf, NODE } from "../support/bin.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

const FOLDER = "home/.skills-mcp/cache/code";
const version = spawnSync(NODE, ["--version"], { encoding: "utf8" }).stdout;
/** Newer versions of Node have a compile cache of their own. */
const isNode20 = version.startsWith("v20.");

function listIn(sandbox: Sandbox, env: Readonly<Record<string, string>> = {}): string {
  // These tests are about the cache in the home folder, not the one that all other tests share.
  const { NODE_COMPILE_CACHE: _shared, ...own } = environmentOf(sandbox);
  const { stdout, stderr, status } = spawnSync(NODE, [BIN, "list"], {
    cwd: sandbox.project,
    env: { ...own, ...env },
    encoding: "utf8",
  });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  return stdout;
}

function sandboxWithSkill(): Sandbox {
  const sandbox = createSandbox();
  sandbox.skill("project/.claude/skills/pdf");
  return sandbox;
}

/** Every file of the code cache. */
function cachedFiles(sandbox: Sandbox): readonly string[] {
  return readdirSync(sandbox.path(FOLDER), { recursive: true })
    .map((name) => sandbox.path(FOLDER, String(name)))
    .filter((file) => statSync(file).isFile())
    .sort();
}

describe("compiled code", () => {
  test("is cached after the first run, for its owner alone, and used without being written again", () => {
    const sandbox = sandboxWithSkill();
    const first = listIn(sandbox);
    const files = cachedFiles(sandbox);
    expect(files.length).toBeGreaterThan(0);
    expect(statSync(sandbox.path(FOLDER)).mode & 0o077).toBe(0);
    const states = () => files.map((file) => [statSync(file).ino, statSync(file).mtimeMs]);
    const before = states();
    expect(listIn(sandbox)).toBe(first);
    expect(cachedFiles(sandbox)).toEqual(files);
    expect(states()).toEqual(before);
  });

  test("is not cached in a home folder that does not exist", () => {
    const sandbox = sandboxWithSkill();
    const home = sandbox.path("nonexistent");
    listIn(sandbox, { HOME: home, USERPROFILE: home });
    expect(existsSync(home)).toBe(false);
  });

  test("that is damaged does no harm, wherever the damage is", () => {
    const sandbox = sandboxWithSkill();
    const expected = listIn(sandbox);
    const file = cachedFiles(sandbox).reduce((a, b) => (statSync(a).size > statSync(b).size ? a : b));
    const good = readFileSync(file);
    const flipped = (at: number): Buffer => {
      const bad = Buffer.from(good);
      bad[at] = (bad[at] ?? 0) ^ 0x55;
      return bad;
    };
    const damaged = [
      ...[17, good.length / 2, good.length - 1].map((at) => flipped(Math.floor(at))),
      good.subarray(0, good.length / 2),
      good.subarray(0, 3),
      Buffer.alloc(0),
      Buffer.from("not code at all!"),
    ];
    for (const bytes of damaged) {
      writeFileSync(file, bytes);
      expect(listIn(sandbox)).toBe(expected);
      // It was compiled and cached again.
      expect(readFileSync(file).length).toBeGreaterThan(10_000);
    }
  });

  test("is neither read nor written where another user could write", () => {
    const sandbox = sandboxWithSkill();
    mkdirSync(sandbox.path(FOLDER), { recursive: true });
    chmodSync(sandbox.path(FOLDER), 0o777);
    listIn(sandbox);
    expect(cachedFiles(sandbox)).toEqual([]);
  });

  test.each([
    ["NODE_DISABLE_COMPILE_CACHE", { NODE_DISABLE_COMPILE_CACHE: "1" }],
    ["options of Node that change it", { NODE_OPTIONS: "--stack-trace-limit=20" }],
  ])("is not cached with %s", (_what, env) => {
    const sandbox = sandboxWithSkill();
    listIn(sandbox, env);
    expect(readdirSync(sandbox.home)).toEqual([]);
  });

  test("is cached where NODE_COMPILE_CACHE says, and then not in the home folder", () => {
    const sandbox = sandboxWithSkill();
    const first = listIn(sandbox, { NODE_COMPILE_CACHE: sandbox.path("code") });
    const files = readdirSync(sandbox.path("code"), { recursive: true });
    expect(files.length).toBeGreaterThan(1);
    expect(listIn(sandbox, { NODE_COMPILE_CACHE: sandbox.path("code") })).toBe(first);
    expect(readdirSync(sandbox.path("code"), { recursive: true })).toEqual(files);
    expect(readdirSync(sandbox.home)).toEqual([]);
  });

  test("cannot be cached where nothing can be written, and nobody notices", () => {
    const sandbox = sandboxWithSkill();
    sandbox.write("home/.skills-mcp/cache", "a file, where a folder should be");
    expect(listIn(sandbox)).toContain("pdf");
  });

  test("means the same however a bundle is read, because bundles are ASCII", () => {
    const folder = path.dirname(BIN);
    const bundles = readdirSync(folder).filter((name) => name.endsWith(".js"));
    expect(bundles).toContain("server.js");
    const others = bundles.filter((name) => /[^\0-\x7f]/.test(readFileSync(path.join(folder, name), "utf8")));
    expect(others).toEqual([]);
  });

  test.runIf(isNode20)("of versions that are no longer installed is removed after a while", () => {
    const sandbox = sandboxWithSkill();
    mkdirSync(sandbox.path(FOLDER), { recursive: true, mode: 0o700 });
    const old = sandbox.write(`${FOLDER}/server-0000.bin`, "old");
    utimesSync(old, 0, 0);
    const recent = sandbox.write(`${FOLDER}/server-1111.bin`, "recent");
    listIn(sandbox);
    const names = cachedFiles(sandbox).map((file) => path.basename(file));
    expect(names).not.toContain(path.basename(old));
    expect(names).toContain(path.basename(recent));
  });
});
