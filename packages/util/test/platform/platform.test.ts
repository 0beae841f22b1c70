import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, openSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSandbox } from "../../../../test/support/sandbox.ts";
import type { Platform } from "../../src/platform/platform.ts";
import { PLATFORMS, platform } from "../../src/platform/this-platform.ts";

const ALL: readonly Platform[] = Object.values(PLATFORMS);

test("platforms: the one in use is the one of this machine", () => {
  expect(platform.name).toBe(process.platform);
});

describe.each(ALL)("the contract of $name: its files", ({ files }) => {
  test("a link to a folder leads to it, from where it is made for", async () => {
    const sandbox = createSandbox();
    sandbox.write("real/pdf/SKILL.md", "found");
    mkdirSync(sandbox.path("project/skills"), { recursive: true });
    const link = sandbox.path("project/skills/pdf");
    await files.linkFolder(link, sandbox.path("real/pdf"), link);
    expect(readFileSync(path.join(link, "SKILL.md"), "utf8")).toBe("found");
  });

  test("a renamed folder has its content at the new name and none at the old one", () => {
    const sandbox = createSandbox();
    sandbox.write("old/pdf/SKILL.md", "moved");
    files.rename(sandbox.path("old"), sandbox.path("new"));
    expect(readFileSync(sandbox.path("new/pdf/SKILL.md"), "utf8")).toBe("moved");
    expect(() => readFileSync(sandbox.path("old/pdf/SKILL.md"))).toThrow(/ENOENT/);
  });

  test("what cannot be renamed stays, and the system's error says why", () => {
    const sandbox = createSandbox();
    sandbox.write("old/SKILL.md", "kept");
    expect(() => files.rename(sandbox.path("missing"), sandbox.path("new"))).toThrow(/ENOENT/);
    expect(() => files.rename(sandbox.path("old"), sandbox.path("nowhere/new"))).toThrow(/ENOENT/);
    expect(readFileSync(sandbox.path("old/SKILL.md"), "utf8")).toBe("kept");
  });
});

test("platforms: where an open file has a link, it leads to the file", () => {
  const sandbox = createSandbox();
  const file = sandbox.write("a.txt", "");
  const link = platform.files.linkOfOpen(openSync(file, "r"));
  if (link !== undefined) expect(readlinkSync(link)).toBe(realpathSync(file));
  else expect(platform.name).not.toBe("linux");
});

test("platforms: a watch reports what appears in its folder", async () => {
  const sandbox = createSandbox();
  expect(platform.watching.isReported(sandbox.home)).toBe(true);
  const watch = platform.watching.watch(sandbox.home, platform.watching.isRecursive);
  onTestFinished(() => watch.close());
  const reported = once(watch, "change");
  sandbox.write("home/new", "");
  expect(await reported).toContain("new");
});

describe("the contract of this machine: its processes", () => {
  const { processes } = platform;

  test("a running process began at one time, and another one at its own", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    onTestFinished(() => void child.kill());
    await once(child, "spawn");
    expect(processes.startOf(process.pid)).toMatch(/^\d+$/);
    expect(processes.startOf(process.pid)).toBe(processes.startOf(process.pid));
    expect(processes.startOf(child.pid ?? 0)).toMatch(/^\d+$/);
  });

  test("a process that has ended has no start", async () => {
    const child = spawn(process.execPath, ["-e", ""]);
    await once(child, "exit");
    expect([undefined, "0"]).toContain(processes.startOf(child.pid ?? 0));
  });

  test("a signal to a group reaches what its leader started", async () => {
    const child = spawn(
      process.execPath,
      [
        "-e",
        'require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" }); console.log("ready")',
      ],
      { detached: processes.haveGroups, stdio: ["ignore", "pipe", "inherit"] },
    );
    await once(child.stdout, "data");
    expect(processes.signalGroup(child.pid ?? 0, "SIGKILL")).toBe(true);
    // Closes when the last process ends that has the pipe.
    await once(child, "close");
  });

  test("what every program would inherit is none of the three usual descriptors", () => {
    for (const descriptor of processes.inherited()) expect(descriptor).toBeGreaterThan(2);
  });
});

describe.each(ALL)("the contract of $name: its programs", ({ programs }) => {
  test("every browser gets the address as one word, with nothing that a shell would read", () => {
    const address = "http://127.0.0.1:3000/?a=1&b=%PATH%";
    const commands = programs.browsers(address);
    expect(commands.length).toBeGreaterThan(0);
    for (const [command, ...words] of commands) {
      expect(words.at(-1)).toBe(address);
      expect(command).not.toMatch(/^(?:cmd|sh|bash)(?:\.exe)?$/);
    }
  });
});
