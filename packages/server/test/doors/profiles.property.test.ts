import { rmSync } from "node:fs";
import { PassThrough } from "node:stream";
import { Client } from "@modelcontextprotocol/client";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import {
  array,
  asyncProperty,
  assert as check,
  constantFrom,
  record,
  subarray,
  uniqueArray,
} from "fast-check";
import { expect, test } from "vitest";
import { createSiteAnswers } from "#install";
import { fixedProfiles, type Profile } from "#skills";
import { NO_LOG } from "#util";
import { createSandbox, type Sandbox } from "../../../../test/support/sandbox.ts";
import { compose } from "../../src/compose.ts";
import { TOOL_NAMES } from "../../src/mcp/definitions/tool-sets.ts";
import { createServerFactory } from "../../src/mcp/server/create-server.ts";
import type { Services } from "../../src/services.ts";
import { apiAsks } from "./doors.ts";

/** `npm run check:profiles` sets 2,000. */
const RUNS = Number(process.env["SKILLS_MCP_PROFILE_RUNS"] ?? 3);
const NAMES = ["pdf", "pdf-tools", "data-lake", "payroll", "web-forms"] as const;
const FOLDERS = [
  "home/.claude/skills",
  "home/.codex/skills",
  "home/.agents/skills",
  "project/.claude/skills",
  "project/node_modules/dep/skills",
] as const;
const PAGES = ["_root", "ui/_index", "ui/auth", "payroll"] as const;
const TOKENS = [
  "claude",
  "codex",
  "agents",
  "library",
  "pdf",
  "pdf*",
  "web-*",
  "payroll",
  "codex:pdf",
  "library:ui*",
  "npm",
  "npm:dep:pdf*",
] as const;
const SPAN = { since: "2026-11-01", until: "2026-11-02" };

const skill = record({ folder: constantFrom(...FOLDERS), name: constantFrom(...NAMES) });
const catalogue = record({
  skills: uniqueArray(skill, { maxLength: 9, selector: ({ folder, name }) => `${folder}/${name}` }),
  pages: subarray([...PAGES]),
  off: subarray([...NAMES], { maxLength: 1 }),
  broken: subarray([...FOLDERS], { maxLength: 1 }),
});
const HIDDEN_CATALOGUE = {
  skills: [
    { folder: FOLDERS[3], name: NAMES[3] },
    { folder: FOLDERS[2], name: NAMES[3] },
  ],
  pages: [PAGES[3]],
  off: [],
  broken: [],
};
const profile = record({
  include: array(constantFrom(...TOKENS), { maxLength: 3 }),
  exclude: array(constantFrom(...TOKENS), { maxLength: 3 }),
  without: array(constantFrom("claude:pdf", "codex:payroll", "agents:web-forms", "npm:dep:payroll"), {
    maxLength: 1,
  }),
});

/** Everything that someone can ask, as one text. */
async function everyDoor(services: Services): Promise<string> {
  // What a client is told before the first scan has ended depends on how fast the machine is.
  await services.skills.snapshot();
  const told = [await mcpDoors(services), await appDoors(services)];
  return JSON.stringify(told, (key, value: unknown) => (VOLATILE.has(key) ? undefined : value), 1);
}

/** When something was done says nothing of what there is. */
const VOLATILE: ReadonlySet<string> = new Set(["lastRefresh", "freshness", "ttlMs", "updatedAt"]);

