import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { describedSkills, loadSkill, namesIn } from "../support/client.ts";
import { connectInProcess } from "../support/in-process.ts";
import { createSandbox, DISK_FOLDER } from "../support/sandbox.ts";
import { waitUntil } from "../support/wait-until.ts";

const OFFLINE = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];

test("a running server notices what npm installs from packed packages, and serves it in the installed version", async () => {
  const sandbox = createSandbox(DISK_FOLDER);
  const npm = (folder: string, ...args: string[]) =>
    execFileSync("npm", args, {
      cwd: sandbox.path(folder),
      env: { PATH: process.env["PATH"], HOME: sandbox.home },
      stdio: "pipe",
    });
  sandbox.write("project/package.json", '{"name":"app","private":true}');
  sandbox.skill("project/.claude/skills/own");
  for (const [version, body] of [
    ["1.0.0", "the first text"],
    ["2.0.0", "the second text"],
  ]) {
    const files = ["skills"];
    sandbox.write("package/package.json", JSON.stringify({ name: "@acme/ui", version, files }));
    sandbox.skill("package/skills/forms/core", { body: `${body}\n` });
    sandbox.write("package/skills/forms/core/references/all.md", "more");
    npm("package", "pack", "--ignore-scripts", "--pack-destination", sandbox.path("project"));
  }
  const installed = (version: string) => npm("project", "install", ...OFFLINE, `./acme-ui-${version}.tgz`);
  installed("1.0.0");
  const connection = await connectInProcess(sandbox, { era: "2025-11-25", args: ["mcp", "--no-refresh"] });
  expect(namesIn(await describedSkills(connection))).toEqual(["@acme-ui:core", "own"]);
  expect(await loadSkill(connection, "@acme-ui:core")).toMatchObject({
    text: expect.stringMatching(/Location: project\nProvider: npm\nPlugin: @acme-ui\n[^]*the first text/),
  });
  // Only once it watches does it notice.
  await connection.client.listTools();
  await waitUntil("the new version", async () => {
    const { text } = await loadSkill(connection, "@acme-ui:core");
    if (!text.includes("the second text")) installed("2.0.0");
    return text.includes("the second text");
  });
  npm("project", "uninstall", ...OFFLINE, "@acme/ui");
  await waitUntil("it is gone", async () => {
    return !(await describedSkills(connection)).includes("@acme-ui:core");
  });
});
