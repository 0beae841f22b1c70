import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createTimeSlices, type Disk, POOLED_DISK } from "#util";
import { createSandbox, DISK_FOLDER, type Sandbox } from "../../../../test/support/sandbox.ts";
import { waitUntil } from "../../../../test/support/wait-until.ts";
import { SKILL_FOLDERS } from "../../src/roots/layouts.ts";
import { createScanner } from "../../src/scan/scan.ts";
import { createTraverse } from "../../src/scan/traverse.ts";
import { openWatchingRegistry } from "../registry/open-registry.ts";

const NO = "policy:\n  allow_implicit_invocation: false\n";
const SKILL = "project/.codex/skills/deploy";
const SETTINGS = `${SKILL}/agents/openai.yaml`;

function scannerOf(sandbox: Sandbox) {
  const dir = sandbox.path("project/.codex/skills");
  const roots = [{ dir, provider: "codex", location: "project", named: true }] as const;
  return createScanner({ roots, now: Date.now });
}

async function seen(sandbox: Sandbox) {
  const { enabled, diagnostics } = await scannerOf(sandbox)();
  return {
    model: enabled[0]?.invocation?.model ?? true,
    problems: diagnostics.map(({ file, message }) => `${file}: ${message}`),
  };
}

describe("agents/openai.yaml beside a skill", () => {
  test("keeps the skill from models", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill(SKILL);
    sandbox.write(SETTINGS, NO);
    expect(await seen(sandbox)).toEqual({ model: false, problems: [] });
    const [skill] = (await scannerOf(sandbox)()).enabled;
    expect(skill?.invocation?.because).toEqual([
      { field: "policy.allow_implicit_invocation", file: "agents/openai.yaml", line: 2 },
    ]);
  });

  test("counts for the skill beside it alone", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill(SKILL);
    sandbox.write("project/.codex/skills/agents/openai.yaml", NO);
    sandbox.write(`${SKILL}/references/agents/openai.yaml`, NO);
    expect(await seen(sandbox)).toEqual({ model: true, problems: [] });
  });

  test.each([
    ["broken YAML", "policy: {\n", "It is not valid YAML"],
    ["a value without meaning", "policy:\n  allow_implicit_invocation: perhaps\n", "is 'perhaps'"],
    ["too much", `${NO}#${"x".repeat(64 * 1024)}`, "File is larger than 64 KiB, so it was ignored."],
  ])("%s is reported and ignored; the skill is served", async (_what, content, message) => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill(SKILL);
    const file = sandbox.write(SETTINGS, content);
    const { model, problems } = await seen(sandbox);
    expect(model).toBe(true);
    expect(problems).toEqual([expect.stringContaining(message)]);
    expect(problems[0]).toContain(file);
  });

  test("a FIFO, a folder or a linked folder in its place is never opened", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill(SKILL);
    mkdirSync(sandbox.path(`${SKILL}/agents`));
    execFileSync("mkfifo", [sandbox.path(SETTINGS)]);
    expect(await seen(sandbox)).toEqual({ model: true, problems: [] });
    rmSync(sandbox.path(SETTINGS));
    mkdirSync(sandbox.path(SETTINGS));
    expect(await seen(sandbox)).toEqual({ model: true, problems: [] });
    rmSync(sandbox.path(`${SKILL}/agents`), { recursive: true });
    sandbox.write("elsewhere/openai.yaml", NO);
    symlinkSync(sandbox.path("elsewhere"), sandbox.path(`${SKILL}/agents`));
    expect(await seen(sandbox)).toEqual({ model: true, problems: [] });
  });

  test("a link counts if it leads to a file of the skill", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill(SKILL);
    sandbox.write(`${SKILL}/own.yaml`, NO);
    sandbox.write("outside.yaml", NO);
    mkdirSync(sandbox.path(`${SKILL}/agents`));
    symlinkSync("../own.yaml", sandbox.path(SETTINGS));
    expect(await seen(sandbox)).toEqual({ model: false, problems: [] });
    for (const [target, reason] of [
      [sandbox.path("outside.yaml"), "not a file of the skill"],
      ["nowhere", "This symbolic link is broken"],
    ] as const) {
      rmSync(sandbox.path(SETTINGS));
      symlinkSync(target, sandbox.path(SETTINGS));
      const { model, problems } = await seen(sandbox);
      expect(model).toBe(true);
      expect(problems).toEqual([expect.stringContaining(reason)]);
    }
  });

  test("costs no file call where there is no such folder", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill(SKILL);
    mkdirSync(sandbox.path(`${SKILL}/scripts`));
    const calls: string[] = [];
    const disk: Disk = {
      ...POOLED_DISK,
      lstat: (file) => (calls.push(file), POOLED_DISK.lstat(file)),
      open: (file) => (calls.push(file), POOLED_DISK.open(file)),
    };
    const traverse = createTraverse(sandbox.path("project/.codex/skills"), {
      layout: SKILL_FOLDERS,
      named: false,
      now: Date.now,
    });
    const { files, settings } = await traverse({ disk, slices: createTimeSlices() });
    expect(files.map((file) => file.settings)).toEqual([undefined]);
    expect(settings).toEqual([]);
    expect(calls.filter((file) => file.includes("agents"))).toEqual([]);
  });

  test.skipIf(!existsSync("/proc"))("changes are noticed while the server runs", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill(SKILL);
    const { registry, events } = await openWatchingRegistry(sandbox);
    const offered = async (wanted: boolean) => {
      await waitUntil(`models are ${wanted ? "" : "not "}shown it`, async () => {
        const [entry] = (await registry.snapshot()).catalog.entries;
        return (entry?.skill.invocation?.model ?? true) === wanted;
      });
      expect(events.at(-1)?.change ?? events.at(-2)?.change).toEqual({ added: 0, removed: 0, changed: 1 });
    };
    const file = sandbox.write(SETTINGS, NO);
    await offered(false);
    writeFileSync(file, NO.replace("false", "true"));
    await offered(true);
    writeFileSync(file, NO);
    await offered(false);
    rmSync(file);
    await offered(true);
    writeFileSync(file, NO);
    await offered(false);
    rmSync(sandbox.path(`${SKILL}/agents`), { recursive: true });
    await offered(true);
  });
});
