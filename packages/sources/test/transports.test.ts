import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { createOrigin } from "../../../test/support/origin.ts";
import { createSandbox, type Sandbox } from "../../../test/support/sandbox.ts";
import { contentOf, openSource } from "./open-source.ts";

/** A replacement for ssh: it records how it was called, and runs the last argument here. */
function fakeSsh(sandbox: Sandbox, ending = 'eval "$last"'): string {
  const script = `#!/bin/sh\nprintf '%s\\n' "$*" >> ${sandbox.path("calls")}\nfor last; do :; done\n${ending}\n`;
  const file = sandbox.write("bin/ssh", script);
  chmodSync(file, 0o755);
  return file;
}

const environmentWith = (sandbox: Sandbox, more: NodeJS.ProcessEnv = {}) => ({
  PATH: `${sandbox.path("bin")}:${process.env["PATH"]}`,
  HOME: sandbox.home,
  ...more,
});

describe.skipIf(process.platform === "win32")("over ssh", () => {
  test("a repository is cloned without a question asked", async () => {
    const sandbox = createSandbox();
    const origin = createOrigin(sandbox.path());
    origin.commit({ "a.md": "by ssh" });
    fakeSsh(sandbox);
    const source = openSource(sandbox, `git@example.com:${origin.folder.slice(1)}`, {
      environment: environmentWith(sandbox),
      token: "unused",
    });
    // The path is relative to the home folder of the other side.
    fakeSsh(sandbox, `cd / && eval "$last"`);
    expect(await source.refresh()).toMatchObject({ success: true });
    expect(await contentOf(source)).toEqual({ "a.md": "by ssh" });
    expect(readFileSync(sandbox.path("calls"), "utf8")).toMatch(
      /-o BatchMode=yes .*git@example\.com git-upload-pack/,
    );
  });

  test.each([
    ["git@example.com:", "git@example.com"],
    ["git@[::1]:", "git@::1"],
  ])("a path from the root of the other side is taken, %s/…", async (before, host) => {
    const sandbox = createSandbox();
    const origin = createOrigin(sandbox.path());
    origin.commit({ "a.md": "by ssh" });
    fakeSsh(sandbox);
    const source = openSource(sandbox, `${before}${origin.folder}`, {
      environment: environmentWith(sandbox),
    });
    expect(await source.refresh()).toMatchObject({ success: true });
    expect(readFileSync(sandbox.path("calls"), "utf8")).toContain(` ${host} git-upload-pack`);
  });

  test("the operator's own ssh command is used, from the settings or the environment", async () => {
    const sandbox = createSandbox();
    const origin = createOrigin(sandbox.path());
    origin.commit({ "a.md": "by ssh" });
    fakeSsh(sandbox);
    sandbox.write("home/.gitconfig", "[core]\n\tsshCommand = ssh -i own-key\n");
    const url = `ssh://git@example.com${origin.folder}`;
    const bySettings = openSource(sandbox, url, { environment: environmentWith(sandbox) });
    expect(await bySettings.refresh()).toMatchObject({ success: true });
    expect(readFileSync(sandbox.path("calls"), "utf8")).toContain("-i own-key -o BatchMode=yes");
    const environment = environmentWith(sandbox, { GIT_SSH_COMMAND: "ssh -i other-key" });
    expect(await openSource(sandbox, url, { environment }).refresh()).toMatchObject({ success: true });
    expect(readFileSync(sandbox.path("calls"), "utf8")).toContain("-i other-key -o BatchMode=yes");
  });

  test.each([
    ["git@example.com: Permission denied (publickey).", /rejected this machine's ssh key/],
    ["Host key verification failed.", /connect once with ssh/],
    ["ssh: Could not resolve hostname example.com: Name or service not known", /host of .* was not found/],
  ])("'%s' is explained", async (words, expected) => {
    const sandbox = createSandbox();
    fakeSsh(sandbox, `echo "${words}" >&2; exit 255`);
    const source = openSource(sandbox, "git@example.com:team/skills.git", {
      environment: environmentWith(sandbox),
    });
    expect(await source.refresh()).toMatchObject({
      success: false,
      message: expect.stringMatching(expected),
    });
  });
});

test("a repository with SHA-256 is cloned and followed", async () => {
  const sandbox = createSandbox();
  const folder = sandbox.path("new-skills.git");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: sandbox.home }).toString().trim();
  git("init", "--quiet", "--bare", "--object-format=sha256", "--initial-branch=main", folder);
  const commit = (text: string) => {
    const stream = `commit refs/heads/main\ncommitter A <a@example.com> 1700000000 +0000\ndata 0\ndeleteall\nM 100644 inline a.md\ndata ${text.length}\n${text}\n`;
    execFileSync("git", ["--git-dir", folder, "fast-import", "--quiet", "--force"], { input: stream });
    return git("--git-dir", folder, "rev-parse", "main");
  };
  const source = openSource(sandbox, `file://${folder}`);
  for (const text of ["one", "two"]) {
    const hash = commit(text);
    expect(hash).toHaveLength(64);
    expect(await source.refresh()).toMatchObject({ success: true, commitHash: hash, filesChanged: 1 });
    expect(await contentOf(source)).toEqual({ "a.md": text });
    expect(path.basename((await source.current()) ?? "")).toBe(hash);
  }
});
