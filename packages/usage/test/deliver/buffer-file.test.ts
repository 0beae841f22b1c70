import { spawn } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createEventSink } from "../../../../test/support/event-sink.ts";
import { createSandbox, type Sandbox } from "../../../../test/support/sandbox.ts";
import { createBufferFile } from "../../src/deliver/buffer-file.ts";
import { createJournal } from "../../src/deliver/journal.ts";
import { newPartFile } from "../../src/deliver/part-file.ts";
import { bufferFiles, folderOf, openUsage } from "../open-usage.ts";

const SHARED = "analytics-buffer.jsonl";

const RECENTLY = new Date().toISOString();

function lineOf(context: string, timestamp = RECENTLY): string {
  return `${JSON.stringify({ type: "no_match", timestamp, server_id: "dev-x", event_id: `id-${context}`, data: { context } })}\n`;
}

/** The name of a private file of this process, with another pid or machine in it. */
function partNameOf({
  pid = process.pid,
  machine,
}: {
  readonly pid?: number;
  readonly machine?: string;
}): string {
  const name = path.basename(newPartFile("/"));
  const [, start, boot, here, rest] = name.slice("analytics-buffer.".length).split("-");
  return `analytics-buffer.${[pid, start, boot, machine ?? here, rest].join("-")}`;
}