async function mcpDoors(services: Services): Promise<readonly unknown[]> {
  const settings = {
    toolNames: "dotted",
    descriptionFormat: "xml",
    descriptionBudget: 600,
    log: NO_LOG,
  } as const;
  const tools = { always: TOOL_NAMES, auto: [] };
  const server = createServerFactory(services, { ...settings, tools, announcesChanges: true })({
    era: "legacy",
  });
  const [up, down] = [new PassThrough(), new PassThrough()];
  await server.connect(new StdioServerTransport(up, down));
  const client = new Client({ name: "somebody", version: "1.0.0" });
  await client.connect(new StdioServerTransport(down, up));
  const answers: unknown[] = [client.getInstructions()];
  const ask = async (asked: Promise<unknown>): Promise<void> =>
    void answers.push(
      await asked.catch((error: unknown) => (error instanceof Error ? error.message : error)),
    );
  const call = (name: string, args: Record<string, unknown>) =>
    ask(client.callTool({ name, arguments: args }));
  await ask(client.listTools());
  await ask(client.listPrompts());
  const listed = client.listResources();
  await ask(listed);
  await ask(client.listResourceTemplates());
  for (const { uri } of (await listed).resources) await ask(client.readResource({ uri }));
  for (const name of [...NAMES, "codex:pdf", "claude:payroll", "dep:payroll", "payrol"]) {
    await call("skill", { name });
    await call("read_skill_file", { skill: name, path: "SKILL.md" });
    await call("find_skills", { task: `secret ${name}` });
    await call("skills.search", { query: name });
    await call("report_usage", { skill_path: name, useful: true });
    await ask(client.getPrompt({ name }));
    await ask(client.readResource({ uri: `skill://claude/${name}/SKILL.md` }));
  }
  await call("skills.list", { includeBody: true });
  await call("list_skills", {});
  await call("refresh_skills", {});
  for (const skill_path of PAGES) {
    await call("get_skill", { context: "secret payroll", skill_path });
    await call("get_asset", { skill_path, file: "x.txt" });
    await ask(client.readResource({ uri: `library://${skill_path}` }));
  }
  await call("get_skill", { context: "secret payroll auth" });
  for (const [uri, name] of [
    ["skill://{provider}/{name}/{+file}", "name"],
    ["skill://{provider}/{name}/{+file}", "provider"],
    ["library://{+skill_path}", "skill_path"],
  ] as const)
    await ask(client.complete({ ref: { type: "ref/resource", uri }, argument: { name, value: "" } }));
  await client.close();
  await server.close();
  return answers;
}

async function appDoors(services: Services): Promise<readonly unknown[]> {
  const snapshot = await services.skills.snapshot();
  const siteAt = createSiteAnswers();
  const info = NAMES.map((name) => services.skills.info(name).catch((error: unknown) => String(error)));
  return [
    await Promise.all(info),
    await siteAt(snapshot, "/.well-known/skills/index.json"),
    await siteAt(snapshot, "/.well-known/agent-skills/index.json"),
    await services.checks.health(),
    await services.checks.findings(),
    await services.usage.usage(SPAN),
    ...(await Promise.all(apiAsks(services, API_GUESSES).map(([, ask]) => ask()))).map((text) =>
      parsed(text),
    ),
    snapshot.roots.map(({ dir }) => dir),
    snapshot.diagnostics,
    snapshot.disabled.entries,
    [...snapshot.fingerprints.keys()].map(({ dir }) => dir),
  ];
}

const API_GUESSES = { skills: NAMES, paths: PAGES, files: ["SKILL.md"] };

/** As data, so that what is volatile in it can be left out. */
function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return text;
  }
}

interface Written {
  readonly skills: readonly { readonly folder: string; readonly name: string }[];
  readonly pages: readonly string[];
  readonly off: readonly string[];
  /** Folders with a skill that nobody can read. */
  readonly broken: readonly string[];
}

function write(sandbox: Sandbox, { skills, pages, off, broken }: Written): void {
  for (const folder of broken) sandbox.write(`${folder}/broken/SKILL.md`, "no front matter\n");
  for (const { folder, name } of skills) {
    const file = sandbox.skill(`${folder}/${name}`, {
      description: `Does ${name} of ${folder}.`,
      body: `secret ${name}\n`,
    });
    if (!off.includes(name)) continue;
    rmSync(file);
    sandbox.write(`${folder}/${name}/.SKILL.md`, `---\nname: ${name}\ndescription: off\n---\n`);
  }
  writeLock(sandbox, skills);
  sandbox.write("project/package.json", '{"dependencies":{"dep":"1"}}');
  sandbox.write("project/node_modules/dep/package.json", '{"name":"dep","version":"1.0.0"}');
  for (const page of pages)
    sandbox.write(
      `library/${page}.md`,
      `---\ndescription: About ${page}\nkeywords: [secret, ${page}]\n---\nText of ${page}.\n`,
    );
}

