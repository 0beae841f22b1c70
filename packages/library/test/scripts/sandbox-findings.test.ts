import { spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { describe, expect, test } from "vitest";
import { NotOpened, readPlaceInside } from "#util";
import { Refusal } from "#util/pure";
import { bundleProgram } from "../../../../test/support/program.ts";
import { RACE_MS, raceWithSwaps } from "../../../../test/support/race.ts";
import { waitUntil } from "../../../../test/support/wait-until.ts";
import { PROTECTED_NAMES } from "../../src/sandbox/protected-names.ts";
import { MOST_DISK_BYTES } from "../../src/scripts/run-in-layer.ts";
import {
  createScriptFixture,
  layersHere,
  processesWith,
  sandboxHere,
  shareRunners,
  uniqueNumber,
} from "./script-fixture.ts";

const status = await sandboxHere();
const LAYERS = await layersHere();
const onLinux = process.platform === "linux";
const withRunner = shareRunners();

/** For real where bubblewrap works, else skipped with the reason in the name. */
const notHere = status.kind === "none" ? status.reason : onLinux ? undefined : "needs Linux";
const sandboxed = (name: string, check: () => Promise<void>, timeoutMs?: number): void => {
  if (notHere === undefined) test(name, check, timeoutMs);
  else test.skip(`${name} (skipped: ${notHere})`, check);
};

describe("S1: content does not decide what the sandbox mounts", () => {
  sandboxed("a runner in node_modules/.bin, its first line and its links lead to nothing", async () => {
    const { sandbox, run } = withRunner("required");
    const secret = sandbox.write("srv/app/secret.txt", "SECRET");
    const deploy = sandbox.write("srv/app/deploy.sh", "echo deployed\n");
    const bin = "project/node_modules/.bin";
    for (const place of [bin, "library/ui/node_modules/.bin", "library/node_modules/.bin"]) {
      chmodSync(sandbox.write(`${place}/tsx`, `#!node_modules/.bin/env ${deploy}\n`), 0o755);
      chmodSync(sandbox.write(`${place}/env`, "#!/bin/sh\necho taken\n"), 0o755);
    }
    symlinkSync("/", sandbox.path("project/root"));
    const file = sandbox.write(
      "library/ui/x.ts",
      `import fs from "node:fs"; for (const file of ${JSON.stringify([secret, deploy, "/etc/shadow"])}) console.log(fs.existsSync(file) as boolean);`,
    );
    const outcome = await run("", { file, runner: ["npx", "tsx"], cwd: sandbox.project, cwdWritable: true });
    expect(outcome).toMatchObject({ stdout: "false\nfalse\nfalse\n", stderr: "", success: true });
  });

  sandboxed("a folder of the project in PATH, as npx adds it, is not where programs are found", async () => {
    const { sandbox } = withRunner("required");
    const folders = ["project/node_modules/.bin", "project/tools", "library/tools"];
    for (const folder of folders)
      chmodSync(sandbox.write(`${folder}/bash`, "#!/bin/sh\necho taken\n"), 0o755);
    const PATH = [...folders.map((folder) => sandbox.path(folder)), process.env["PATH"]].join(":");
    const { run } = createScriptFixture("required", { environment: { PATH, HOME: sandbox.home } });
    const file = sandbox.write("library/ui/x.sh", "echo $BASH_VERSION\n");
    const places = {
      root: sandbox.path("library"),
      folders: [sandbox.path("library/ui")],
      cwd: sandbox.project,
    };
    const { stdout } = await run("", { file, ...places });
    expect(stdout).toMatch(/^\d/);
  });

  sandboxed("a sandbox program of the project is not the sandbox", async () => {
    const { sandbox } = withRunner("required");
    chmodSync(sandbox.write("project/bin/bwrap", "#!/bin/sh\ntouch /tmp/never\n"), 0o755);
    const PATH = `${sandbox.path("project/bin")}:${process.env["PATH"]}`;
    const { runner } = createScriptFixture("required", {
      environment: { PATH, HOME: sandbox.home },
      project: sandbox.project,
    });
    expect(await runner.sandbox()).toEqual({ kind: "bubblewrap" });
  });
});

describe("S2: the settings of the machine are read-only", () => {
  sandboxed("nothing below /proc/sys and /dev is writable", async () => {
    const { run } = withRunner("required");
    const text = `find /proc/sys -type f -writable 2>/dev/null | wc -l
      (echo x > /dev/x) 2>/dev/null && echo wrote; echo x > /dev/null && cat /proc/sys/kernel/ostype`;
    expect((await run(text)).stdout).toBe("0\nLinux\n");
  });

  test("one warning is logged when the server runs as root", async () => {
    const { run, log } = createScriptFixture("off", { isRoot: true });
    await run("true");
    await run("true");
    expect(log).toEqual([expect.stringContaining("the server runs as root")]);
  });
});

describe("S4: without a sandbox", () => {
  test("HOME is a fresh folder that is removed, and the answer carries a warning", async () => {
    const { sandbox, run } = withRunner("off");
    const { stdout, warning } = await run('echo "$HOME"; ls -A "$HOME"; echo x > "$HOME/x"');
    const home = stdout.trim();
    expect(home).not.toBe(sandbox.home);
    expect(existsSync(home)).toBe(false);
    expect(warning).toMatch(/^The script ran without a sandbox, .*scripts\.sandbox is off/);
  });

  test.runIf(onLinux)(
    "what a script starts is ended, with setsid and without its environment too",
    async () => {
      const number = uniqueNumber();
      const text = `
      (env -i setsid sleep ${number} > /dev/null 2>&1 < /dev/null &)
      until [ "$(cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -o 'sleep ${number}' | wc -l)" -ge 1 ]; do sleep 0.02; done
      echo started`;
      expect(await withRunner("off").run(text)).toMatchObject({ stdout: "started\n" });
      await waitUntil("nothing of it is left", () => processesWith(`sleep ${number}`).length === 0, 2000);
    },
  );
});

/** A server that runs one script and prints what it wrote. */
const SERVER = `
import { createScriptRunner } from "./packages/library/src/scripts/script-runner.ts";
import { NO_LOG } from "./packages/util/src/log.ts";
const { policy, run } = JSON.parse(process.argv[2]);
const runner = createScriptRunner({ policy, environment: process.env, log: NO_LOG });
const outcome = await runner.run({ ...run, content: Buffer.from(run.content) });
process.stdout.write(outcome.stdout + outcome.stderr);
`;

describe.skipIf(!onLinux).each(LAYERS)("S5: descriptors that the server inherited, $layer", ({ policy }) => {
  test("do not reach scripts", async () => {
    const { sandbox, plan } = withRunner(policy);
    const program = await bundleProgram(sandbox, SERVER);
    const secret = openSync(sandbox.write("secret.txt", "SECRET"), "r");
    const run = plan("for fd in /proc/self/fd/*; do readlink $fd; done; cat <&20; cat <&40");
    const stdio = Array.from({ length: 41 }, (_, index) =>
      index === 20 || index === 40 ? secret : "ignore",
    );
    const { stdout } = spawnSync(process.execPath, [program, JSON.stringify({ policy, run })], {
      env: { PATH: process.env["PATH"], HOME: sandbox.home, TMPDIR: sandbox.project },
      stdio: ["ignore", "pipe", "inherit", ...stdio.slice(3)] as ["ignore", "pipe", "inherit"],
      encoding: "utf8",
    });
    closeSync(secret);
    expect(stdout).toContain("/dev/null");
    expect(stdout).not.toMatch(/secret/i);
  });
});

describe("S6: what agents, editors, git and CI trust in a project", () => {
  const WRITE = `for file in ${PROTECTED_NAMES.join(" ")}; do
      (mkdir -p "$file" && echo x > "$file/settings.json") 2>/dev/null && echo "made $file"
      (echo x > "$file") 2>/dev/null && echo "wrote $file"
      mv "$file" moved 2>/dev/null && echo "moved $file"
      rm -rf "$file" 2>/dev/null && [ ! -e "$file" ] && echo "removed $file"
      ln -sfn /tmp "$file" 2>/dev/null && [ -L "$file" ] && echo "linked $file"
    done; echo x > other && echo done`;

  sandboxed("cannot be created, and nothing is left behind", async () => {
    const { sandbox, run } = withRunner("required");
    const outcome = await run(WRITE, { cwd: sandbox.project, cwdWritable: true });
    expect(outcome).toMatchObject({ stdout: "done\n", warning: undefined });
    expect(readdirSync(sandbox.project)).toEqual(["other"]);
  });

  sandboxed("cannot be changed, and can be read", async () => {
    const { sandbox, run } = withRunner("required");
    const files = [
      ...[
        "AGENTS.md",
        "CLAUDE.md",
        "GEMINI.md",
        ".skills-mcp.yaml",
        "skills-lock.json",
        ".agents/skills/a/SKILL.md",
      ],
      ...[".git/hooks/pre-commit", ".git/config", ".github/workflows/ci.yml", ".vscode/tasks.json"],
      ...[".claude/settings.json", ".codex/config.toml", ".cursor/mcp.json", ".mcp.json", ".envrc"],
    ];
    for (const file of files) sandbox.write(`project/${file}`, "old");
    const text = `for file in ${files.join(" ")}; do (echo x > $file) 2>/dev/null && echo "wrote $file"; cat $file; done
      (echo /tmp > .git/commondir) 2>/dev/null && echo "wrote commondir"\n${WRITE}`;
    const { stdout } = await run(text, { cwd: sandbox.project, cwdWritable: true });
    expect(stdout).toBe(`${"old".repeat(files.length)}done\n`);
    for (const file of files) expect(readFileSync(sandbox.path("project", file), "utf8")).toBe("old");
    const names = new Set([...files.map((file) => file.split("/")[0]), "other"]);
    expect(new Set(readdirSync(sandbox.project))).toEqual(names);
  });

  sandboxed("stay protected until the last of several scripts has ended", async () => {
    const { sandbox, runner, plan } = withRunner("required");
    const options = { cwd: sandbox.project, cwdWritable: true };
    const lines: string[] = [];
    const late = runner.run(
      plan(`echo started; until [ -e go ]; do sleep 0.02; done; ${WRITE}`, {
        ...options,
        onLine: (line) => lines.push(line),
      }),
    );
    await waitUntil("the first one runs", () => lines.includes("started"));
    expect(await runner.run(plan("true", options))).toMatchObject({ success: true });
    sandbox.write("project/go", "");
    expect((await late).stdout).toBe("started\ndone\n");
    expect(readdirSync(sandbox.project).sort()).toEqual(["go", "other"]);
  });

  sandboxed("behind a link make the working folder read-only, and the answer says so", async () => {
    const { sandbox, run } = withRunner("required");
    sandbox.write("dotfiles/claude/settings.json", "old");
    symlinkSync("../dotfiles/claude", sandbox.path("project/.claude"));
    const outcome = await run("echo x > file", { cwd: sandbox.project, cwdWritable: true });
    expect(outcome).toMatchObject({
      success: false,
      warning:
        "The working folder was read-only: .claude is a link, which cannot be protected. Name another folder as cwd to write there.",
    });
    expect(readdirSync(sandbox.project)).toEqual([".claude"]);
  });

  sandboxed(
    "that are links to each other leave the working folder writable, and a replaced link is put back",
    async () => {
      const { sandbox, run } = withRunner("required");
      sandbox.write("project/AGENTS.md", "old");
      symlinkSync("AGENTS.md", sandbox.path("project/CLAUDE.md"));
      const options = { cwd: sandbox.project, cwdWritable: true };
      expect(await run("echo x > file; echo new >> CLAUDE.md", options)).toMatchObject({
        warning: undefined,
      });
      const { warning } = await run("rm CLAUDE.md; echo new > CLAUDE.md; echo y > file", options);
      expect(warning).toContain(`The script replaced the link ${sandbox.path("project/CLAUDE.md")}`);
      const read = (name: string): string => readFileSync(sandbox.path("project", name), "utf8");
      expect(["AGENTS.md", "CLAUDE.md", "CLAUDE.md.of-script", "file"].map(read)).toEqual([
        "old",
        "old",
        "new\n",
        "y\n",
      ]);
      expect(readlinkSync(sandbox.path("project/CLAUDE.md"))).toBe("AGENTS.md");
    },
  );

  sandboxed("that a killed server left as empty folders are removed by the next script", async () => {
    const { sandbox, run } = withRunner("required");
    const { stdout } = await run("ls -A; stat -c %Y AGENTS.md", { cwd: sandbox.project, cwdWritable: true });
    const lines = stdout.trimEnd().split("\n");
    const time = Number(lines.pop());
    expect(lines).toHaveLength(PROTECTED_NAMES.length);
    for (const name of lines) {
      mkdirSync(sandbox.path("project", name));
      utimesSync(sandbox.path("project", name), time, time);
    }
    await run("true", { cwd: sandbox.project, cwdWritable: true });
    expect(readdirSync(sandbox.project)).toEqual([]);
    mkdirSync(sandbox.path("project/.claude"));
    await run("true", { cwd: sandbox.project, cwdWritable: true });
    expect(readdirSync(sandbox.project)).toEqual([".claude"]);
  });

  sandboxed("the library itself is read-only in a working folder above it", async () => {
    const { sandbox, run } = withRunner("required");
    sandbox.write("project/skills/other/x.sh", "old");
    const text =
      "(echo x > skills/other/x.sh) 2>/dev/null && echo wrote; cat skills/other/x.sh; echo x > file && echo done";
    const file = sandbox.write("project/skills/ui/x.sh", text);
    const { stdout } = await run("", {
      file,
      root: sandbox.path("project/skills"),
      folders: [sandbox.path("project/skills/ui")],
      cwd: sandbox.project,
      cwdWritable: true,
    });
    expect(stdout).toBe("olddone\n");
  });
});

describe("S10: what is served from a project", () => {
  const PLANT = `for place in content/skills plain late/skills; do
      (mkdir -p $place/evil && echo x > $place/evil/SKILL.md) 2>/dev/null && echo "made $place"
      for part in $place \${place%/*}; do
        mv $part moved 2>/dev/null && { echo "moved $part"; mv moved $part; }
      done
      rm -rf $place/a 2>/dev/null && [ ! -e $place/a ] && [ $place != late/skills ] && echo "removed $place/a"
    done; rm -rf moved; echo x > content/other && mkdir content/new && echo done`;

  sandboxed("a script plants no skill in a folder that is searched, at any depth, there or not", async () => {
    const { sandbox, run } = withRunner("required");
    sandbox.skill("project/content/skills/a");
    sandbox.skill("project/plain/a");
    const trusted = ["content/skills", "plain", "late/skills"].map((place) => sandbox.path("project", place));
    const outcome = await run(PLANT, { cwd: sandbox.project, cwdWritable: true, trusted });
    expect(outcome).toMatchObject({ stdout: "done\n", warning: undefined });
    expect(readdirSync(sandbox.project).sort()).toEqual(["content", "plain"]);
    expect(readdirSync(sandbox.path("project/content")).sort()).toEqual(["new", "other", "skills"]);
  });

  sandboxed("a library further down cannot be moved with the folder around it", async () => {
    const { sandbox, run } = withRunner("required");
    const file = sandbox.write(
      "project/a/b/ui/x.sh",
      "mv a moved 2>/dev/null && echo moved; echo x > a/c && echo done",
    );
    const places = { root: sandbox.path("project/a/b"), folders: [sandbox.path("project/a/b/ui")] };
    const outcome = await run("", { file, ...places, cwd: sandbox.project, cwdWritable: true });
    expect(outcome).toMatchObject({ stdout: "done\n", warning: undefined });
  });

  test.skipIf(notHere !== undefined).each<[string, readonly string[], string]>([
    ["that is searched", ["project"], "it lies in "],
    ["below one that is searched", ["."], "it lies in "],
    ["with a link to a folder that is searched", ["project/link/skills"], "link is a link"],
  ])("a working folder %s is read-only, and the answer says why", async (_what, places, reason) => {
    const { sandbox, run } = withRunner("required");
    sandbox.skill("elsewhere/skills/a");
    symlinkSync("../elsewhere", sandbox.path("project/link"));
    const trusted = places.map((place) => sandbox.path(place));
    const outcome = await run("echo x > file", { cwd: sandbox.project, cwdWritable: true, trusted });
    expect(outcome).toMatchObject({ success: false, warning: expect.stringContaining(reason) });
    expect(readdirSync(sandbox.project)).toEqual(["link"]);
  });
});

describe("S7: a script and its folders that are swapped while it starts", () => {
  sandboxed(
    "never lead out of the library",
    async () => {
      const { sandbox, runner, plan } = withRunner("required");
      sandbox.write("outside/scripts/x.sh", "echo ESCAPED; cat secret.txt");
      sandbox.write("outside/secret.txt", "SECRET");
      const secret = sandbox.path("outside/secret.txt");
      sandbox.write("library/ui/scripts/x.sh", `echo fine; cat ${secret} "\${0%/*}/../secret.txt"`);
      sandbox.write("library/ui/secret.txt", "own");
      const folder = sandbox.path("library/ui");
      const wanted = { root: sandbox.path("library"), folder, file: "scripts/x.sh" };
      const usual = plan("true", { cwd: sandbox.project });
      const outside = sandbox.path("outside");
      const seen = await raceWithSwaps({ folder, outside, usual: "fine\nown" }, () =>
        runOnce().catch(reasonOf),
      );
      expect(seen.filter((answer) => /SECRET|ESCAPED/.test(answer))).toEqual([]);

      async function runOnce(): Promise<string> {
        const { path: file, bytes } = await readPlaceInside(wanted, 10_000);
        return (await runner.run({ ...usual, file, content: bytes })).stdout;
      }
    },
    RACE_MS + 40_000,
  );

  sandboxed(
    "nor does a working folder that is swapped",
    async () => {
      const { sandbox, runner, plan } = withRunner("required");
      sandbox.write("outside/secret.txt", "SECRET");
      sandbox.write("project/sub/secret.txt", "own");
      const cwd = sandbox.path("project/sub");
      const run = plan("cat secret.txt", { cwd, cwdWritable: true });
      const swaps = { folder: cwd, outside: sandbox.path("outside"), usual: "own" };
      const seen = await raceWithSwaps(swaps, () => runner.run(run).then(({ stdout }) => stdout, reasonOf));
      expect(seen).not.toContain("SECRET");
    },
    RACE_MS + 40_000,
  );
});

function reasonOf(error: unknown): string {
  if (error instanceof NotOpened) return error.reason;
  if (error instanceof Refusal && error.detail.code === "library") return error.detail.reason;
  throw error;
}

describe("S8: a sandbox has limits", () => {
  sandboxed("shared memory and temp are bounded", async () => {
    const text = `for folder in /dev/shm /tmp "$TMPDIR" "$HOME"; do
        for i in 1 2 3 4 5 6; do head -c 60000000 /dev/zero > "$folder/$i" || { echo full; break; }; done; rm -f "$folder"/*
      done 2>/dev/null`;
    expect((await withRunner("required").run(text)).stdout).toBe("full\n".repeat(4));
  });

  sandboxed("the sum of what is written to the working folder is bounded", async () => {
    const { sandbox, run } = withRunner("required");
    const text = `echo started; for i in $(seq 1 60); do head -c 60000000 /dev/zero > file$i & [ $((i % 3)) = 0 ] && wait; done; wait; echo done`;
    const outcome = await run(text, { cwd: sandbox.project, cwdWritable: true });
    expect(outcome).toMatchObject({ success: false, exitCode: 137, filledDisk: true, stdout: "started\n" });
    expect(outcome.stderr).toContain("it wrote too much to the disk");
    const sizes = readdirSync(sandbox.project).map((name) => statSync(sandbox.path("project", name)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(2 * MOST_DISK_BYTES);
  });

  sandboxed("no further namespaces, mounts or traces", async () => {
    const text = `unshare -U true 2>/dev/null && echo user; unshare -Um true 2>/dev/null && echo mount
      grep -h '^Seccomp:' /proc/self/status; cat /proc/self/attr/current 2>/dev/null >/dev/null; true`;
    const { stdout } = await withRunner("required").run(text);
    const isFiltered = process.arch === "x64" || process.arch === "arm64";
    expect(stdout).toBe(`Seccomp:\t${isFiltered ? 2 : 0}\n`);
  });
});
