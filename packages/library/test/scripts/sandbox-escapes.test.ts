import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { platform } from "#util";
import { bundleProgram } from "../../../../test/support/program.ts";
import { createSandbox, DISK_FOLDER } from "../../../../test/support/sandbox.ts";
import { waitUntil } from "../../../../test/support/wait-until.ts";
import { findProgram } from "../../src/scripts/programs.ts";
import {
  createScriptFixture,
  processesWith,
  sandboxHere,
  shareRunners,
  uniqueNumber,
} from "./script-fixture.ts";

const status = await sandboxHere();
const withRunner = shareRunners();

/** A server that runs one script, for a test that kills it. */
const SERVER = `
import { createScriptRunner } from "./packages/library/src/scripts/script-runner.ts";
import { NO_LOG } from "./packages/util/src/log.ts";
const runner = createScriptRunner({ policy: "required", environment: process.env, log: NO_LOG });
const run = JSON.parse(process.argv[2]);
await runner.run({ ...run, content: Buffer.from(run.content) });
`;

/** For real where a sandbox works, else skipped with the reason in the name. */
const sandboxed = (name: string, check: () => Promise<void>): void => {
  if (status.kind === "none") test.skip(`${name} (skipped: ${status.reason})`, check);
  else test(name, check);
};

describe("a script in a sandbox cannot", () => {
  sandboxed("read the home folder", async () => {
    const { sandbox, run } = createScriptFixture("required");
    const key = sandbox.write("home/.ssh/id_rsa", "private");
    expect(await run(`cat ${key}; cat ~/.ssh/id_rsa`)).toMatchObject({ stdout: "", success: false });
    // What is hidden would be readable otherwise.
    expect((await withRunner("off").run(`cat ${key}`)).stdout).toBe("private");
  });

  sandboxed("read the account's own home folder, passwords, or another skill", async () => {
    const { sandbox, run } = withRunner("required");
    const other = sandbox.write("library/other/secret.txt", "secret");
    const text = `cat /etc/shadow ${other} /etc/ssl/private/*; ls -A /root /home/* /var /run 2>/dev/null | grep -v '^/\\|^\\.pyenv\\|^$'`;
    expect((await run(text)).stdout).toBe("");
  });

  sandboxed("change its skill folder, the system, or anything that stays", async () => {
    const { sandbox, run } = withRunner("required");
    const escaped = `/tmp/escaped-${uniqueNumber()}`;
    const text = `
      here=${sandbox.path("library/ui")}
      for file in "$here/new" "$here/scripts/new" /new /usr/new /etc/new /etc/passwd; do
        (echo x > "$file") 2>/dev/null && echo "wrote $file"
      done
      rm -rf "$here"/* 2>/dev/null; mv "$here" "$here-2" 2>/dev/null && echo moved
      mount -o remount,rw "$here" 2>/dev/null && echo remounted
      echo x > ${sandbox.path("library/ui-new")} 2>/dev/null; echo x > ${escaped}; true`;
    const { stdout } = await run(text, { cwd: sandbox.project });
    expect(stdout).toBe("");
    expect(readdirSync(sandbox.path("library"))).toEqual(["ui"]);
    expect(readdirSync(sandbox.path("library/ui/scripts"))).toHaveLength(1);
    expect(existsSync(escaped)).toBe(false);
  });

  sandboxed("change its skill folder from a working folder above or inside it", async () => {
    const { sandbox, run } = withRunner("required");
    const text = `for folder in . scripts; do
      (echo x > "${sandbox.path("library/ui")}/$folder/new") 2>/dev/null && echo wrote
    done; true`;
    for (const cwd of ["library", "library/ui", "library/ui/scripts"]) {
      sandbox.write("library/ui/scripts/keep", "");
      expect(await run(text, { cwd: sandbox.path(cwd), cwdWritable: true })).toMatchObject({ stdout: "" });
    }
    expect(existsSync(sandbox.path("library/ui/new"))).toBe(false);
  });

  sandboxed("change a working folder that it may only read", async () => {
    const { sandbox, run } = withRunner("required");
    sandbox.write("project/file", "old");
    await run("echo new > file; rm -f file", { cwd: sandbox.project });
    expect(readFileSync(sandbox.path("project/file"), "utf8")).toBe("old");
  });

  sandboxed("reach the network, not even this machine", async () => {
    const server = createServer((_request, response) => response.end("reached")).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const text = `exec 5<>/dev/tcp/127.0.0.1/${port} && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&5 && tail -n1 <&5`;
    expect(await withRunner("required").run(text)).toMatchObject({ stdout: "", success: false });
    expect((await withRunner("off").run(text)).stdout).toContain("reached");
  });

  sandboxed("see the server's secrets", async () => {
    const { run } = withRunner("required");
    const text =
      "env; cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n'; cat /proc/*/cmdline 2>/dev/null | tr '\\0' '\\n'";
    const { stdout } = await run(text);
    expect(stdout).toContain("TMPDIR=");
    expect(stdout).not.toContain("canary-token");
    expect(stdout).not.toContain("GITHUB_TOKEN");
  });

  sandboxed("see or end other processes", async () => {
    const number = uniqueNumber();
    const victim = spawn("sleep", [number], { stdio: "ignore" });
    onTestFinished(() => void victim.kill("SIGKILL"));
    const text = `grep -la ${number} /proc/[0-9]*/cmdline; kill -9 ${victim.pid} -1 2>/dev/null; echo done`;
    await withRunner("required").run(text);
    expect(processesWith(number)).toHaveLength(1);
    const { stdout } = await withRunner("required").run("ls -d /proc/[0-9]*");
    expect(stdout.trim().split("\n").length).toBeLessThan(8);
  });

  sandboxed("write files without end", async () => {
    const text =
      'for i in 1 2 3 4 5 6 7 8; do head -c 60000000 /dev/zero > "$TMPDIR/$i" || { echo full; exit; }; done';
    expect((await withRunner("required").run(text)).stdout).toBe("full\n");
  });

  sandboxed("outlive a server that is killed", async () => {
    const { sandbox, plan } = withRunner("required");
    const number = uniqueNumber();
    const run = plan(
      `sleep ${number} & setsid sleep ${number} & (setsid sh -c 'sleep ${number} & exit' &) ; sleep ${number}`,
    );
    const program = await bundleProgram(sandbox, SERVER);
    const server = spawn(process.execPath, [program, JSON.stringify(run)], {
      env: { PATH: process.env["PATH"], HOME: sandbox.home, TMPDIR: sandbox.project },
      stdio: "ignore",
    });
    onTestFinished(() => void server.kill("SIGKILL"));
    await waitUntil("the script and its children run", () => processesWith(`sleep ${number} `).length >= 4);
    server.kill("SIGKILL");
    await waitUntil("nothing is left of them", () => processesWith(`sleep ${number} `).length === 0);
  });

  sandboxed("work in the home folder, the root, or a folder of the system", async () => {
    const { sandbox, run } = createScriptFixture("required");
    for (const cwd of [sandbox.home, path.dirname(sandbox.home), "/", "/proc/self", "/etc"]) {
      await expect(run("pwd", { cwd })).rejects.toMatchObject({ detail: { reason: "bad-folder" } });
    }
  });
});

