import { rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { spawnBin } from "../support/bin.ts";
import { type Connection, ERAS } from "../support/client.ts";
import { connectInProcess as connect, exchangeInProcess } from "../support/in-process.ts";
import { createSandbox, type Sandbox, skillText } from "../support/sandbox.ts";
import { waitUntil } from "../support/wait-until.ts";

const SERVER = ["mcp-server"];

interface Summary {
  readonly installName: string;
  readonly meta: { readonly name: string; readonly description: string };
  readonly skillPath: string;
  readonly skillFile: string;
  readonly body?: string;
  readonly score?: number;
  readonly excerpt?: string;
}

/** Calls a tool; what its structured content holds is for the caller to say. */
async function call(connection: Connection, name: string, args?: object) {
  const params = args === undefined ? { name } : { name, arguments: args as Record<string, unknown> };
  const result = await connection.client.callTool(params);
  const [first, second] = result.content as { text: string }[];
  return { text: first?.text, lines: second?.text, data: result.structuredContent };
}

async function list(connection: Connection, args?: object) {
  const { text, lines, data } = await call(connection, "skills.list", args);
  return { text, lines, data: data as { skills: readonly Summary[] } };
}

async function search(connection: Connection, args: object) {
  const { text, lines, data } = await call(connection, "skills.search", args);
  return {
    text,
    lines,
    data: data as { query: string; limit: number; total: number; results: readonly Summary[] },
  };
}

/** The skills of seed 000's own tests, and one that is nested. */
function sandboxWithSkills(): Sandbox {
  const sandbox = createSandbox();
  const write = (folder: string, description: string, body: string, name = folder.split("/").at(-1) ?? "") =>
    sandbox.write(`project/skills/${folder}/SKILL.md`, skillText(name, description, body));
  write("notes", "Note keeper", "Use bd ready to find issues.\n");
  write("sync", "Sync helper", "Sync skills via gh.\n");
  write("deep/nested/deploy", "Ships things", "Notes on how to deploy.\n", "Deploy it");
  return sandbox;
}

describe.each(ERAS)("seed 000, protocol %s", (era) => {
  test("Lifecycle + Capabilities: instructions, version and the two tools with exactly their schemas", async () => {
    const { client } = await connect(sandboxWithSkills(), { era, args: SERVER });
    expect(client.getInstructions()).toMatch(
      /skills\.list.*exhaustive metadata.*skills\.search.*targeted lookups/,
    );
    expect(client.getServerVersion()?.name).toBe("skills-mcp");
    const { tools } = await client.listTools();
    expect(tools.map(({ name, inputSchema }) => ({ name, inputSchema }))).toEqual([
      {
        name: "skills.list",
        inputSchema: {
          type: "object",
          properties: {
            query: {
              type: "string",
              description: "Optional substring filter applied to install name, meta.name, or description",
            },
            includeBody: {
              type: "boolean",
              description: "Include the SKILL.md body (minus YAML front-matter) in the structured payload",
            },
          },
          additionalProperties: false,
        },
      },
      {
        name: "skills.search",
        inputSchema: {
          type: "object",
          properties: {
            query: {
              type: "string",
              description: "Keywords to match (all whitespace-separated tokens must be present)",
              minLength: 1,
            },
            limit: {
              type: "integer",
              description: "Maximum number of hits",
              minimum: 1,
              maximum: 25,
              default: 10,
            },
          },
          required: ["query"],
          additionalProperties: false,
        },
      },
    ]);
  });

  test("skills.list enumerates every SKILL.md at any depth, with paths relative to the working directory", async () => {
    const connection = await connect(sandboxWithSkills(), { era, args: SERVER });
    const { text, lines, data } = await list(connection);
    expect(text).toBe("Found 3 skill(s) under ./skills");
    expect(lines).toBe("- Deploy it: Ships things\n- notes: Note keeper\n- sync: Sync helper");
    expect(data.skills).toEqual([
      {
        installName: "deploy",
        meta: { name: "Deploy it", description: "Ships things" },
        skillPath: "skills/deep/nested/deploy",
        skillFile: "skills/deep/nested/deploy/SKILL.md",
      },
      {
        installName: "notes",
        meta: { name: "notes", description: "Note keeper" },
        skillPath: "skills/notes",
        skillFile: "skills/notes/SKILL.md",
      },
      {
        installName: "sync",
        meta: { name: "sync", description: "Sync helper" },
        skillPath: "skills/sync",
        skillFile: "skills/sync/SKILL.md",
      },
    ]);
  });

  test("skills.list filters by install name, meta.name or description, not by body, and includes bodies on request", async () => {
    const connection = await connect(sandboxWithSkills(), { era, args: SERVER });
    const names = async (query: string) =>
      (await list(connection, { query })).data.skills.map((skill) => skill.installName);
    expect(await names("NOTE")).toEqual(["notes"]);
    expect(await names("deploy it")).toEqual(["deploy"]);
    expect(await names("helper")).toEqual(["sync"]);
    expect(await names("bd ready")).toEqual([]);
    const { data } = await list(connection, { query: "notes", includeBody: true });
    expect(data.skills.map((skill) => skill.body)).toEqual(["Use bd ready to find issues."]);
  });

  test("a body is the text as it stands, without the blank lines around it", async () => {
    const sandbox = createSandbox();
    sandbox.write(
      "project/skills/code/SKILL.md",
      skillText("code", "Code first.", "\n \n    indented\n\ttab\n\n"),
    );
    const { data } = await list(await connect(sandbox, { era, args: SERVER }), { includeBody: true });
    expect(data.skills[0]?.body).toBe("    indented\n\ttab");
  });

  test("skills.search wants every token, scores by their number and shows an excerpt", async () => {
    const connection = await connect(sandboxWithSkills(), { era, args: SERVER });
    const { text, lines, data } = await search(connection, { query: "bd ready" });
    expect(text).toBe('1 result(s) (1 total matches) for "bd ready".');
    expect(lines).toBe("- notes: Note keeper");
    expect(data).toEqual({
      query: "bd ready",
      limit: 10,
      total: 1,
      results: [
        {
          installName: "notes",
          meta: { name: "notes", description: "Note keeper" },
          skillPath: "skills/notes",
          skillFile: "skills/notes/SKILL.md",
          score: 2,
          excerpt: "Use bd ready to find issues.",
        },
      ],
    });
    const nothing = await search(connection, { query: "bd nothing" });
    expect([nothing.text, nothing.lines]).toEqual(['No skills matched "bd nothing".', undefined]);
  });

  test("equal scores are ordered by where the words are found, then by name, and the limit holds", async () => {
    const connection = await connect(sandboxWithSkills(), { era, args: SERVER });
    const { data } = await search(connection, { query: "notes" });
    expect(data.results.map((hit) => hit.installName)).toEqual(["notes", "deploy"]);
    const one = await search(connection, { query: "notes", limit: 1 });
    expect(one.text).toBe('1 result(s) (2 total matches) for "notes".');
    // Without a hit in the body, the excerpt is of the description, and without one there, of the names.
    expect(data.results.map((hit) => hit.excerpt)).toEqual(["notes: Note keeper", "Notes on how to deploy."]);
  });

  test.each([
    ["the install name", "yonder", /^yonder-tools \(zebra\): Does it\. /],
    ["meta.name", "zebra", /^yonder-tools \(zebra\): Does it\. /],
    ["the description", "needle", /^(?:more ){15,20}needle$/],
  ])("seed 000: the excerpt of a hit in %s contains the match", async (_where, query, excerpt) => {
    const sandbox = createSandbox();
    sandbox.write(
      "project/skills/yonder-tools/SKILL.md",
      skillText("zebra", `Does it. ${"more ".repeat(150)}needle`, "Nothing."),
    );
    const connection = await connect(sandbox, { era, args: SERVER });
    const { data } = await search(connection, { query });
    expect(data.results[0]?.excerpt).toMatch(excerpt);
    expect(data.results[0]?.excerpt?.length).toBeLessThanOrEqual(180);
  });

  test("lower-casing knows every script, and an excerpt never splits a character", async () => {
    const sandbox = createSandbox();
    sandbox.write(
      "project/skills/e/SKILL.md",
      skillText("e", "d", `${"😀".repeat(120)} ÉCOLE ${"😀".repeat(120)}`),
    );
    const { data } = await search(await connect(sandbox, { era, args: SERVER }), { query: "école" });
    expect(data.results[0]?.excerpt).toMatch(/^😀{40} ÉCOLE 😀{40}$/u);
  });

  test.each([
    ["skills.search", { query: "x", limit: 0 }, "limit"],
    ["skills.search", { query: "x", limit: 26 }, "limit"],
    ["skills.search", { query: "" }, "query"],
    ["skills.search", {}, "query"],
    ["skills.list", { foo: 1 }, "foo"],
    ["skills.list", { includeBody: "yes" }, "includeBody"],
  ])("%s %j is refused, never clamped", async (name, args, parameter) => {
    const { client } = await connect(sandboxWithSkills(), { era, args: SERVER });
    const error: unknown = await client
      .callTool({ name, arguments: args })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: -32602 });
    expect(String(error)).toContain(`'${parameter}'`);
  });

  test("every call reflects the disk at that moment, also without watcher and interval", async () => {
    const sandbox = sandboxWithSkills();
    const connection = await connect(sandbox, { era, args: [...SERVER, "--no-watch", "--no-refresh"] });
    expect((await list(connection)).data.skills).toHaveLength(3);
    sandbox.write("project/skills/new/SKILL.md", skillText("new", "fresh", "first body"));
    expect((await list(connection)).data.skills).toHaveLength(4);
    expect((await search(connection, { query: "first body" })).data.total).toBe(1);
    sandbox.write("project/skills/new/SKILL.md", skillText("new", "fresh", "other body"));
    expect((await search(connection, { query: "first body" })).data.total).toBe(0);
    expect((await search(connection, { query: "other body" })).data.total).toBe(1);
    rmSync(sandbox.path("project/skills/new"), { recursive: true });
    expect((await search(connection, { query: "other body" })).data.total).toBe(0);
    expect((await list(connection)).data.skills).toHaveLength(3);
  });

  test("Incremental Refresh: a change is announced, with a reason, after the handshake", async () => {
    const sandbox = sandboxWithSkills();
    const connection = await connect(sandbox, { era, args: [...SERVER, "--no-refresh"] });
    await list(connection);
    sandbox.skill("project/skills/late");
    await waitUntil("the notice", () => connection.announced() === 1);
  });

  test("a root that is missing is served as soon as it appears", async () => {
    const sandbox = createSandbox();
    const connection = await connect(sandbox, {
      era,
      args: [...SERVER, "--root", "./later", "--no-refresh"],
    });
    expect((await list(connection)).text).toBe("Found 0 skill(s) under ./later");
    expect(connection.log()).toMatch(/later: This folder does not exist/);
    sandbox.skill("project/later/one");
    await waitUntil("the notice", () => connection.announced() === 1);
    expect((await list(connection)).data.skills.map((skill) => skill.installName)).toEqual(["one"]);
  });

  test("a front matter that cannot be parsed is logged and skipped, and two skills of one name are both listed", async () => {
    const sandbox = sandboxWithSkills();
    const broken = sandbox.write("project/skills/broken/SKILL.md", "no front matter");
    sandbox.write("project/skills/team/notes/SKILL.md", skillText("notes", "The other notes", ""));
    const connection = await connect(sandbox, { era, args: SERVER });
    const { data } = await list(connection, { query: "notes" });
    expect(data.skills.map((skill) => skill.skillPath)).toEqual(["skills/notes", "skills/team/notes"]);
    expect(connection.log()).toContain(`skipped: ${broken}`);
  });

  test("underscore names are accepted always, and advertised on request", async () => {
    const sandbox = sandboxWithSkills();
    const dotted = await connect(sandbox, { era, args: SERVER });
    expect((await call(dotted, "skills_list")).data).toMatchObject({ skills: [{}, {}, {}] });
    const underscore = await connect(sandbox, { era, args: [...SERVER, "--tool-names", "underscore"] });
    const { tools } = await underscore.client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(["skills_list", "skills_search"]);
    expect((await search(underscore, { query: "gh" })).data.total).toBe(1);
  });

  test("only the root is seen: neither the agents' folders nor plugins", async () => {
    const sandbox = sandboxWithSkills();
    sandbox.skill("project/.claude/skills/elsewhere");
    const connection = await connect(sandbox, { era, args: SERVER });
    expect((await list(connection)).data.skills).toHaveLength(3);
    const both = await connect(sandbox, { era, args: ["mcp", "--root", "skills"] });
    const { tools } = await both.client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(["skill", "skills.list", "skills.search"]);
    expect((await list(both)).data.skills).toHaveLength(3);
    expect(tools[0]?.description).toContain("<name>elsewhere</name>");
  });
});

