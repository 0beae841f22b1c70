import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { bundleProgram } from "../../../../test/support/program.ts";
import { createSandbox, type Sandbox, skillText } from "../../../../test/support/sandbox.ts";
import { waitUntil } from "../../../../test/support/wait-until.ts";
import { parseCatalog } from "../../src/scan/catalog-cache.ts";
import { createScanner, type ScanOptions } from "../../src/scan/scan.ts";

const LATER = () => Date.now() + 60_000;

function optionsOf(sandbox: Sandbox, more: Partial<ScanOptions> = {}): ScanOptions {
  return {
    roots: [{ dir: sandbox.path("skills"), provider: "file", location: "user", named: true }],
    libraries: [{ dir: sandbox.path("library"), location: "user", prefix: "", named: true }],
    now: LATER,
    cache: { folder: sandbox.path("cache"), version: "1.0.0", fewestFiles: 1 },
    ...more,
  };
}

/** Skills, a library, and what is odd about folders. */
function plant(): Sandbox {
  const sandbox = createSandbox();
  for (const name of ["a", "b", "group/c", "group/c/references/d"]) sandbox.skill(`skills/${name}`);
  sandbox.skill("skills/wide", { description: "用 \u{1F600} – é" });
  sandbox.write(
    "skills/said/SKILL.md",
    "---\nname: said\ndescription: Said.\ndisable-model-invocation: yes\nwhen_to_use: Often.\narguments: [one, two]\n---\n",
  );
  sandbox.skill("skills/settings");
  sandbox.write("skills/settings/agents/openai.yaml", "policy:\n  allow_implicit_invocation: false\n");
  sandbox.write("skills/both/.SKILL.md", skillText("both", "Off."));
  sandbox.write("skills/both/SKILL.md", skillText("both", "On."));
  sandbox.write("skills/bad/SKILL.md", "---\nname: [\n---\n");
  mkdirSync(sandbox.path("skills/odd/SKILL.md"), { recursive: true });
  sandbox.skill("elsewhere/linked");
  symlinkSync(sandbox.path("elsewhere"), sandbox.path("skills/link"));
  symlinkSync("nowhere", sandbox.path("skills/broken"));
  sandbox.write(
    "library/auth.md",
    "---\nkeywords: [login]\ndescription: Auth.\nassets:\n  - file: x.txt\n    description: X.\n---\n",
  );
  sandbox.write("library/auth/x.txt", "");
  sandbox.write("library/deep/_index.md", "---\nkeywords: [deep]\ndescription: Deep.\npriority: 3\n---\n");
  return sandbox;
}

/** Everything a scan shows, as plain data. */
async function seen(options: ScanOptions) {
  const { fingerprints, surroundings, libraries, folders, ...rest } = await createScanner(options)();
  return {
    ...rest,
    fingerprints: [...fingerprints.values()],
    surroundings: [...surroundings()].sort(),
    folders: [...folders].sort(),
    libraries: libraries.map(({ files, diagnostics, fingerprints: all }) => ({
      files,
      diagnostics,
      all: [...all.values()],
    })),
  };
}

/** Two scans: the second saves what it knows. */
async function save(options: ScanOptions): Promise<void> {
  const scan = createScanner(options);
  await scan();
  await scan();
}

function catalogFiles(sandbox: Sandbox): readonly string[] {
  const folder = sandbox.path("cache");
  return existsSync(folder)
    ? readdirSync(folder)
        .map((name) => path.join(folder, name))
        .sort()
    : [];
}

/** Reads a file of the cache for its own root, unless told otherwise. */
async function parse(bytes: Buffer, other: { version?: string } = {}) {
  const [first = ""] = bytes.toString("utf8").split("\n");
  try {
    const { version, kind, rootDir } = JSON.parse(first) as Parameters<typeof parseCatalog>[1];
    return await parseCatalog(bytes, { version, kind, rootDir, ...other });
  } catch {
    return undefined;
  }
}

function withoutCache({ cache: _cache, ...options }: ScanOptions): ScanOptions {
  return options;
}

