import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox, type Sandbox } from "../../../../test/support/sandbox.ts";
import { CONNECT_TARGETS, connectTargetsNamed } from "../../src/connect/connect-targets.ts";
import { readConnections } from "../../src/connect/connections.ts";
import { type ConnectRequest, planStep } from "../../src/connect/plan.ts";
import { applyStep } from "../../src/connect/plan-change.ts";
import type { Surroundings } from "../../src/connect/surroundings.ts";
import { targetOf } from "./target-of.ts";

const COMMAND = ["/usr/bin/node", "/opt/tools/dist/cli.js"];
const CONNECT: ConnectRequest = {
  scope: "user",
  connection: { kind: "local", command: COMMAND },
  force: false,
};
const DISCONNECT: ConnectRequest = { ...CONNECT, connection: undefined };

function machine(sandbox: Sandbox) {
  const { home, project } = sandbox;
  mkdirSync(home, { recursive: true });
  mkdirSync(project, { recursive: true });
  const surroundings: Surroundings = {
    platform: "linux",
    environment: {},
    home,
    cwd: project,
    ownFolder: path.join(home, ".skills-mcp"),
    own: COMMAND.slice(1),
  };
  const run = async (id: string, request: ConnectRequest) => {
    const step = await planStep(targetOf(id), request, surroundings);
    return applyStep(step, surroundings);
  };
  return { surroundings, run };
}

/** An agent that adds to its own file as soon as we have made a copy of it, and says how often its last write was gone. */
function writesAfterBackup(file: string, { ownFolder }: Surroundings, most: number) {
  const backups = (): number =>
    existsSync(path.join(ownFolder, "backups")) ? readdirSync(path.join(ownFolder, "backups")).length : 0;
  const first = backups();
  const figures = { writes: 0, lost: 0 };
  let isOver = false;
  const write = (): void => {
    const text = readFileSync(file, "utf8");
    if (!text.includes(`"writes": ${figures.writes}`)) figures.lost++;
    const next = text.replace(/"writes": \d+/, `"writes": ${++figures.writes}`);
    writeFileSync(`${file}.new`, next);
    renameSync(`${file}.new`, file);
  };
  const turn = (): void => {
    if (isOver) return;
    if (backups() > first && figures.writes < most) write();
    setImmediate(turn);
  };
  turn();
  return {
    end() {
      isOver = true;
      if (!readFileSync(file, "utf8").includes(`"writes": ${figures.writes}`)) figures.lost++;
      return figures;
    },
  };
}

/** Every file and folder below a folder, with its text, but for our own. */
function contentOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => !name.startsWith(".skills-mcp"))
    .sort()
    .map((name) => {
      const file = path.join(folder, name);
      return `${name} ${statSync(file).isFile() ? readFileSync(file, "utf8") : ""}`;
    });
}

describe("connect, then disconnect", () => {
  test.each(CONNECT_TARGETS)("leaves nothing of $id where nothing was", async ({ id, project, remote }) => {
    const sandbox = createSandbox();
    const { run } = machine(sandbox);
    const requests: ConnectRequest[] = [
      CONNECT,
      ...(project === undefined ? [] : [{ ...CONNECT, scope: "project" } as const]),
      ...(remote === undefined
        ? []
        : [{ ...CONNECT, connection: { kind: "http", url: "http://x/mcp" } } as const]),
    ];
    for (const request of requests) {
      expect((await run(id, request)).step.action).toBe("add");
      expect((await run(id, request)).step).toMatchObject({ action: "none", isConnected: true });
      expect((await run(id, { ...request, connection: undefined })).step.action).toBe("remove");
      expect([...contentOf(sandbox.home), ...contentOf(sandbox.project)]).toEqual([]);
    }
  });

  test("keeps what somebody else wrote to the file in the meantime", async () => {
    const sandbox = createSandbox();
    const { run } = machine(sandbox);
    const { step } = await run("cursor", CONNECT);
    const text = JSON.parse(readFileSync(step.file, "utf8")) as { mcpServers: object };
    writeFileSync(step.file, JSON.stringify({ ...text, mcpServers: { ...text.mcpServers, other: {} } }));
    await run("cursor", DISCONNECT);
    expect(JSON.parse(readFileSync(step.file, "utf8"))).toEqual({ mcpServers: { other: {} } });
  });

  test("works after a process was killed between writing the record and the file", async () => {
    const sandbox = createSandbox();
    const file = sandbox.write("home/.cursor/mcp.json", "{}");
    const { run } = machine(sandbox);
    await run("cursor", CONNECT);
    writeFileSync(file, "{ }\n");
    expect((await run("cursor", DISCONNECT)).step).toMatchObject({ action: "none", isConnected: false });
    expect((await run("cursor", CONNECT)).step.action).toBe("add");
    expect((await run("cursor", DISCONNECT)).step.action).toBe("remove");
    expect(readFileSync(file, "utf8")).toBe("{ }\n");
  });

  test("leaves at most an empty map when the record is missing or broken", async () => {
    const sandbox = createSandbox();
    const file = sandbox.write("home/.cursor/mcp.json", "{}");
    const { run } = machine(sandbox);
    await run("cursor", CONNECT);
    sandbox.write(
      "home/.skills-mcp/connections.json",
      '{"version": 1, "connections": [null, 7, {"file": 1}]}',
    );
    await run("cursor", DISCONNECT);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ mcpServers: {} });
  });

  test("undoes an update in between as well", async () => {
    const sandbox = createSandbox();
    const before = '{\r\n\t"a": 1 // one\r\n}';
    const file = sandbox.write("home/.cursor/mcp.json", before);
    const { run } = machine(sandbox);
    await run("cursor", CONNECT);
    const updated = await run("cursor", { ...CONNECT, connection: { kind: "http", url: "http://x/mcp" } });
    expect(updated.step.action).toBe("update");
    expect(readFileSync(file, "utf8")).toContain('"http://x/mcp"');
    await run("cursor", DISCONNECT);
    expect(readFileSync(file, "utf8")).toBe(before);
  });
});

