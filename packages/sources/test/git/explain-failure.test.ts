import { expect, test } from "vitest";
import { explainGit } from "../../src/git/explain-failure.ts";

const URL = "https://example.com/skills.git";

test.each([
  ["fatal: unable to access: The requested URL returned error: 429", "server-error", "too many requests"],
  ["fatal: unable to access: The requested URL returned error: 503", "server-error", "failed (503)"],
  ["fatal: unable to access: server certificate verification failed.", "unreachable", "certificate"],
  ["fatal: detected dubious ownership in repository at '/srv/x'", "denied", "safe.directory"],
  ["fatal: write error: No space left on device", "disk-full", "free some space"],
  [
    "warning: x\nerror: first\nfatal: the last word.\nhint: try y",
    "git-failed",
    "(exit 128): the last word.",
  ],
  ["", "git-failed", "'git fetch' failed for https://example.com/skills.git (exit 128)."],
])("%j is explained", (stderr, code, words) => {
  const failure = explainGit({ command: "fetch", shown: URL, tokenFrom: undefined }, "exit 128", stderr);
  expect(failure).toMatchObject({ code, message: expect.stringContaining(words) });
  expect(failure.message).toMatch(/^[A-Zh'].*\.$/);
});