describe("the cache of a root between runs", () => {
  test("a start from it shows what a fresh one shows, diagnostics included", async () => {
    const sandbox = plant();
    const options = optionsOf(sandbox);
    await save(options);
    expect(catalogFiles(sandbox)).toHaveLength(2);
    expect(await seen(options)).toEqual(await seen(withoutCache(options)));
  });

  test.skipIf(!existsSync("/proc/self/io"))(
    "files that have not changed are not read again (Linux)",
    async () => {
      const sandbox = createSandbox();
      for (let index = 0; index < 100; index++)
        sandbox.skill(`skills/s${index}`, { body: "x".repeat(8_000) });
      const options = optionsOf(sandbox, { libraries: [] });
      const readBy = async (): Promise<number> => {
        const bytesRead = (): number =>
          Number(/rchar: (\d+)/.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
        const before = bytesRead();
        expect((await createScanner(options)()).enabled).toHaveLength(100);
        return bytesRead() - before;
      };
      expect(await readBy()).toBeGreaterThan(100 * 4_000);
      await save(options);
      expect(await readBy()).toBeLessThan(100 * 1_500);
    },
  );

  test("a file that changed since is read again, with its size and time put back", async () => {
    const sandbox = plant();
    const options = optionsOf(sandbox);
    const file = sandbox.skill("skills/a", { description: "Before." });
    const { atime, mtime, ctimeMs } = statSync(file);
    await save(options);
    do {
      writeFileSync(file, skillText("a", "Behind.", "# a\n"));
      utimesSync(file, atime, mtime);
    } while (statSync(file).ctimeMs === ctimeMs);
    expect((await seen(options)).enabled.find(({ name }) => name === "a")?.description).toBe("Behind.");
  });

  test("what may have changed within the grain of the clock is not cached", async () => {
    const sandbox = createSandbox();
    sandbox.skill("skills/a");
    const options = optionsOf(sandbox, { now: Date.now, libraries: [] });
    await save(options);
    for (const file of catalogFiles(sandbox)) {
      expect((await parse(readFileSync(file)))?.heads.size ?? 0).toBe(0);
    }
  });

  test("nothing is written when nothing changed, and nothing for a few skills", async () => {
    const sandbox = plant();
    const options = optionsOf(sandbox);
    await save(options);
    const before = catalogFiles(sandbox).map((file) => statSync(file).ino);
    await save(options);
    expect(catalogFiles(sandbox).map((file) => statSync(file).ino)).toEqual(before);
    const small = { ...options, cache: { folder: sandbox.path("other"), version: "1.0.0" } };
    await save(small);
    expect(existsSync(sandbox.path("other"))).toBe(false);
  });

  test("strict and lenient scans, and other roots, have files of their own", async () => {
    const sandbox = plant();
    await save(optionsOf(sandbox));
    await save(optionsOf(sandbox, { reading: { strict: true } }));
    expect(catalogFiles(sandbox)).toHaveLength(4);
    const strict = optionsOf(sandbox, { reading: { strict: true } });
    expect(await seen(strict)).toEqual(await seen(withoutCache(strict)));
  });

  test("a file that no one has used for a month is removed", async () => {
    const sandbox = plant();
    const old = sandbox.write("cache/catalog-0123456789abcdef.jsonl", "old");
    const other = sandbox.write("cache/search-0123456789abcdef.idx", "other");
    for (const file of [old, other]) utimesSync(file, 1_000_000, 1_000_000);
    await save(optionsOf(sandbox));
    expect([existsSync(old), existsSync(other)]).toEqual([false, true]);
  });
});

describe("a file that cannot be used", () => {
  test("cut anywhere, or with any part changed, it is as good as none", async () => {
    const sandbox = plant();
    const options = optionsOf(sandbox);
    await save(options);
    const expected = await seen(withoutCache(options));
    for (const file of catalogFiles(sandbox)) {
      const good = readFileSync(file);
      for (let length = 0; length < good.length; length += 19)
        expect(await parse(good.subarray(0, length))).toBeUndefined();
      for (let at = 0; at < good.length; at += 11) {
        const bad = Buffer.from(good);
        bad[at] = (bad[at] ?? 0) ^ (1 << (at % 8));
        expect(await parse(bad)).toBeUndefined();
      }
      for (const bad of [
        Buffer.alloc(0),
        Buffer.alloc(1_000_000),
        Buffer.from("not ours"),
        Buffer.concat([good, good]),
      ]) {
        writeFileSync(file, bad);
        expect(await seen(options)).toEqual(expected);
      }
      // The next that saves something replaces it.
      await save(options);
      expect(await parse(readFileSync(file))).toEqual(await parse(good));
    }
  });

  test("one of another version of the product is as good as none", async () => {
    const sandbox = plant();
    const options = optionsOf(sandbox);
    await save(options);
    const files = catalogFiles(sandbox);
    const before = files.map((file) => readFileSync(file));
    for (const bytes of before) {
      expect(await parse(bytes)).toBeDefined();
      expect(await parse(bytes, { version: "1.0.1" })).toBeUndefined();
    }
    const newer = { ...options, cache: { folder: sandbox.path("cache"), version: "1.0.1", fewestFiles: 1 } };
    expect(await seen(newer)).toEqual(await seen(withoutCache(options)));
    await save(newer);
    expect(files.map((file, index) => readFileSync(file).equals(before[index] as Buffer))).toEqual([
      false,
      false,
    ]);
  });

  test("a folder in its place, or a place that cannot be written, leaves everything as without", async () => {
    const sandbox = plant();
    const options = optionsOf(sandbox);
    const expected = await seen(withoutCache(options));
    await save(options);
    for (const file of catalogFiles(sandbox)) {
      rmSync(file);
      mkdirSync(file);
    }
    await save(options);
    expect(await seen(options)).toEqual(expected);
    const inAFile = {
      ...options,
      cache: { folder: sandbox.write("a-file", ""), version: "1.0.0", fewestFiles: 1 },
    };
    await save(inAFile);
    expect(await seen(inAFile)).toEqual(expected);
  });

  // Root writes everywhere; the suite that runs as another user covers it there.
  test.skipIf(process.getuid?.() === 0)(
    "a folder that may not be written is left alone (not as root)",
    async () => {
      const sandbox = plant();
      mkdirSync(sandbox.path("cache"));
      chmodSync(sandbox.path("cache"), 0o555);
      const options = optionsOf(sandbox);
      await save(options);
      expect(catalogFiles(sandbox)).toEqual([]);
    },
  );
});

/** Saves the same root over and over. */
const CHILD = `
import { rmSync } from "node:fs";
import { createScanner } from "./packages/skills/src/scan/scan.ts";
const [dir, folder] = process.argv.slice(2);
const roots = [{ dir, provider: "file", location: "user", named: true }];
for (let round = 0; ; round++) {
  const scan = createScanner({ roots, reading: { strict: round % 2 === 0 }, now: () => Date.now() + 60_000, cache: { folder, version: "1.0.0", fewestFiles: 1 } });
  const { enabled } = await scan();
  await scan();
  if (enabled.length !== 300) throw new Error(String(enabled.length));
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    // The other process has just written into it.
    if (error.code !== "ENOTEMPTY") throw error;
  }
  if (round === 0) console.log("ready");
}
`;

test("killed while they write, and with the folder removed under them, two processes leave nothing wrong behind", async () => {
  const sandbox = createSandbox();
  for (let index = 0; index < 300; index++) sandbox.skill(`skills/s${index}`);
  const program = await bundleProgram(sandbox, CHILD);
  const children = [1, 2].map(() => {
    const child = spawn(process.execPath, [program, sandbox.path("skills"), sandbox.path("cache")]);
    let said = "";
    child.stdout.on("data", (data) => void (said += data));
    child.stderr.on("data", (data) => void (said += data));
    const ended = new Promise<NodeJS.Signals | number | null>((resolve) =>
      child.once("close", (code, signal) => resolve(signal ?? code)),
    );
    return { child, ended, said: () => said };
  });
  const options = optionsOf(sandbox, { libraries: [] });
  const expected = await seen(withoutCache(options));
  for (const { said } of children) await waitUntil("it writes", () => said() !== "");
  for (let round = 0; round < 6; round++) expect(await seen(options)).toEqual(expected);
  for (const { child, ended, said } of children) {
    child.kill("SIGKILL");
    expect({ ended: await ended, said: said() }).toEqual({ ended: "SIGKILL", said: "ready\n" });
  }
  expect(await seen(options)).toEqual(expected);
});
