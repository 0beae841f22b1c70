import { readdirSync, readFileSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { createSandbox } from "../../../test/support/sandbox.ts";
import { openRecordFile } from "../src/record-file.ts";

const LINE = "x".repeat(100);

function open(file: string, failures: unknown[] = []) {
  return openRecordFile({ file, mostBytes: 1_000, files: 3, onFailure: (error) => failures.push(error) });
}

test("two writers lose no line and mix none", async () => {
  const file = createSandbox().path("records/audit.jsonl");
  const writers = [open(file), open(file)];
  for (let at = 0; at < 4; at++)
    for (const [index, writer] of writers.entries()) writer.add(`${index}:${at}`);
  await Promise.all(writers.map((writer) => writer.close()));
  expect(readFileSync(file, "utf8").trim().split("\n").sort()).toEqual([
    "0:0",
    "0:1",
    "0:2",
    "0:3",
    "1:0",
    "1:1",
    "1:2",
    "1:3",
  ]);
});

test("record file: a large file is moved aside, and only the newest few are kept", async () => {
  const sandbox = createSandbox();
  const file = sandbox.path("records/audit.jsonl");
  const records = open(file);
  for (let round = 0; round < 6; round++) {
    for (let at = 0; at < 11; at++) records.add(`${round} ${LINE}`);
    await records.close();
  }
  expect(readdirSync(sandbox.path("records")).sort()).toEqual([
    "audit.1.jsonl",
    "audit.2.jsonl",
    "audit.jsonl",
  ]);
  expect(readFileSync(file, "utf8")).toMatch(/^5 /);
  expect(readFileSync(sandbox.path("records/audit.2.jsonl"), "utf8")).toMatch(/^3 /);
});

test("record file: lines that could not be written are written once they can be", async () => {
  const sandbox = createSandbox();
  const file = sandbox.path("records/audit.jsonl");
  const inTheWay = sandbox.write("records", "");
  const failures: unknown[] = [];
  const records = open(file, failures);
  records.add("one");
  await records.close();
  records.add("two");
  await records.close();
  expect(failures).toHaveLength(1);
  rmSync(inTheWay);
  records.add("three");
  await records.close();
  expect(readFileSync(file, "utf8")).toBe("one\ntwo\nthree\n");
});
