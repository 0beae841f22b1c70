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
import { describe, expect, test } from "vitest";
import { createProcessKey, type processState } from "#util";
import { createEventSink } from "../../../../test/support/event-sink.ts";
import { createSandbox, type Sandbox } from "../../../../test/support/sandbox.ts";
import { createEventFiles } from "../../src/deliver/event-files.ts";
import { bufferFiles, folderOf, openUsage } from "../open-usage.ts";

const SHARED = "analytics-buffer.jsonl";

const RECENTLY = new Date().toISOString();

function lineOf(context: string, timestamp = RECENTLY): string {
  return `${JSON.stringify({ type: "no_match", timestamp, server_id: "dev-x", event_id: `id-${context}`, data: { context } })}\n`;
}

/** The name of a file of this process, with another pid or machine in it. */
function nameOf({
  pid = process.pid,
  machine,
}: {
  readonly pid?: number;
  readonly machine?: string;
}): string {
  const [, start, boot, here, rest] = createProcessKey().split("-");
  return `analytics-buffer.${[pid, start, boot, machine ?? here, rest].join("-")}.part`;
}

/** A pid of this machine that no process has. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ["-e", ""]);
  await new Promise((resolve) => child.on("exit", resolve));
  return child.pid ?? 0;
}

interface Opening {
  readonly maxBytes?: number;
  readonly keepsReceipts?: boolean;
  readonly now?: () => number;
  readonly state?: ReturnType<typeof processState>;
}

function open(
  sandbox: Sandbox,
  { maxBytes = 1024 * 1024, keepsReceipts = false, now = Date.now, state }: Opening = {},
) {
  const dropped: number[] = [];
  const folder = folderOf(sandbox);
  const files = createEventFiles({
    folder,
    maxBytes,
    now,
    onDropped: (count) => void dropped.push(count),
    keepsReceipts,
    ...(state === undefined ? {} : { stateOf: () => state }),
  });
  const claimed = async (): Promise<readonly string[]> => {
    await files.claim(true);
    return files.unsent();
  };
  return { files, claimed, folder, dropped };
}

const whole = (file: string) => ({ file, from: 0 });

describe("files that other processes left", () => {
  const leave = (sandbox: Sandbox, name: string, untouchedMs: number): string => {
    const file = sandbox.write(`home/.skills-mcp/${name}`, lineOf("left"));
    const time = new Date(Date.now() - untouchedMs);
    utimesSync(file, time, time);
    return file;
  };
  const adopted = async (sandbox: Sandbox): Promise<number> => (await open(sandbox).claimed()).length;

  test("are taken at once when their process is gone", async () => {
    const sandbox = createSandbox();
    const file = leave(sandbox, nameOf({ pid: await deadPid() }), 0);
    expect(await adopted(sandbox)).toBe(1);
    expect(existsSync(file)).toBe(false);
  });

  test("are taken when another process has the pid by now", async () => {
    const sandbox = createSandbox();
    leave(sandbox, nameOf({ pid: process.ppid }), 0);
    expect(await adopted(sandbox)).toBe(process.platform === "linux" ? 1 : 0);
  });

  test("are not taken while their process is alive, however old their times are", async () => {
    const sandbox = createSandbox();
    const file = leave(sandbox, nameOf({}), 3_600_000);
    expect(await adopted(sandbox)).toBe(0);
    expect(existsSync(file)).toBe(true);
  });

  test.each([
    [9, 0],
    [11, 1],
  ])("of another machine or container, untouched for %i minutes: %i are taken", async (minutes, times) => {
    const sandbox = createSandbox();
    leave(sandbox, nameOf({ pid: 1, machine: "00000000" }), minutes * 60_000);
    expect(await adopted(sandbox)).toBe(times);
  });

  test("do not look abandoned to another machine once they are taken", async () => {
    const sandbox = createSandbox();
    const shared = sandbox.write(`home/.skills-mcp/${SHARED}`, lineOf("old"));
    utimesSync(shared, new Date(0), new Date(0));
    expect(await open(sandbox).claimed()).toHaveLength(1);
    expect(await open(sandbox, { state: "unknown" }).claimed()).toEqual([]);
  });

  test("under two names, by a process that was killed between link and unlink, are sent once", async () => {
    const sandbox = createSandbox();
    const file = leave(sandbox, nameOf({ pid: await deadPid() }), 0);
    const old = '{"type":"no_match","data":{"context":"no id"}}\n';
    writeFileSync(file, old);
    linkSync(file, path.join(folderOf(sandbox), SHARED));
    const sink = await createEventSink();
    const { usage, folder } = openUsage(sandbox, { endpoint: sink.url });
    await usage.flush();
    expect(sink.taken()).toHaveLength(1);
    expect(bufferFiles(folder)).toEqual([]);
  });

  test("S18: are sent whatever the age of their events, once the endpoint answers", async () => {
    const sandbox = createSandbox();
    sandbox.write(`home/.skills-mcp/${SHARED}`, lineOf("old", "2019-01-01T00:00:00.000Z") + lineOf("new"));
    const sink = await createEventSink();
    const { usage, folder } = openUsage(sandbox, { endpoint: sink.url });
    await usage.flush();
    expect(sink.taken().map(({ data }) => data["context"])).toEqual(["old", "new"]);
    expect(usage.state()).toMatchObject({ delivered: 2, dropped: 0 });
    expect(bufferFiles(folder)).toEqual([]);
  });

  test("are all sent in one flush, however many there are", async () => {
    const sandbox = createSandbox();
    const pid = await deadPid();
    for (let n = 0; n < 100; n++) sandbox.write(`home/.skills-mcp/${nameOf({ pid })}`, lineOf(`left-${n}`));
    const sink = await createEventSink();
    const { usage, folder } = openUsage(sandbox, { endpoint: sink.url });
    await usage.flush();
    expect(new Set(sink.taken().map(({ data }) => data["context"])).size).toBe(100);
    expect(sink.taken()).toHaveLength(100);
    expect(bufferFiles(folder)).toEqual([]);
  });

  test("become one file, flush by flush, while the endpoint is down", async () => {
    const sandbox = createSandbox();
    const pid = await deadPid();
    for (let n = 0; n < 100; n++) sandbox.write(`home/.skills-mcp/${nameOf({ pid })}`, lineOf(`left-${n}`));
    const sink = await createEventSink({ kind: "status", status: 503 });
    const { usage, folder } = openUsage(sandbox, { endpoint: sink.url });
    for (let n = 0; n < 4; n++) await usage.flush();
    expect(bufferFiles(folder)).toEqual([SHARED]);
    expect(readFileSync(path.join(folder, SHARED), "utf8").trimEnd().split("\n")).toHaveLength(100);
  });

  test("are left alone when they have another name", async () => {
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

describe("files in the log of replicas", () => {
  const RECEIPT = { epoch: "ab.cd", last: "12-0" };
  const leaveSent = async (sandbox: Sandbox): Promise<void> => {
    const name = nameOf({ pid: await deadPid() })
      .replace("buffer", "sent")
      .replace(".part", "~ab.cd~12-0.part");
    sandbox.write(`home/.skills-mcp/${name}`, lineOf("left"));
  };

  test("keep their receipt when another replica takes them over", async () => {
    const sandbox = createSandbox();
    await leaveSent(sandbox);
    const { files, claimed } = open(sandbox, { keepsReceipts: true });
    expect(await claimed()).toEqual([]);
    expect(files.sent().map(([, receipt]) => receipt)).toEqual([RECEIPT]);
    for (const [file] of files.sent()) await files.mark(file);
    expect(files.sent()).toEqual([]);
    expect(files.unsent()).toHaveLength(1);
  });

  test("are sent again by a server without replicas", async () => {
    const sandbox = createSandbox();
    await leaveSent(sandbox);
    const { files, claimed } = open(sandbox);
    expect(await claimed()).toHaveLength(1);
    expect(files.sent()).toEqual([]);
  });

  test("get their receipt with a new name, which a later process reads", async () => {
    const sandbox = createSandbox();
    const { files, folder } = open(sandbox, { keepsReceipts: true });
    await files.append([lineOf("a").trimEnd()]);
    await files.claim(false);
    for (const file of files.unsent()) await files.mark(file, RECEIPT);
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^analytics-sent\..*~ab\.cd~12-0\.part$/)]);
    const later = open(sandbox, { keepsReceipts: true, state: "dead" });
    expect(await later.claimed()).toEqual([]);
    expect(later.files.sent().map(([, receipt]) => receipt)).toEqual([RECEIPT]);
  });
});

describe("sharing", () => {
  test("merges with what another process shared meanwhile", async () => {
    const sandbox = createSandbox();
    const { files, claimed, folder } = open(sandbox);
    const shared = sandbox.write(`home/.skills-mcp/${SHARED}`, lineOf("a") + lineOf("b"));
    const taken = await claimed();
    writeFileSync(shared, lineOf("c"));
    await files.share(taken.map(whole));
    expect(files.unsent()).toEqual([]);
    expect(readFileSync(shared, "utf8")).toBe(lineOf("a") + lineOf("b") + lineOf("c"));
    expect(bufferFiles(folder)).toEqual([SHARED]);
  });

  test("keeps a torn line from swallowing the next one", async () => {
    const sandbox = createSandbox();
    const { files, folder } = open(sandbox);
    const one = sandbox.write("home/.skills-mcp/one", lineOf("a") + lineOf("torn").slice(0, 30));
    const two = sandbox.write("home/.skills-mcp/two", lineOf("b"));
    await files.share([one, two].map(whole));
    const lines = readFileSync(path.join(folder, SHARED), "utf8").split("\n");
    expect(lines.map((line) => `${line}\n`)).toContain(lineOf("b"));
  });

  test("leaves out the part of a file that was delivered", async () => {
    const sandbox = createSandbox();
    const { files, folder } = open(sandbox);
    const file = sandbox.write("home/.skills-mcp/one", lineOf("a") + lineOf("b"));
    await files.share([{ file, from: lineOf("a").length }]);
    expect(readFileSync(path.join(folder, SHARED), "utf8")).toBe(lineOf("b"));
    expect(readdirSync(folder)).toEqual([SHARED]);
  });

  test("over the limit drops the oldest events, and counts them", async () => {
    const sandbox = createSandbox();
    const lines = Array.from({ length: 100 }, (_, n) => lineOf(String(n + 100)));
    const each = lines[0]?.length ?? 0;
    const { files, folder, dropped } = open(sandbox, { maxBytes: each * 80 });
    const file = sandbox.write("home/.skills-mcp/one", lines.join(""));
    await files.share([whole(file)]);
    const kept = readFileSync(path.join(folder, SHARED), "utf8");
    expect(kept).toBe(lines.slice(30).join(""));
    expect(dropped).toEqual([30]);
    expect(readdirSync(folder)).toEqual([SHARED]);
  });
});

test("flush: what an older version appends to a file that was taken is not lost", async () => {
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

test("append: a file that another process took between two writes is begun anew, and the second write is whole", async () => {
  const sandbox = createSandbox();
  const { files } = open(sandbox);
  await files.append(["one"]);
  const elsewhere = open(sandbox, { now: () => Date.now() + 3_600_000, state: "unknown" });
  const [adopted = ""] = await elsewhere.claimed();
  await files.append(["two"]);
  await files.claim(false);
  const [current = ""] = files.unsent();
  expect(current).not.toBe(adopted);
  expect(readFileSync(current, "utf8")).toBe("two\n");
  expect(readFileSync(adopted, "utf8")).toBe("one\n");
});
