import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { createEventSink } from "../../../../test/support/event-sink.ts";
import { createSandbox } from "../../../../test/support/sandbox.ts";
import { bufferFiles, folderOf, openUsage } from "../open-usage.ts";

function contextsIn(file: string): readonly unknown[] {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line) => (JSON.parse(line) as { data: { context: unknown } }).data.context);
}

test("local file: without an endpoint, events of several sessions are in it, and one line of the log names it", async () => {
  const sandbox = createSandbox();
  const file = path.join(folderOf(sandbox), "analytics-buffer.jsonl");
  for (const context of ["one", "two"]) {
    const { usage, log } = openUsage(sandbox, { localFile: true });
    usage.record("no_match", { context, via: "get_skill" });
    // What is in the history alone is not for an endpoint.
    usage.record("skills_found", { skills: ["pdf"], via: "find_skills" });
    await usage.close(5000);
    expect(log.filter((line) => line.includes(file))).toHaveLength(1);
  }
  expect(contextsIn(file)).toEqual(["one", "two"]);
  expect(bufferFiles(folderOf(sandbox))).toEqual(["analytics-buffer.jsonl"]);
});

test("local file: a flush while the server runs puts events into it", async () => {
  const sandbox = createSandbox();
  const { usage, folder } = openUsage(sandbox, { localFile: true });
  usage.record("no_match", { context: "one", via: "get_skill" });
  await usage.flush();
  expect(contextsIn(path.join(folder, "analytics-buffer.jsonl"))).toEqual(["one"]);
  expect(usage.state()).toMatchObject({ delivered: 0, dropped: 0, failure: undefined, bufferWritable: true });
});

test("local file: an endpoint that is named later gets the events", async () => {
  const sandbox = createSandbox();
  const before = openUsage(sandbox, { localFile: true });
  before.usage.record("no_match", { context: "one", via: "get_skill" });
  await before.usage.close(5000);
  const sink = await createEventSink();
  const { usage, folder } = openUsage(sandbox, { endpoint: sink.url });
  await usage.close(5000);
  expect(sink.taken().map(({ data }) => data["context"])).toEqual(["one"]);
  expect(bufferFiles(folder)).toEqual([]);
});

test("local file: with neither an endpoint nor analytics.enabled there is none", async () => {
  const { usage, folder } = openUsage(createSandbox());
  usage.record("no_match", { context: "one", via: "get_skill" });
  await usage.close(5000);
  expect(existsSync(folder)).toBe(false);
});