describe.skipIf(process.platform !== "linux")("a sandbox that cannot be trusted", () => {
  /** A machine whose bubblewrap is this shell script. */
  function createMachine(policy: "preferred" | "required", bubblewrap: string) {
    const programs = createSandbox(DISK_FOLDER);
    chmodSync(programs.write("bin/bwrap", `#!/bin/sh\n${bubblewrap}\n`), 0o755);
    const environment = { PATH: `${programs.path("bin")}:${process.env["PATH"]}`, HOME: programs.home };
    return { programs, ...createScriptFixture(policy, { environment }) };
  }

  const IGNORES_ITS_PROFILE = 'until [ "$1" = -- ]; do shift; done; shift; exec "$@"';

  test("is not used: one that runs a script as it is", async () => {
    const { runner, log } = createMachine("preferred", IGNORES_ITS_PROFILE);
    expect(await runner.sandbox()).toMatchObject({
      kind: "none",
      reason: "bubblewrap does not work here: it exposes the machine's files",
    });
    expect(log).toHaveLength(1);
  });

  test("is not used if it fails, and its own message is reported", async () => {
    const { run } = createMachine(
      "required",
      "echo 'bwrap: No permissions to create new namespace' >&2; exit 1",
    );
    await expect(run("exit 0")).rejects.toMatchObject({
      detail: { reason: "no-sandbox" },
      message: expect.stringContaining("bwrap: No permissions to create new namespace"),
    });
  });

  sandboxed("fails the run when it stops working later, and nothing runs without it", async () => {
    const real = findProgram("bwrap", {
      searchPath: process.env["PATH"] ?? "",
      platform,
      content: [],
    });
    const { programs, sandbox, run } = createMachine(
      "preferred",
      `[ -e "\${0%/*}/broken" ] && { echo 'bwrap: broken' >&2; exit 1; }; exec ${real} "$@"`,
    );
    const text = `echo ran > ${sandbox.path("project/ran")}`;
    const changes = { cwd: sandbox.project, cwdWritable: true };
    expect(await run(text, changes)).toMatchObject({ success: true, sandbox: "bubblewrap" });
    rmSync(sandbox.path("project/ran"));
    programs.write("bin/broken", "");
    await expect(run(text, changes)).rejects.toMatchObject({
      detail: { reason: "no-sandbox" },
      message: expect.stringContaining("bwrap: broken"),
    });
    expect(existsSync(sandbox.path("project/ran"))).toBe(false);
  });
});