/** Lists the skills of `~/.agents/skills` as installed ones. */
function writeLock(sandbox: Sandbox, skills: Written["skills"]): void {
  const entries = skills
    .filter(({ folder }) => folder === "home/.agents/skills")
    .map(({ name }) => [name, { source: `team/${name}`, sourceType: "github", skillFolderHash: "0" }]);
  const lock = { version: 3, skills: Object.fromEntries(entries), dismissed: {} };
  sandbox.write("home/.agents/.skill-lock.json", JSON.stringify(lock));
}

type Own = Omit<Profile, "name">;

/** Whether a profile leaves a skill, by a rule that is written here anew. */
function isLeft({ include = [], exclude = [], without = [] }: Own, provider: string, name: string): boolean {
  const names = provider === "npm" ? [name, `dep:${name}`] : [name];
  const fits = (token: string): boolean => {
    const [head = "", ...more] = token.split(":");
    const rest = more.join(":") || "*";
    if (PROVIDERS.has(head)) return head === provider && names.some((one) => patternOf(rest).test(one));
    return patternOf(token).test(name);
  };
  const isIncluded = include.length === 0 || include.some(fits);
  return isIncluded && !exclude.some(fits) && !without.includes(`${provider}:${names.at(-1)}`);
}

const PROVIDERS: ReadonlySet<string> = new Set(["claude", "codex", "agents", "library", "npm"]);
const patternOf = (glob: string): RegExp => new RegExp(`^${glob.replaceAll("*", ".*")}$`);

/** Removes what a profile leaves out from the disk, and what is broken, which belongs to nobody. */
function removeHidden({ skills, pages, broken }: Written, own: Own, sandbox: Sandbox): number {
  const providerOf = (folder: string): string => /\.(\w+)\//.exec(folder)?.[1] ?? "npm";
  const gone = skills.filter(({ folder, name }) => !isLeft(own, providerOf(folder), name));
  for (const { folder, name } of gone) rmSync(sandbox.path(folder, name), { recursive: true });
  writeLock(
    sandbox,
    skills.filter((each) => !gone.includes(each)),
  );
  const hidden = pages.filter((page) => !isLeft(own, "library", page));
  for (const page of hidden) rmSync(sandbox.path("library", `${page}.md`));
  for (const folder of broken) rmSync(sandbox.path(folder, "broken"), { recursive: true });
  return gone.length + hidden.length;
}

function open(sandbox: Sandbox, own: Omit<Profile, "name">) {
  const options = {
    cwd: sandbox.project,
    userDir: sandbox.home,
    folders: { system: sandbox.path("system") },
  };
  const { services, close } = compose({
    ...options,
    library: sandbox.path("library"),
    plugins: { skip: true },
  });
  return { services, seen: services.narrowed(fixedProfiles([{ name: "own", ...own }])), close };
}

test(
  `through every door, a profile shows what a disk without the rest would show (${RUNS} catalogues)`,
  async () => {
    let hidden = 0;
    await check(
      asyncProperty(catalogue, profile, async (given, own) => {
        const sandbox = createSandbox();
        write(sandbox, given);
        sandbox.write("library/always.md", "---\ndescription: always\nkeywords: [always]\n---\nText.\n");
        const before = open(sandbox, own);
        const told = await everyDoor(before.seen);
        const leftOut = (await before.seen.checks.inForce())?.leftOut;
        const removed = removeHidden(given, own, sandbox);
        expect(leftOut).toBeLessThanOrEqual(removed + 1);
        hidden += removed;
        await before.close();
        const after = open(sandbox, own);
        expect(told).toBe(await everyDoor(after.seen));
        await after.close();
        rmSync(sandbox.path("."), { recursive: true, force: true });
      }),
      // Of a few random catalogues, none may have anything to hide.
      { numRuns: RUNS, examples: [[HIDDEN_CATALOGUE, { include: [], exclude: ["payroll"], without: [] }]] },
    );
    // A test in which nothing is hidden would show nothing.
    expect(hidden).toBeGreaterThan(0);
  },
  RUNS * 20_000 + 60_000,
);
