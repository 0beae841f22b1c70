import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

import { type Connection, connect, ERAS } from "../support/client.ts";
import { commandJson, connectInProcess, runCommand, shareConnection } from "../support/in-process.ts";
import { type AtEnd, createSandbox, MEMORY_FOLDER, type Sandbox } from "../support/sandbox.ts";
import { waitUntil } from "../support/wait-until.ts";

const SKILLS = "project/.agents/skills";

interface Found {
  readonly task: string;
  readonly total: number;
  readonly confidence: number;
  readonly verdict: string;
  readonly nearest: readonly { readonly name: string }[];
  readonly results: readonly {
    readonly name: string;
    readonly matched: readonly string[];
    readonly excerpt: string;
    readonly score: number;
  }[];
}

async function find(connection: Connection, task: string, limit?: number) {
  const args = limit === undefined ? { task } : { task, limit };
  const result = await connection.client.callTool({ name: "find_skills", arguments: args });
  const [first] = result.content as { text: string }[];
  return { text: first?.text ?? "", found: result.structuredContent as Found };
}

function sandboxWithSkills(atEnd?: AtEnd): Sandbox {
  const sandbox = createSandbox(MEMORY_FOLDER, atEnd);
  sandbox.skill(`${SKILLS}/pdf-tools`, {
    description: "Works with PDF files. Use when the user wants to merge or split documents.",
  });
  sandbox.skill(`${SKILLS}/kubernetes-deploy`, {
    description: "Rolls out services to a cluster and watches the rollout.",
  });
  sandbox.skill(`${SKILLS}/postgres`, {
    description: "Database operations.",
    body: "Vacuum bloated tables and rebuild indexes.\n",
  });
  sandbox.write(
    `${SKILLS}/greeter/SKILL.md`,
    "---\nname: greeter\ndescription: Social niceties.\nexamples:\n  - write a birthday card for grandma\n---\n\nBe kind.\n",
  );
  return sandbox;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const FINDER = ["mcp", "--tools", "all"];

describe.each(ERAS)("find_skills, protocol %s", (era) => {
  const server = shareConnection(sandboxWithSkills, { era, args: FINDER });

  test("its definition is strict and read-only", async () => {
    const { tools } = await server().client.listTools();
    expect(tools.find((tool) => tool.name === "find_skills")).toMatchObject({
      annotations: { readOnlyHint: true },
      inputSchema: {
        type: "object",
        properties: {
          task: { type: "string", minLength: 1 },
          limit: { type: "integer", minimum: 1, maximum: 25, default: 5 },
        },
        required: ["task"],
        additionalProperties: false,
      },
    });
  });

  test.each([
    ["by what the description says", "combine several PDF documents into one", "pdf-tools"],
    ["by an alias", "deploy to k8s", "kubernetes-deploy"],
    ["by its text alone", "my tables are bloated", "postgres"],
    ["by an example prompt", "I need a birthday card", "greeter"],
    ["in spite of a typo", "postgress databse", "postgres"],
  ])("finds a skill %s", async (_how, task, name) => {
    const { found } = await find(server(), task);
    expect(found.task).toBe(task);
    expect(found.results[0]?.name).toBe(name);
    expect(found.results[0]?.matched.length).toBeGreaterThan(0);
  });

  test.each([
    ["postgress databse", ["database"]],
    ["deploy to k8s", ["deploy", "kubernetes"]],
  ])("says what it read %j as, and claims no word that a skill does not have", async (task, matched) => {
    const { found } = await find(server(), task);
    expect(found.results[0]?.matched).toEqual(matched);
  });

  test("finds every skill by its name, also one that is a stop word, and is sure of it", async () => {
    const sandbox = sandboxWithSkills();
    sandbox.skill(`${SKILLS}/hello`, { description: "Greets people." });
    sandbox.skill(`${SKILLS}/how-to`, { description: "Writes guides." });
    sandbox.skill(`${SKILLS}/cicd`, { name: "CI/CD", description: "Ships it." });
    sandbox.skill("project/.claude/skills/twin", { description: "One of two." });
    sandbox.skill("project/.codex/skills/twin", { description: "The other." });
    const connection = await connectInProcess(sandbox, { era, args: FINDER });
    for (const [task, name] of [
      ["hello", "hello"],
      [" How-To ", "how-to"],
      ["how to", "how-to"],
      ["codex:twin", "codex:twin"],
      ["ci/cd", "CI-CD"],
    ] as const) {
      const { found } = await find(connection, task);
      expect([found.results[0]?.name, found.verdict]).toEqual([name, "match"]);
      expect(found.results[0]?.matched).not.toEqual([]);
    }
    const { found } = await find(connection, "twin");
    expect(found.results.map(({ name }) => name)).toEqual(["claude:twin", "codex:twin"]);
    expect(found.verdict).toBe("ambiguous");
  });

  test("explains itself with the place that matched, and keeps to the limit", async () => {
    const { found } = await find(server(), "bloated tables", 1);
    expect(found.results).toHaveLength(1);
    expect(found.results[0]).toMatchObject({
      excerpt: "Vacuum bloated tables and rebuild indexes.",
      matched: ["bloated", "tables"],
    });
    expect(found.confidence).toBeGreaterThan(0);
    expect(found.confidence).toBeLessThanOrEqual(1);
  });

  test("says plainly when nothing fits", async () => {
    const { text, found } = await find(server(), "knit a xylophone");
    expect(found.verdict).toBe("no_match");
    expect(text).toMatch(/^Nothing fits "knit a xylophone" well\./);
    expect(found.results).toEqual([]);
  });

  test("finds a skill that shares no word with the task, by its meaning", async () => {
    const { found } = await find(server(), "the relational store is slow");
    const names = [...found.results, ...found.nearest].map(({ name }) => name);
    expect(names[0]).toBe("postgres");
  });

  test("with load, the content of a clear match comes with the answer", async () => {
    const call = (task: string) =>
      server().client.callTool({ name: "find_skills", arguments: { task, load: true } });
    const clear = await call("vacuum bloated tables and rebuild indexes");
    expect(clear.structuredContent).toMatchObject({
      verdict: "match",
      loaded: { name: "postgres", content: expect.stringContaining("Vacuum bloated tables") as string },
    });
    expect((clear.content as { text: string }[])[0]?.text).toContain("Loading: postgres");
    expect((await call("knit a xylophone")).structuredContent).not.toHaveProperty("loaded");
  });

  test("sees a skill that was added, and no longer one whose text changed", async () => {
    const sandbox = sandboxWithSkills();
    const connection = await connectInProcess(sandbox, { era, args: [...FINDER, "--no-refresh"] });
    expect((await find(connection, "bloated tables")).found.results[0]?.name).toBe("postgres");
    sandbox.skill(`${SKILLS}/postgres`, { description: "Database operations.", body: "Nothing to see.\n" });
    sandbox.skill(`${SKILLS}/vacuum`, { description: "Cleans bloated tables." });
    await waitUntil(
      "the new skill is found",
      async () => (await find(connection, "bloated tables")).found.results[0]?.name === "vacuum",
    );
    await waitUntil(
      "the old text is gone",
      async () => (await find(connection, "bloated tables")).found.total === 1,
    );
  });

  test("a user's synonyms count at once", async () => {
    const sandbox = sandboxWithSkills();
    const connection = await connectInProcess(sandbox, { era, args: FINDER });
    expect((await find(connection, "frobnicate")).found.total).toBe(0);
    sandbox.write("home/.skills-mcp/synonyms.yaml", "frobnicate: [vacuum]\n");
    expect((await find(connection, "frobnicate")).found.results[0]?.name).toBe("postgres");
    sandbox.write("home/.skills-mcp/synonyms.yaml", "frobnicate: {a: b}\n");
    expect((await find(connection, "frobnicate")).found.total).toBe(0);
    await waitUntil("one line says why", () =>
      connection.log().includes("synonyms.yaml: The synonyms were ignored"),
    );
  });
});

test("skills-mcp search shows the same ranking to people", async () => {
  const search = async (...args: string[]) =>
    runCommand(sandboxWithSkills(), ["search", "my tables are bloated", ...args]);
  const { code, stdout } = await search();
  expect([code, stdout]).toEqual([0, "postgres  agents, project\n  Database operations.\n"]);
  expect((await search("--why")).stdout).toMatch(
    /postgres {2}agents, project · matched tables, bloated\n {2}Database operations\.\n {2}Vacuum bloated tables and rebuild indexes\./,
  );
});

test("search.semantic: off finds by words alone, and one line says so", async () => {
  const sandbox = sandboxWithSkills();
  sandbox.write("home/.skills-mcp/config.yaml", "search:\n  semantic: off\n");
  const connection = await connectInProcess(sandbox, { era: "2025-11-25", args: FINDER });
  expect((await find(connection, "bloated tables")).found.results[0]?.name).toBe("postgres");
  await find(connection, "tables");
  await waitUntil(
    "one line says why",
    () =>
      connection.log().split("skills are found by their words alone: search.semantic is off").length === 2,
  );
});

test("skills-mcp search leaves the index of many skills to the next one", async () => {
  const sandbox = createSandbox();
  for (let index = 0; index < 500; index++) sandbox.skill(`${SKILLS}/skill-${index}`);
  const first = await runCommand(sandbox, ["search", "skill-7 things", "--json"]);
  const kept = readdirSync(sandbox.path("home/.skills-mcp/cache")).filter((name) => name.endsWith(".idx"));
  expect(kept).toHaveLength(1);
  expect((await runCommand(sandbox, ["search", "skill-7 things", "--json"])).stdout).toBe(first.stdout);
});

describe("a synonyms.yaml that cannot be used", () => {
  test("is named once by search and by doctor, which still do their work", async () => {
    const sandbox = sandboxWithSkills();
    const file = sandbox.write("home/.skills-mcp/synonyms.yaml", "shop: [checkout\ncart: basket\n");
    const line = new RegExp(
      `^(?:\\S+Z warn {2})?${file}: The synonyms were ignored: it is not valid YAML \\([^�]+\\)\\.$`,
    );
    const searched = await runCommand(sandbox, ["search", "bloated tables"]);
    expect(searched).toMatchObject({ code: 0, stdout: expect.stringContaining("postgres") as string });
    expect(searched.stderr.trimEnd()).toMatch(line);
    expect((await runCommand(sandbox, ["search", "--all-words", "tables"])).stderr).toBe("");
    const { code, stdout } = await runCommand(sandbox, ["doctor"]);
    const [, warnings = ""] = stdout.split("Warnings:\n  ");
    expect(warnings.split("\n")[0]).toMatch(line);
    expect(code).toBe(0);
  });

  test("and is a FIFO is not opened: the search is answered, the reason told, and the server ends when asked to", async () => {
    const sandbox = sandboxWithSkills();
    const file = sandbox.path("home/.skills-mcp/synonyms.yaml");
    mkdirSync(path.dirname(file), { recursive: true });
    execFileSync("mkfifo", [file]);
    const told = ` warn  ${file}: The synonyms were ignored. The file cannot be read: it is not a regular file.`;
    expect(await runCommand(sandbox, ["search", "bloated tables"])).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(new RegExp(`^\\S+${told}\n$`)) as string,
    });
    const connection = await connect(sandbox, { era: "2025-11-25", args: FINDER });
    expect((await find(connection, "bloated tables")).found.results[0]?.name).toBe("postgres");
    await find(connection, "tables");
    await expect.poll(() => connection.log().split(told)).toHaveLength(2);
    process.kill(connection.pid, "SIGTERM");
    await waitUntil("the server has ended", () => !isRunning(connection.pid));
  });

  test("and is larger than any list of words is not read", async () => {
    const sandbox = sandboxWithSkills();
    sandbox.write("home/.skills-mcp/synonyms.yaml", `# ${"x".repeat(1024 * 1024)}\n`);
    expect((await runCommand(sandbox, ["search", "tables"])).stderr).toContain(
      "the file is larger than 1 MiB",
    );
  });
});

