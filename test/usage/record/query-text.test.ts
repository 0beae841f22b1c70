import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { readSalt } from "../../../src/usage/record/query-text.ts";
import { createEventSink } from "../../support/event-sink.ts";
import { createSandbox, FAST_FOLDER } from "../../support/sandbox.ts";
import { openUsage } from "../open-usage.ts";

const SECRET = "how do I fire my boss";

async function delivered(context: "full" | "hash" | "off", times = 1) {
  const sandbox = createSandbox(FAST_FOLDER);
  const sink = await createEventSink();
  const { usage, folder } = openUsage(sandbox, { endpoint: sink.url, context, history: true });
  for (let n = 0; n < times; n++) usage.record("no_match", { context: SECRET, via: "get_skill" });
  usage.record("ambiguous", { context: "other", candidates: ["a", "b"] });
  await usage.close(5000);
  return { folder, data: sink.taken().map((event) => event.data), sent: sink.requests()[0]?.body ?? "" };
}

test("full sends the query as it was", async () => {
  expect((await delivered("full")).data[0]).toEqual({ context: SECRET, via: "get_skill" });
});

test("hash sends something that tells equal queries from others, and nothing of their text", async () => {
  const { data, sent } = await delivered("hash", 2);
  const hashes = data.map(({ context }) => context);
  expect(hashes[0]).toMatch(/^sha256:[0-9a-f]{16}$/);
  expect(hashes[1]).toBe(hashes[0]);
  expect(hashes[2]).not.toBe(hashes[0]);
  expect(sent).not.toContain("boss");
});

test("hashes of two machines have nothing in common", async () => {
  const [one, other] = [await delivered("hash"), await delivered("hash")];
  expect(one.data[0]).not.toEqual(other.data[0]);
});

test("off sends neither, but all the rest", async () => {
  const { data, sent } = await delivered("off");
  expect(data).toEqual([{ via: "get_skill" }, { candidates: ["a", "b"] }]);
  expect(sent).not.toContain("boss");
});

test.each(["hash", "off"] as const)(
  "%s leaves the text to the history of this machine alone",
  async (mode) => {
    const { folder } = await delivered(mode);
    const holding = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((name) => path.join(folder, name))
      .filter((file) => statSync(file).isFile() && readFileSync(file, "utf8").includes("boss"));
    expect(holding).toEqual([path.join(folder, "usage", `${new Date().toISOString().slice(0, 7)}.jsonl`)]);
  },
);

test("processes that need the salt at the same moment get the same one, for their user's eyes only", async () => {
  const folder = createSandbox(FAST_FOLDER).path("own");
  const salts = await Promise.all(Array.from({ length: 20 }, () => readSalt(folder)));
  expect(new Set(salts).size).toBe(1);
  expect(readdirSync(folder)).toEqual(["analytics-salt"]);
  expect(statSync(path.join(folder, "analytics-salt")).mode & 0o777).toBe(0o600);
});