describe("entry of the same name that starts something else", () => {
  const other = '{"mcpServers": {"skills": {"command": "other"}}}';

  test("is refused, and replaced or removed with force", async () => {
    const sandbox = createSandbox();
    const file = sandbox.write("home/.cursor/mcp.json", other);
    const { run } = machine(sandbox);
    for (const request of [CONNECT, DISCONNECT]) {
      expect((await run("cursor", request)).step).toMatchObject({
        action: "refuse",
        reason: expect.stringContaining("--force") as string,
      });
    }
    expect(readFileSync(file, "utf8")).toBe(other);
    const { backup = "" } = await run("cursor", { ...CONNECT, force: true });
    expect(readFileSync(file, "utf8")).toContain("/opt/tools/dist/cli.js");
    expect(readFileSync(backup, "utf8")).toBe(other);
  });

  test("counts as ours without force, if connect wrote that address before", async () => {
    const sandbox = createSandbox();
    const { run } = machine(sandbox);
    await run("cursor", { ...CONNECT, connection: { kind: "http", url: "https://skills.example.com/mcp" } });
    expect((await run("cursor", CONNECT)).step.action).toBe("update");
  });
});

describe("configuration file", () => {
  test.skipIf(process.platform === "win32")("is written with its mode, and through its link", async () => {
    const sandbox = createSandbox();
    const target = sandbox.write("dotfiles/mcp.json", "{}\n");
    chmodSync(target, 0o664);
    mkdirSync(sandbox.path("home/.cursor"), { recursive: true });
    const link = sandbox.path("home/.cursor/mcp.json");
    symlinkSync(target, link);
    const { run } = machine(sandbox);
    expect((await run("cursor", CONNECT)).step.action).toBe("add");
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(statSync(target).mode & 0o777).toBe(0o664);
    await run("cursor", DISCONNECT);
    expect(readFileSync(target, "utf8")).toBe("{}\n");
  });

  test("is not written if it changed after the plan", async () => {
    const sandbox = createSandbox();
    const file = sandbox.write("home/.cursor/mcp.json", "{}");
    const { surroundings } = machine(sandbox);
    const step = await planStep(targetOf("cursor"), CONNECT, surroundings);
    writeFileSync(file, '{"a": 1}');
    expect((await applyStep(step, surroundings)).step).toMatchObject({
      action: "refuse",
      reason: expect.stringContaining("changed in the meantime") as string,
    });
    expect(readFileSync(file, "utf8")).toBe('{"a": 1}');
  });

  test.each([CONNECT, DISCONNECT])(
    "that its agent writes meanwhile loses nothing, and is planned again",
    async (request) => {
      const sandbox = createSandbox();
      const file = sandbox.write("home/.cursor/mcp.json", '{"writes": 0}');
      const { surroundings, run } = machine(sandbox);
      if (request === DISCONNECT) await run("cursor", CONNECT);
      const agent = writesAfterBackup(file, surroundings, 1);
      const replan = () => planStep(targetOf("cursor"), request, surroundings);
      const { step } = await applyStep(await replan(), surroundings, replan);
      expect(step.action).toBe(request === CONNECT ? "add" : "remove");
      expect(agent.end()).toEqual({ writes: 1, lost: 0 });
      const servers = JSON.parse(readFileSync(file, "utf8")).mcpServers ?? {};
      expect(Object.keys(servers)).toEqual(request === CONNECT ? ["skills"] : []);
    },
  );

  test("that its agent writes all the time is left alone, with the way out", async () => {
    const sandbox = createSandbox();
    const file = sandbox.write("home/.cursor/mcp.json", '{"writes": 0}');
    const { surroundings } = machine(sandbox);
    const agent = writesAfterBackup(file, surroundings, 1_000_000);
    const replan = () => planStep(targetOf("cursor"), CONNECT, surroundings);
    const { step } = await applyStep(await replan(), surroundings, replan);
    expect(step).toMatchObject({
      action: "refuse",
      reason: "cursor wrote it 5 times meanwhile: close it, and run the command again.",
    });
    expect(agent.end().lost).toBe(0);
    expect(readFileSync(file, "utf8")).not.toContain("mcpServers");
    expect(await readConnections(surroundings.ownFolder, "connections.json")).toEqual([]);
  });

  test("has its last copy kept after the clock was set back", async () => {
    const sandbox = createSandbox();
    sandbox.write("home/.cursor/mcp.json", "{}");
    const { run } = machine(sandbox);
    for (let ahead = 0; ahead < 10; ahead++)
      sandbox.write(`home/.skills-mcp/backups/cursor--2999010${ahead}T000000-000Z--mcp.json`, "{}");
    const { backup = "" } = await run("cursor", CONNECT);
    expect(existsSync(backup)).toBe(true);
    expect(readdirSync(path.dirname(backup))).toHaveLength(10);
  });

  test("has its ten last copies kept", async () => {
    const sandbox = createSandbox();
    sandbox.write("home/.cursor/mcp.json", "{}");
    const { run } = machine(sandbox);
    for (let round = 0; round < 7; round++) {
      await run("cursor", CONNECT);
      await run("cursor", DISCONNECT);
    }
    const backups = readdirSync(sandbox.path("home/.skills-mcp/backups"));
    expect(backups.length).toBeLessThanOrEqual(10);
    expect(backups.length).toBeGreaterThan(1);
  });
});