/** A pid of this machine that no process has. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ["-e", ""]);
  await new Promise((resolve) => child.on("exit", resolve));
  return child.pid ?? 0;
}

function openBuffer(sandbox: Sandbox, maxBytes = 1024 * 1024) {
  const dropped: number[] = [];
  const folder = folderOf(sandbox);
  const buffer = createBufferFile({
    folder,
    maxBytes,
    now: Date.now,
    onDropped: (count) => void dropped.push(count),
  });
  return { buffer, folder, dropped };
}

describe("what others left behind", () => {
  const leave = (sandbox: Sandbox, name: string, untouchedMs: number): string => {
    const file = sandbox.write(`home/.skills-mcp/${name}`, lineOf("left"));
    const time = new Date(Date.now() - untouchedMs);
    utimesSync(file, time, time);
    return file;
  };
  const adopted = async (sandbox: Sandbox): Promise<number> => {
    const { buffer } = openBuffer(sandbox);
    return (await buffer.claim()).files.length;
  };

  test("is adopted at once when its process is gone", async () => {
    const sandbox = createSandbox();
    const file = leave(sandbox, partNameOf({ pid: await deadPid() }), 0);
    expect(await adopted(sandbox)).toBe(1);
    expect(existsSync(file)).toBe(false);
  });

  test("is adopted when another process has the pid by now", async () => {
    const sandbox = createSandbox();
    leave(sandbox, partNameOf({ pid: process.ppid }), 0);
    expect(await adopted(sandbox)).toBe(process.platform === "linux" ? 1 : 0);
  });

  test("is not adopted while its process is alive, however old its times are", async () => {
    const sandbox = createSandbox();
    const file = leave(sandbox, partNameOf({}), 3_600_000);
    expect(await adopted(sandbox)).toBe(0);
    expect(existsSync(file)).toBe(true);
  });

  test.each([
    [9, 0],
    [11, 1],
  ])(
    "by another machine or container, and untouched for %i minutes, is adopted %i times",
    async (minutes, times) => {
      const sandbox = createSandbox();
      leave(sandbox, partNameOf({ pid: 1, machine: "00000000" }), minutes * 60_000);
      expect(await adopted(sandbox)).toBe(times);
    },
  );

  test("does not count as abandoned on another machine under its new name", async () => {
    const sandbox = createSandbox();
    const shared = sandbox.write(`home/.skills-mcp/${SHARED}`, lineOf("old"));
    utimesSync(shared, new Date(0), new Date(0));
    const { buffer, folder } = openBuffer(sandbox);
    await buffer.claim();
    const elsewhere = createBufferFile({
      folder,
      maxBytes: 1000,
      now: Date.now,
      onDropped: () => {},
      stateOf: () => "unknown",
    });
    expect(await elsewhere.claim()).toEqual({ files: [], more: false });
  });

  test("under two names, by a process that was killed between linking and unlinking, is sent once", async () => {
    const sandbox = createSandbox();
    const file = leave(sandbox, partNameOf({ pid: await deadPid() }), 0);
    const old = '{"type":"no_match","data":{"context":"no id"}}\n';
    writeFileSync(file, old);
    linkSync(file, path.join(folderOf(sandbox), SHARED));
    const sink = await createEventSink();
    const { usage, folder } = openUsage(sandbox, { endpoint: sink.url });
    await usage.flush();
    expect(sink.taken()).toHaveLength(1);
    expect(bufferFiles(folder)).toEqual([]);
  });

  test("S18: is sent whatever its age, once the endpoint answers", async () => {
    const sandbox = createSandbox();
    sandbox.write(`home/.skills-mcp/${SHARED}`, lineOf("old", "2019-01-01T00:00:00.000Z") + lineOf("new"));
    const sink = await createEventSink();
    const { usage, folder } = openUsage(sandbox, { endpoint: sink.url });
    await usage.flush();
    expect(sink.taken().map(({ data }) => data["context"])).toEqual(["old", "new"]);
    expect(usage.state()).toMatchObject({ delivered: 2, dropped: 0 });
    expect(bufferFiles(folder)).toEqual([]);
  });

  test("in very many files is sent in one flush all the same", async () => {
    const sandbox = createSandbox();
    const pid = await deadPid();
    for (let n = 0; n < 100; n++)
      sandbox.write(`home/.skills-mcp/${partNameOf({ pid })}`, lineOf(`left-${n}`));
    const sink = await createEventSink();
    const { usage, folder } = openUsage(sandbox, { endpoint: sink.url });
    await usage.flush();
    expect(new Set(sink.taken().map(({ data }) => data["context"])).size).toBe(100);
    expect(sink.taken()).toHaveLength(100);
    expect(bufferFiles(folder)).toEqual([]);
  });

  test("in very many files becomes one when the endpoint is down, flush by flush", async () => {
    const sandbox = createSandbox();
    const pid = await deadPid();
    for (let n = 0; n < 100; n++)
      sandbox.write(`home/.skills-mcp/${partNameOf({ pid })}`, lineOf(`left-${n}`));
    const sink = await createEventSink({ kind: "status", status: 503 });
    const { usage, folder } = openUsage(sandbox, { endpoint: sink.url });
    for (let n = 0; n < 4; n++) await usage.flush();
    expect(bufferFiles(folder)).toEqual([SHARED]);
    expect(readFileSync(path.join(folder, SHARED), "utf8").trimEnd().split("\n")).toHaveLength(100);
  });

  test("is none of our business when it has another name", async () => {
    const sandbox = createSandbox();
    const names = [
      "analytics-buffer.part",
      "analytics-buffer.1.x.part",
      "notes.txt",
      "analytics-buffer.jsonl.bak",
    ];
    for (const name of names) sandbox.write(`home/.skills-mcp/${name}`, lineOf("left"));
    expect(await adopted(sandbox)).toBe(0);
    expect(readdirSync(folderOf(sandbox)).sort()).toEqual([...names].sort());
  });
});

describe("putting back", () => {
  test("merges with what another process put there meanwhile", async () => {
    const sandbox = createSandbox();
    const { buffer, folder } = openBuffer(sandbox);
    const shared = sandbox.write(`home/.skills-mcp/${SHARED}`, lineOf("a") + lineOf("b"));
    const [taken = ""] = (await buffer.claim()).files;
    writeFileSync(shared, lineOf("c"));
    expect(await buffer.putBack([{ file: taken, from: 0 }])).toEqual([]);
    expect(readFileSync(shared, "utf8")).toBe(lineOf("a") + lineOf("b") + lineOf("c"));
    expect(bufferFiles(folder)).toEqual([SHARED]);
  });

  test("keeps a torn line from swallowing the next one", async () => {
    const sandbox = createSandbox();
    const { buffer, folder } = openBuffer(sandbox);
    const one = sandbox.write("home/.skills-mcp/one", lineOf("a") + lineOf("torn").slice(0, 30));
    const two = sandbox.write("home/.skills-mcp/two", lineOf("b"));
    await buffer.putBack([
      { file: one, from: 0 },
      { file: two, from: 0 },
    ]);
    const lines = readFileSync(path.join(folder, SHARED), "utf8").split("\n");
    expect(lines.map((line) => `${line}\n`)).toContain(lineOf("b"));
  });

  test("over the limit drops the oldest, and counts them", async () => {
    const sandbox = createSandbox();
    const lines = Array.from({ length: 100 }, (_, n) => lineOf(String(n + 100)));
    const each = lines[0]?.length ?? 0;
    const { buffer, folder, dropped } = openBuffer(sandbox, each * 80);
    const file = sandbox.write("home/.skills-mcp/one", lines.join(""));
    await buffer.putBack([{ file, from: 0 }]);
    const kept = readFileSync(path.join(folder, SHARED), "utf8");
    expect(kept).toBe(lines.slice(30).join(""));
    expect(dropped).toEqual([30]);
    expect(readdirSync(folder)).toEqual([SHARED]);
  });
});

test("what an older version appends to a file that was taken is not lost", async () => {
  const sandbox = createSandbox();
  sandbox.write(`home/.skills-mcp/${SHARED}`, lineOf("a"));
  const sink = await createEventSink();
  const { usage, folder } = openUsage(sandbox, { endpoint: sink.url });
  sink.behave(() => {
    // It opened the file before it was renamed, so it writes to the private one.
    for (const name of bufferFiles(folder)) appendFileSync(path.join(folder, name), lineOf("b"));
    sink.behave(() => ({ kind: "accept" }));
    return { kind: "accept" };
  });
  await usage.flush();
  await usage.flush();
  expect(sink.taken().map(({ data }) => data["context"])).toEqual(["a", "b"]);
  expect(bufferFiles(folder)).toEqual([]);
});

test("a journal that is taken away between two writes is begun anew, and the second write is whole", async () => {
  const sandbox = createSandbox();
  const folder = folderOf(sandbox);
  const journal = createJournal(folder);
  onTestFinished(() => void journal.rotate());
  await journal.append(["one"]);
  const elsewhere = createBufferFile({
    folder,
    maxBytes: 1000,
    now: () => Date.now() + 3_600_000,
    onDropped: () => {},
    stateOf: () => "unknown",
  });
  const [adopted = ""] = (await elsewhere.claim()).files;
  await journal.append(["two"]);
  const current = (await journal.rotate()) ?? "";
  expect(current).not.toBe(adopted);
  expect(readFileSync(current, "utf8")).toBe("two\n");
  expect(readFileSync(adopted, "utf8")).toMatch(/^one\n/);
});