test("a handful of skills that share common words with a task does not answer it", async () => {
  const sandbox = createSandbox();
  const search = async (task: string) =>
    (await commandJson(
      sandbox,
      "search",
      task,
      "--json",
      "--skill-dir",
      path.resolve("examples/skills"),
    )) as {
      readonly results: readonly { readonly name: string }[];
    };
  expect((await search("merge two pdf files")).results).toEqual([]);
  expect((await search("what is in this spreadsheet export")).results[0]?.name).toBe("csv-report");
});

test("a copy that is named beside a result is not counted as one more", async () => {
  const sandbox = createSandbox();
  const body = "Vacuum bloated tables, rebuild indexes and look at slow queries. ".repeat(8);
  const description =
    "Keeps a database fast and its tables small: vacuum, indexes, statistics, locks, slow queries, connection pools, replication lag, backups, disk space and upgrades. Use when someone complains about slow pages, timeouts or a full disk.";
  for (const name of ["postgres-care", "postgres-care-fork"]) {
    sandbox.skill(`${SKILLS}/${name}`, { description, body });
  }
  const { stdout } = await runCommand(sandbox, ["search", "my tables are bloated"]);
  expect(stdout).toContain("copies: postgres-care");
  expect(stdout).not.toContain("more result");
});

test("a near-copy in second place leaves the verdict as it is without it", async () => {
  const sandbox = createSandbox();
  const body = "Vacuum bloated tables, rebuild indexes and look at slow queries. ".repeat(8);
  const description = "Vacuums bloated database tables and rebuilds slow indexes.";
  const search = async () =>
    (await commandJson(
      sandbox,
      "search",
      "vacuum the bloated tables and rebuild the slow indexes",
      "--json",
    )) as Found;
  sandbox.skill(`${SKILLS}/postgres-care`, { description, body });
  sandbox.skill(`${SKILLS}/birthday-cards`, {
    description: "Writes cards for birthdays.",
    body: "Be kind.\n",
  });
  expect((await search()).verdict).toBe("match");
  sandbox.skill(`${SKILLS}/postgres-care-fork`, { description, body: `${body}Then say what was done.\n` });
  expect(await search()).toMatchObject({ verdict: "match", results: [{ copies: [expect.any(String)] }] });
});
