import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { createEventSink } from "../../../../test/support/event-sink.ts";
import { createSandbox } from "../../../../test/support/sandbox.ts";
import { readSalt } from "../../src/record/query-text.ts";
import { openUsage } from "../open-usage.ts";

const SECRET = "how do I fire my boss";

async function delivered(context: "full" | "hash" | "off", times = 1) {
  const sandbox = createSandbox();
  const sink = await createEventSink();
  const { usage, folder } = openUsage(sandbox, { endpoint: sink.url, context, history: true });
  for (let n = 0; n < times; n++) usage.record("no_match", { context: SECRET, via: "get_skill" });
  usage.record("ambiguous", { context: "other", candidates: ["a", "b"] });
  await usage.close(5000);
  return { folder, data: sink.taken().map((event) => event.data), sent: sink.requests()[0]?.body ?? "" };
}

test("analytics.context full: the query is sent as it was", async () => {
  expect((await delivered("full")).data[0]).toEqual({ context: SECRET, via: "get_skill" });
});

test("analytics.context hash: equal queries have equal hashes, and no text is sent", async () => {
  const { data, sent } = await delivered("hash", 2);
  const hashes = data.map(({ context }) => context);
  expect(hashes[0]).toMatch(/^sha256:[0-9a-f]{16}$/);
  expect(hashes[1]).toBe(hashes[0]);
  expect(hashes[2]).not.toBe(hashes[0]);
  expect(sent).not.toContain("boss");
});

test("analytics.context hash: two machines have different hashes for one query", async () => {
  const [one, other] = [await delivered("hash"), await delivered("hash")];
  expect(one.data[0]).not.toEqual(other.data[0]);
});

test("analytics.context off: neither text nor hash is sent, but all other fields", async () => {
  const { data, sent } = await delivered("off");
  expect(data).toEqual([
    { context: null, via: "get_skill" },
    { context: null, candidates: ["a", "b"] },
  ]);
  expect(sent).not.toContain("boss");
});

test.each(["hash", "off"] as const)(
  "analytics.context %s: only the history of this machine has the text",
  async (mode) => {
    const { folder } = await delivered(mode);
    const holding = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((name) => path.join(folder, name))
      .filter((file) => statSync(file).isFile() && readFileSync(file, "utf8").includes("boss"));
    expect(holding).toEqual([path.join(folder, "usage", `${new Date().toISOString().slice(0, 7)}.jsonl`)]);
  },
);

test("salt: processes that create it at the same moment get the same one, readable by its user only", async () => {
  const folder = createSandbox().path("own");
  const salts = await Promise.all(Array.from({ length: 20 }, () => readSalt(folder)));
  expect(new Set(salts).size).toBe(1);
  expect(readdirSync(folder)).toEqual(["analytics-salt"]);
  expect(statSync(path.join(folder, "analytics-salt")).mode & 0o777).toBe(0o600);
});

/** The callers of three events, two of which are the same, as an endpoint and the history have them. */
async function callersWith(caller?: "full" | "hash" | "off") {
  const sink = await createEventSink();
  const { usage, folder } = openUsage(createSandbox(), {
    endpoint: sink.url,
    ...(caller === undefined ? {} : { caller }),
    history: true,
  });
  for (const name of ["ann@example.com", "ann@example.com", "bob"])
    usage.record("skill_served", { skill_path: "pdf", via: "skill" }, { caller: name });
  await usage.close(5000);
  const month = path.join(folder, "usage", `${new Date().toISOString().slice(0, 7)}.jsonl`);
  const history = readFileSync(month, "utf8").match(/"caller":"[^"]*"/g);
  expect(history).toEqual(['"caller":"ann@example.com"', '"caller":"ann@example.com"', '"caller":"bob"']);
  return sink.taken().map((event) => (event as { readonly caller?: string }).caller);
}

test("callers are pseudonyms unless the operator wants something else; the history has their names", async () => {
  const [one, same, other] = await callersWith();
  expect(one).toMatch(/^sha256:[0-9a-f]{16}$/);
  expect(same).toBe(one);
  expect(other).not.toBe(one);
  expect(await callersWith("hash")).not.toContain(one);
  expect(await callersWith("full")).toEqual(["ann@example.com", "ann@example.com", "bob"]);
  expect(await callersWith("off")).toEqual([undefined, undefined, undefined]);
});

test("a client is recorded as a short line", async () => {
  const sink = await createEventSink();
  const { usage } = openUsage(createSandbox(), { endpoint: sink.url });
  const record = (client: object): void =>
    usage.record("skill_served", { skill_path: "pdf", via: "skill" }, { client: { name: "", ...client } });
  record({ name: " a\u0000\nb ", version: "\n", token: "secret" });
  record({ name: "😀".repeat(100), version: "1" });
  record({});
  await usage.close(5000);
  expect(sink.taken().map((event) => (event as { readonly client?: object }).client)).toEqual([
    { name: "a b" },
    { name: "😀".repeat(50), version: "1" },
    { name: "unknown" },
  ]);
});
