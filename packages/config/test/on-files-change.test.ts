import { closeSync, mkdirSync, openSync, readFileSync, rmdirSync, rmSync, writeSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { createSandbox } from "../../../test/support/sandbox.ts";
import { waitUntil } from "../../../test/support/wait-until.ts";
import { onFilesChange } from "../src/on-files-change.ts";

function follow(...names: readonly string[]) {
  const sandbox = createSandbox();
  const files = names.map((name) => sandbox.path(name));
  let calls = 0;
  return {
    sandbox,
    files,
    calls: () => calls,
    start: (onCall: () => void = () => {}) =>
      onTestFinished(
        onFilesChange(files, () => {
          calls++;
          onCall();
        }),
      ),
  };
}

test("onFilesChange: reports a file once that appears, changes or goes, and none that stays missing", async () => {
  const { sandbox, files, calls, start } = follow("a.yaml", "never.yaml");
  sandbox.write("a.yaml", "before");
  start();
  for (const [step, change] of [
    () => rmSync(files[0] ?? ""),
    () => sandbox.write("a.yaml", "one"),
    () => sandbox.write("a.yaml", "other"),
  ].entries()) {
    change();
    await waitUntil(`change ${step} is reported`, () => calls() === step + 1);
  }
});

test("onFilesChange: a folder in the place of a file is no change", async () => {
  const watched = follow("a.yaml");
  watched.start();
  // Polls right after the other one, so that it tells when both have seen the folder.
  const control = follow("b.yaml");
  control.start();
  mkdirSync(watched.files[0] ?? "");
  control.sandbox.write("b.yaml", "one");
  await waitUntil("the control is reported", () => control.calls() === 1);
  rmdirSync(watched.files[0] ?? "");
  control.sandbox.write("b.yaml", "other");
  await waitUntil("the control is reported again", () => control.calls() === 2);
  expect(watched.calls()).toBe(0);
});

test("onFilesChange: reports a file that is written in parts when it is complete", async () => {
  const { sandbox, files, calls, start } = follow("a.yaml");
  sandbox.write("a.yaml", "");
  const read: string[] = [];
  start(() => void read.push(readFileSync(files[0] ?? "", "utf8")));
  const descriptor = openSync(files[0] ?? "", "w");
  // Several times as long as it takes to notice the first part.
  for (let part = 0; part < 100; part++) {
    writeSync(descriptor, `${part}\n`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  closeSync(descriptor);
  await waitUntil("it is reported", () => calls() > 0);
  expect(read).toEqual([expect.stringMatching(/\n99\n$/)]);
});
