import { expect, test } from "vitest";
import { knownProfiles } from "#skills";
import { createSandbox, type Sandbox } from "../../../../../test/support/sandbox.ts";
import { createApi } from "../../../src/http/api/create-api.ts";
import { createClientViews } from "../../../src/http/api/model/client-views.ts";
import { overviewReads } from "../../../src/http/api/overview/overview-handlers.ts";
import type { SeenClient } from "../../../src/http/transports/client-log.ts";
import type { OverviewAnswer } from "../../../src/wire/overview.ts";
import type { ServerState } from "../../../src/wire/skills.ts";
import { openApi } from "./open-api.ts";
import { plainLists, START } from "./plain-lists.ts";

const AT = { sessions: 1, firstSeen: 1, lastSeen: 2, subject: undefined, era: "legacy" } as const;

async function overviewOf(
  sandbox: Sandbox,
  { seen = [], server }: { readonly seen?: readonly SeenClient[]; readonly server?: () => ServerState } = {},
) {
  const { services, get } = openApi(sandbox);
  const ownFolder = sandbox.path("home/.skills-mcp");
  const profiles = () => knownProfiles({ ops: { include: ["xlsx"] } }, ownFolder);
  const lists = { ...plainLists(ownFolder), profiles };
  const { skills, checks, usage, page, installPlaces } = services;
  const viewOf = createClientViews(usage.likelyUse, lists);
  const shown = { skills, checks, viewOf, page, home: installPlaces.home };
  const { overview } = overviewReads(shown, { clients: () => seen, lists, server });
  const request = {
    ...{ method: "GET", path: "", query: new URLSearchParams(), headers: {}, subject: undefined },
    ...{ scopes: new Set(["skills:read", "skills:admin"]), needsKey: false },
  };
  const answer = await overview?.(request, undefined);
  return { get, overview: JSON.parse(String(answer?.body)) as OverviewAnswer };
}

test("the first turn has the numbers that 'What the model sees' has, for a client here and a connected one", async () => {
  const sandbox = createSandbox();
  sandbox.skill("project/.claude/skills/pdf", { description: "Is read by one client from disk." });
  sandbox.skill("project/.agents/skills/xlsx", { description: "Is listed to everyone else." });
  const seen = [
    { ...AT, client: { name: "codex", version: "0.100.0" } },
    { ...AT, client: { name: "my-agent" } },
  ];
  const { get, overview } = await overviewOf(sandbox, { seen });
  expect(overview.turnOne.map(({ client }) => client)).toEqual([
    "codex",
    "my-agent",
    "claude-code",
    "gemini-cli",
    "opencode",
  ]);
  for (const { client, version = "newest", connection = "stdio", ...numbers } of overview.turnOne) {
    const query = new URLSearchParams({ client, version, connection });
    const { json } = await get(`model?${query.toString()}`);
    const { tokens, shown, skills, complete, native } = json as {
      readonly [field: string]: number & { readonly total: number; readonly length: number };
    };
    expect({ client, ...numbers }).toMatchObject({
      ...{ client, shown, skills, complete },
      tokens: tokens?.total,
      native: native?.length,
    });
  }
  expect(overview.turnOne.find(({ client }) => client === "claude-code")?.native).toBe(1);
});

test("an agent is shown with the profile that decides what it sees, also when that is gone", async () => {
  const sandbox = createSandbox();
  sandbox.skill("project/.agents/skills/pdf");
  sandbox.skill("project/.agents/skills/xlsx");
  const seen = [
    { ...AT, client: { name: "codex" }, profile: "ops" },
    { ...AT, client: { name: "one" }, profile: "gone" },
    { ...AT, client: { name: "two" } },
  ];
  const { overview } = await overviewOf(sandbox, { seen });
  expect(overview.agents.map(({ client, profile }) => [client, profile])).toEqual([
    ["codex", "ops"],
    ["one", "gone"],
    ["two", undefined],
  ]);
  expect(overview.turnOne.slice(0, 2)).toMatchObject([
    { client: "codex", profile: "ops", skills: 1 },
    { client: "two", skills: 2 },
  ]);
  expect(overview).not.toHaveProperty("fleet");
});

test("replicas are shown with what they serve", async () => {
  const fleet = {
    state: "connected",
    ...{ since: "2026-01-01", queued: { writes: 0, dropped: 0 } },
    ...{ replica: "a", revision: "1", differ: true },
    replicas: [
      { replica: "b", revision: "2", version: "9.9.9", commits: { "https://git.test#main": "abc" } },
    ],
  } as const;
  const server = () => ({ sessions: 0, streams: 0, eras: {}, fleet });
  const { overview } = await overviewOf(createSandbox(), { server });
  expect(overview.fleet).toEqual({
    ...{ state: "connected", replica: "a", revision: "1", differ: true },
    others: [{ replica: "b", revision: "2", version: "9.9.9" }],
  });
});

test("health: tells a caller with skills:read nothing of others' refreshes, sessions and events", async () => {
  const sandbox = createSandbox();
  sandbox.skill("project/.claude/skills/a");
  const server = () => ({ sessions: 7, streams: 3, eras: { legacy: 7 } });
  const { services } = openApi(sandbox);
  const api = createApi(services, { lists: plainLists(), clients: () => [], start: START, server });
  const healthFor = async (scopes: readonly string[]): Promise<unknown> => {
    const call = api({
      ...{ method: "GET", path: "/api/v1/health", query: new URLSearchParams(), headers: {} },
      ...{ subject: "someone", scopes: new Set(scopes), needsKey: false },
    });
    if (!("answer" in call)) throw new Error("It is admitted.");
    return JSON.parse(String((await call.answer(undefined)).body));
  };
  const reader = await healthFor(["skills:read"]);
  expect(reader).toMatchObject({ skills: 1, freshness: { watcher: "off" } });
  expect(reader).not.toHaveProperty("freshness.lastRefresh");
  expect(reader).not.toHaveProperty("server");
  expect(reader).not.toHaveProperty("usage");
  const admin = await healthFor(["skills:read", "skills:admin"]);
  expect(admin).toMatchObject({ freshness: { lastRefresh: expect.any(String) }, server: { sessions: 7 } });
});
