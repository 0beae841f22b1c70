import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { BIN, environmentOf, NODE } from "../support/bin.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

const KEPT = "home/.skills-mcp/cache/code";

/** An installed package: like the built one, but for the code that the build compiled. */
function install(): { readonly sandbox: Sandbox; readonly list: (env?: Record<string, string>) => string } {
  const sandbox = createSandbox();
  sandbox.skill("project/.claude/skills/pdf");
  cpSync(path.dirname(BIN), sandbox.path("dist"), {
    recursive: true,
    filter: (file) => !["code-cache", "web", "types"].includes(path.basename(file)),
  });
  return {
    sandbox,
    list(env = {}) {
      const { stdout, stderr, status } = spawnSync(NODE, [sandbox.path("dist/cli.js"), "list"], {
        cwd: sandbox.project,
        env: { ...environmentOf(sandbox), ...env },
        encoding: "utf8",
      });
      expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
      return stdout;
    },
  };
}

const kept = (sandbox: Sandbox): readonly string[] => readdirSync(sandbox.path(KEPT)).sort();

describe("compiled code", () => {
  test("is kept after the first run, for its owner alone, and used without being written again", () => {
    const { sandbox, list } = install();
    const first = list();
    const files = kept(sandbox);
    expect(files.map((file) => file.split("-")[0])).toEqual(["app", "front"]);
    const states = () => files.map((file) => statSync(sandbox.path(KEPT, file)));
    const before = states();
    for (const { mode } of before) expect(mode & 0o077).toBe(0);
    expect(list()).toBe(first);
    expect(kept(sandbox)).toEqual(files);
    expect(states().map(({ ino, mtimeMs }) => [ino, mtimeMs])).toEqual(
      before.map(({ ino, mtimeMs }) => [ino, mtimeMs]),
    );
  });

  test("is not kept in a home folder that does not exist", () => {
    const { sandbox, list } = install();
    const home = sandbox.path("nonexistent");
    list({ HOME: home, USERPROFILE: home });
    expect(existsSync(home)).toBe(false);
  });

  test("that is damaged does no harm, wherever the damage is", () => {
    const { sandbox, list } = install();
    const expected = list();
    const file = sandbox.path(KEPT, kept(sandbox).find((name) => name.startsWith("app")) ?? "");
    const good = readFileSync(file);
    const flipped = (at: number): Buffer => {
      const bad = Buffer.from(good);
      bad[at] = (bad[at] ?? 0) ^ 0x55;
      return bad;
    };
    const damaged = [
      ...[0, 17, 1_000, good.length / 4, good.length / 2, good.length - 1].map((at) =>
        flipped(Math.floor(at)),
      ),
      good.subarray(0, good.length - 1),
      good.subarray(0, good.length / 2),
      Buffer.alloc(0),
      Buffer.alloc(4_096),
      Buffer.from("not code at all!"),
    ];
    for (const bytes of damaged) {
      writeFileSync(file, bytes);
      expect(list()).toBe(expected);
      // It was compiled again, and that was kept.
      const kept = readFileSync(file);
      expect(kept.subarray(0, kept.length / 2).equals(kept.subarray(kept.length / 2))).toBe(true);
      expect(kept.length).toBeGreaterThan(10_000);
    }
  });

  test("that others may write is not trusted, but compiled again", () => {
    const { sandbox, list } = install();
    const expected = list();
    const files = kept(sandbox).map((name) => sandbox.path(KEPT, name));
    for (const file of files) chmodSync(file, 0o666);
    expect(list()).toBe(expected);
    // What is used stays as it is.
    for (const file of files) expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test.each([
    ["NODE_DISABLE_COMPILE_CACHE", { NODE_DISABLE_COMPILE_CACHE: "1" }],
    ["options for Node that change it", { NODE_OPTIONS: "--stack-trace-limit=20" }],
  ])("is not kept with %s", (_what, env) => {
    const { sandbox, list } = install();
    list(env);
    expect(readdirSync(sandbox.home)).toEqual([]);
  });

  test("cannot be kept where nothing can be written, and nobody notices", () => {
    const { sandbox, list } = install();
    sandbox.write("home/.skills-mcp/cache", "a file, where a folder should be");
    expect(list()).toContain("pdf");
  });

  test("of versions that are gone is removed after a while", () => {
    const { sandbox, list } = install();
    mkdirSync(sandbox.path(KEPT), { recursive: true });
    const old = sandbox.write(`${KEPT}/server-list-0000.bin`, "old");
    spawnSync("touch", ["-d", "2020-01-01", old]);
    const recent = sandbox.write(`${KEPT}/server-list-1111.bin`, "recent");
    list();
    expect(kept(sandbox)).not.toContain(path.basename(old));
    expect(kept(sandbox)).toContain(path.basename(recent));
  });
});
