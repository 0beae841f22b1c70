import { renameSync, rmSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { onFileChange } from "../../../src/app/reload/on-file-change.ts";
import { createSandbox, type Sandbox } from "../../support/sandbox.ts";
import { waitUntil } from "../../support/wait-until.ts";

/** Follows a file, and counts the changes that are reported. */
function follow(sandbox: Sandbox, name: string): () => number {
  let count = 0;
  onTestFinished(
    onFileChange(sandbox.path(name), () => {
      count++;
    }),
  );
  return () => count;
}

test("a file that is missing from the start is no change, and neither is one that stays", async () => {
  const sandbox = createSandbox();
  sandbox.write("same.yaml", "a: 1\n");
  const changes = ["missing.yaml", "same.yaml"].map((name) => follow(sandbox, name));
  const other = follow(sandbox, "other.yaml");
  sandbox.write("other.yaml", "a: 1\n");
  await waitUntil("another file is noticed", () => other() === 1);
  // Polled at the same time, once more.
  sandbox.write("other.yaml", "a: 22\n");
  await waitUntil("its change is noticed", () => other() === 2);
  expect(changes.map((count) => count())).toEqual([0, 0]);
});

test("one that appears, is replaced and goes is reported each time", async () => {
  const sandbox = createSandbox();
  const changes = follow(sandbox, "config.yaml");
  sandbox.write("config.yaml", "a: 1\n");
  await waitUntil("it is there", () => changes() === 1);
  sandbox.write("next.yaml", "a: 2\n");
  renameSync(sandbox.path("next.yaml"), sandbox.path("config.yaml"));
  await waitUntil("it is replaced", () => changes() === 2);
  rmSync(sandbox.path("config.yaml"));
  await waitUntil("it is gone", () => changes() === 3);
});