describe("hostile configuration file: refused with a reason, and left as it is", () => {
  const unixOnly = process.platform === "win32";
  const file = "home/.cursor/mcp.json";
  test.each<readonly [string, RegExp, boolean, (sandbox: Sandbox) => void]>([
    ["broken JSON", /not valid JSON/, false, (sandbox) => sandbox.write(file, "{")],
    ["a folder", /folder/, false, (sandbox) => sandbox.write(`${file}/x`, "")],
    [
      "bytes that are no text",
      /UTF-8/,
      false,
      (sandbox) => sandbox.write(file, new Uint8Array([0x7b, 0xff, 0xfe])),
    ],
    ["a huge file", /64 MiB/, false, (sandbox) => truncateSync(sandbox.write(file, ""), 65 * 1024 * 1024)],
    ["a read-only file", /read-only/, false, (sandbox) => chmodSync(sandbox.write(file, "{}"), 0o444)],
    [
      "a file in the place of a folder",
      /folder|directory/i,
      false,
      (sandbox) => sandbox.write("home/.cursor", ""),
    ],
    [
      "a FIFO",
      /special file/,
      unixOnly,
      (sandbox) => {
        sandbox.write("home/.cursor/x", "");
        spawnSync("mkfifo", [sandbox.path(file)]);
      },
    ],
    [
      "a link to nothing",
      /does not exist/,
      unixOnly,
      (sandbox) => {
        sandbox.write("home/.cursor/x", "");
        symlinkSync("/nowhere/at/all", sandbox.path(file));
      },
    ],
    [
      "a loop of links",
      /loop/,
      unixOnly,
      (sandbox) => {
        sandbox.write("home/.cursor/x", "");
        symlinkSync("mcp.json", sandbox.path(file));
      },
    ],
  ])("%s", async (_what, reason, isSkipped, prepare) => {
    if (isSkipped) return;
    const sandbox = createSandbox();
    prepare(sandbox);
    const { run } = machine(sandbox);
    const { step } = await run("cursor", CONNECT);
    expect(step).toMatchObject({ action: "refuse", reason: expect.stringMatching(reason) as string });
    expect(existsSync(sandbox.path("home/.skills-mcp"))).toBe(false);
  });
});

test.each([
  ["claude-code", "claude-code"],
  ["Claude", "claude-code"],
  ["code", "vscode"],
  ["copilot", "copilot-cli"],
  ["roo", "roo-code"],
  ["cn", "continue"],
])("connect: people may write '%s' for %s", (name, id) => {
  expect(connectTargetsNamed([name]).map(({ id: found }) => found)).toEqual([id]);
});

test("connect: an unknown agent is refused with suggestions", () => {
  expect(() => connectTargetsNamed(["cursr"])).toThrow("Unknown agent 'cursr'. Did you mean cursor?");
});
