import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { connectHttp } from "../support/connect-http.ts";
import { runCommand, serveInProcess } from "../support/in-process.ts";
import { callLibrary, page, serveLibraryInProcess, writeLibrary } from "../support/library.ts";
import { createSandbox, DISK_FOLDER, type Sandbox } from "../support/sandbox.ts";

const works =
  process.platform === "linux" &&
  spawnSync("bwrap", ["--unshare-all", "--ro-bind", "/", "/", "true"]).status === 0;

const CONNECT = 'exec 3<>"/dev/tcp/127.0.0.1/$SKILL_ARG_PORT" && cat <&3\n';

const FILES = {
  "s.md": page(
    "scripts",
    "Runs",
    "scripts:\n  - {file: declared.sh, execution: server, network: true}\n  - {file: plain.sh, execution: server}",
  ),
  "s/declared.sh": CONNECT,
  "s/plain.sh": CONNECT,
};

const UNDECLARED =
  "This script ran without a network; declare `network: true` for it in s.md if it needs one";
const OPERATOR = "the operator sets scripts.network to declared in ~/.skills-mcp/config.yaml.";

const run = (file: string, port: number) => ({ skill_path: "s", file, args: { port: String(port) } });

async function greeterPort(): Promise<number> {
  const server = createServer((socket) => void socket.end("hello\n"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const set = (sandbox: Sandbox, network: string | undefined): void => {
  if (network !== undefined)
    sandbox.write("home/.skills-mcp/config.yaml", `scripts:\n  network: ${network}\n`);
};

const REACHED = { success: true, stdout: "hello\n" };
const warned = (warning: string) => ({ success: false, stdout: "", warning });

describe(`seed 004 §8.4: scripts and the network${works ? "" : " (skipped: bubblewrap does not work here)"}`, () => {
  test.runIf(works).each([
    [undefined, REACHED, warned(`${UNDECLARED}.`)],
    ["declared", REACHED, warned(`${UNDECLARED}.`)],
    ["on", REACHED, REACHED],
    [
      "off",
      warned(
        `This script ran without a network, although it declares \`network: true\`: scripts.network is off. It has one if ${OPERATOR}`,
      ),
      warned(`${UNDECLARED}, and ${OPERATOR}`),
    ],
  ])("on stdio, with scripts.network %s", async (network, declared, plain) => {
    const sandbox = createSandbox(DISK_FOLDER);
    set(sandbox, network);
    const port = await greeterPort();
    const { call } = await serveLibraryInProcess(sandbox, FILES);
    const first = await call("run_script", run("declared.sh", port));
    expect(first).toMatchObject(declared);
    if (declared === REACHED) expect(first["warning"]).toBeUndefined();
    expect(await call("run_script", run("plain.sh", port))).toMatchObject(plain);
  });

  test.runIf(works).each([
    [undefined, false],
    ["declared", true],
  ])("over HTTP, with scripts.network %s", async (network, reached) => {
    const sandbox = createSandbox(DISK_FOLDER);
    set(sandbox, network);
    const port = await greeterPort();
    const url = await serveInProcess(sandbox, ["--library", writeLibrary(sandbox, FILES)]);
    const { client } = await connectHttp(url, "2025-11-25");
    expect(await callLibrary(client, "run_script", run("declared.sh", port))).toMatchObject({
      success: reached,
    });
    expect(await callLibrary(client, "run_script", run("plain.sh", port))).toMatchObject({ success: false });
  });

  test("a library cannot give it to its scripts", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    const dir = writeLibrary(sandbox, { ...FILES, "config.yaml": "scripts:\n  network: on\n" });
    const { stdout, stderr } = await runCommand(sandbox, ["config", "--library", dir]);
    expect(stdout).toMatch(/^scripts\.network +declared \(off over HTTP\) +default$/m);
    expect(stdout + stderr).toContain("scripts.network was ignored");
  });
});

describe("a script that declares the network", () => {
  test("is shown with it by get_skill, info and audit", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    const { call, dir } = await serveLibraryInProcess(sandbox, FILES);
    const { scripts } = (await call("get_skill", { skill_path: "s" })) as unknown as {
      scripts: readonly Record<string, unknown>[];
    };
    expect(scripts.map(({ file, network }) => [file, network])).toEqual([
      ["declared.sh", true],
      ["plain.sh", undefined],
    ]);
    const info = (await runCommand(sandbox, ["info", "s", "--library", dir])).stdout;
    expect(info).toMatch(/declared\.sh +script, \d+ B, network$/m);
    expect(info).toMatch(/plain\.sh +script, \d+ B$/m);
    const audited = (await runCommand(sandbox, ["audit", "s", "--library", dir])).stdout;
    expect(audited).toContain("script-network");
    expect(audited).toContain("declared.sh: network: true");
    expect(audited).not.toContain("plain.sh: network");
  });

  test("is shown with it by the approval", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    const dir = writeLibrary(sandbox, FILES);
    sandbox.write("home/.skills-mcp/trust.yaml", `review: [${dir}]\n`);
    const { stdout } = await runCommand(sandbox, ["approve", "s", "--dry-run", "--library", dir]);
    expect(stdout).toContain("script-network");
    expect(stdout).toContain("declares `network: true`");
  });

  test("is shown with it by the dashboard", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    const url = await serveInProcess(sandbox, ["--library", writeLibrary(sandbox, FILES)]);
    const answer = await fetch(`${url}/api/v1/skill?name=library:s`);
    expect(await answer.json()).toMatchObject({
      files: [
        { path: "declared.sh", kind: "script", network: true },
        { path: "plain.sh", kind: "script" },
      ],
    });
  });
});