describe("the wire of seed 000", () => {
  test("initialize, tools/list and tools/call frames get valid answers", async () => {
    const sandbox = sandboxWithSkills();
    const frame = (id: number, method: string, params: object) =>
      `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
    const input =
      frame(1, "initialize", {
        protocolVersion: "2025-03-26",
        capabilities: {},
        clientInfo: { name: "t", version: "1" },
      }) +
      frame(2, "tools/list", {}) +
      frame(3, "tools/call", { name: "skills.search", arguments: { query: "bd" } });
    const { code, stdout } = await exchangeInProcess(sandbox, SERVER, input, 3);
    const answers = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: number; result: object });
    expect(code).toBe(0);
    expect(answers.map((answer) => answer.id)).toEqual([1, 2, 3]);
    expect(answers[0]?.result).toMatchObject({ protocolVersion: "2025-03-26" });
    expect(answers[2]?.result).toMatchObject({ structuredContent: { total: 1 } });
  });

  test("a notice carries a short reason, and none goes out before the handshake is over", async () => {
    const sandbox = sandboxWithSkills();
    const server = spawnBin(sandbox, [...SERVER, "--no-refresh"]);
    const clientInfo = { name: "t", version: "1" };
    const send = (message: object) =>
      server.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    send({
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-03-26", capabilities: {}, clientInfo },
    });
    await waitUntil(
      "the answer",
      () => server.stdout().includes('"id":1') && server.stderr().includes("ready"),
    );
    sandbox.skill("project/skills/early");
    await waitUntil("the refresh", () => server.stderr().includes("1 added"));
    expect(server.stdout()).not.toContain("list_changed");
    send({ method: "notifications/initialized" });
    sandbox.skill("project/skills/late");
    await waitUntil("the notice", () => server.stdout().includes("notifications/tools/list_changed"));
    expect(server.stdout()).toContain('"reason":"skills directory changed"');
    server.child.stdin.end();
    expect((await server.exit).code).toBe(0);
  });
});
