import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { bundleProgram } from "../../../../test/support/program.ts";
import { createSandbox } from "../../../../test/support/sandbox.ts";

/** In a user namespace of its own, a process may lower its own limit without touching the machine's. */
const SET_LIMIT = "echo 4 > /proc/sys/user/max_inotify_watches";
const canSetLimit = spawnSync("unshare", ["-Ur", "sh", "-c", SET_LIMIT]).status === 0;

/** Runs in the namespace: opens a registry with more folders than watches, edits a file, waits for the edit. */
const CHILD = `
import { writeFileSync } from "node:fs";
import { createRegistry } from "./packages/skills/src/registry/registry.ts";
import { createScanner } from "./packages/skills/src/scan/scan.ts";
const [root, file, text] = process.argv.slice(2);
const roots = [{ dir: root, provider: "file", location: "user", named: true }];
const seen = { limits: [], failures: [], events: 0 };
const registry = createRegistry({
  scan: createScanner({ roots, now: Date.now }),
  filter: { include: [], exclude: [] },
  watch: true,
  intervalMs: 100,
  onRefresh: () => void seen.events++,
  onFailure: (error) => seen.failures.push(String(error)),
  onWatchLimit: (code) => seen.limits.push(code),
});
const until = async (isTrue) => {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 20));
};
await until(() => seen.limits.length > 0 && seen.events > 5);
writeFileSync(file, text);
await until(async () => (await registry.snapshot()).catalog.entries.some((entry) => entry.skill.description === "Edited."));
registry.close();
console.log(JSON.stringify({ limits: seen.limits, failures: seen.failures }));
`;

// Skipped where user namespaces are not allowed or the limit cannot be set in one (no Linux, or a locked-down one).
test.skipIf(!canSetLimit)(
  "at the limit of watches it says so once, and the interval finds every change",
  async () => {
    const sandbox = createSandbox();
    for (let index = 0; index < 20; index++) sandbox.skill(`skills/s${index}`);
    const program = await bundleProgram(sandbox, CHILD);
    const { stdout, stderr, status } = spawnSync(
      "unshare",
      [
        ...["-Ur", "sh", "-c", `${SET_LIMIT} && exec "$@"`, "sh"],
        ...[process.execPath, program, sandbox.path("skills"), sandbox.path("skills/s9/SKILL.md")],
        "---\nname: s9\ndescription: Edited.\n---\n",
      ],
      { encoding: "utf8", timeout: 15_000 },
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({ limits: ["ENOSPC"], failures: [] });
  },
);
