import { spawnSync } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { BIN, environmentOf, NODE } from "../support/bin.ts";
import { type Connection, connect, describedSkills, ERAS, loadSkill } from "../support/client.ts";
import { connectInProcess, runCommand } from "../support/in-process.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { waitUntil } from "../support/wait-until.ts";

/** What is served while a file is wrong: everything, all but the library, or nothing. */
type Served = "all" | "skills" | "nothing";

interface SettingsFile {
  readonly name: string;
  readonly file: string;
  /** A right file. */
  readonly right: string;
  /** A wrong value of a known key, which is named. */
  readonly wrongType: readonly [text: string, place: string];
  /** While the file as a whole cannot be understood. */
  readonly served: Served;
  /** JSON has no aliases, tabs are fine, and an empty file is none. */
  readonly isJson?: true;
}

const FILES: readonly SettingsFile[] = [
  {
    name: "the user's config.yaml",
    file: "home/.skills-mcp/config.yaml",
    right: "skills:\n  exclude: [docx]\n",
    wrongType: ["skills:\n  exclude: docx\n", ":2: skills.exclude is "],
    served: "nothing",
  },
  {
    name: "a project's .skills-mcp.yaml",
    file: "project/.skills-mcp.yaml",
    right: "skills:\n  exclude: [docx]\n",
    wrongType: ["skills:\n  exclude: docx\n", ":2: skills.exclude is "],
    served: "all",
  },
  {
    name: "trust.yaml",
    file: "home/.skills-mcp/trust.yaml",
    right: "review: [github.com/acme]\n",
    wrongType: ["review: github.com/acme\n", ":1: review must be a list"],
    served: "nothing",
  },
  {
    name: "synonyms.yaml",
    file: "home/.skills-mcp/synonyms.yaml",
    right: "k8s: kubernetes\n",
    wrongType: ["k8s: 5\n", "'k8s' must stand for a word"],
    served: "all",
  },
  {
    name: "a library's config.yaml",
    file: "lib/config.yaml",
    right: "matching:\n  min_score: 0.1\n",
    wrongType: ["matching:\n  min_score: high\n", ":2: matching.min_score is "],
    served: "skills",
  },
  {
    name: "disabled.json",
    file: "home/.skills-mcp/disabled.json",
    right: '{"agents": {"codex": ["claude:pdf"]}, "profiles": {}}',
    wrongType: ["[5", "is not valid JSON"],
    served: "nothing",
    isJson: true,
  },
  {
    name: "approvals.json",
    file: "home/.skills-mcp/approvals.json",
    right: '{"version": 1, "skills": {}}',
    wrongType: ['{"skills": []}', "has no object 'skills'"],
    served: "nothing",
    isJson: true,
  },
];

/** Each way to break a file; undefined: with this text it is right. */
const BREAKS: Readonly<Record<string, (file: SettingsFile) => string | Uint8Array | undefined>> = {
  "an open list": ({ right, isJson }) => (isJson ? "[" : `${right}x: [a, b\n`),
  "a wrong type": ({ wrongType: [text] }) => text,
  "indentation with tabs": ({ isJson }) => (isJson ? undefined : "skills:\n\texclude:\n\t\t- docx\n"),
  "binary bytes": () => new Uint8Array([0, 255, 254, 0, 1, 200]),
  "a NUL in the text": ({ right }) => `\0${right}`,
  "an empty file": ({ isJson }) => (isJson ? "" : undefined),
  "a folder": () => "folder",
  "2 MB of text": ({ right }) => `${right}${"# a comment\n".repeat(200_000)}`,
  "deep nesting": () => "[".repeat(5_000),
  "an alias bomb": ({ isJson }) =>
    isJson ? "{" : `a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nskills: [*c, *c]\n`,
  "a Windows path in double quotes": ({ isJson }) =>
    isJson ? '"C:\\Users"' : 'skills:\n  skill_dirs: ["C:\\Users\\ann"]\n',
  "two documents": ({ right, isJson }) => (isJson ? `${right}${right}` : `${right}---\n${right}`),
};

function createMachine(): Sandbox {
  const sandbox = createSandbox();
  sandbox.skill("project/.claude/skills/pdf");
  sandbox.write("lib/deploy.md", "---\ndescription: Deploys.\nkeywords: [deploy]\n---\nDeploy it.\n");
  // Approvals are read where there are rules.
  sandbox.write("home/.skills-mcp/trust.yaml", "");
  return sandbox;
}

function put(sandbox: Sandbox, file: string, content: string | Uint8Array): void {
  rmSync(sandbox.path(file), { recursive: true, force: true });
  // Not empty: while a script runs, an empty folder takes the place of a file that does not exist.
  if (content === "folder") sandbox.write(`${file}/note.txt`, "");
  else sandbox.write(file, content);
}

const open = (sandbox: Sandbox, era: (typeof ERAS)[number] = ERAS[0]): Promise<Connection> =>
  connectInProcess(sandbox, { era, env: { SKILLS_DIR: sandbox.path("lib") } });

const NOTICE = /^Wrong settings, tell the user: /;

/** What a client gets: the skill, and the library's skill. */
async function servedTo(connection: Connection): Promise<Served> {
  const isSkill = !(await loadSkill(connection, "pdf")).isError;
  const library = await connection.client.callTool({ name: "get_skill", arguments: { context: "deploy" } });
  if (!isSkill) expect(library.isError).toBe(true);
  return isSkill ? (library.isError === true ? "skills" : "all") : "nothing";
}

/** The file is named where a model reads, with what is served meanwhile. */
async function expectNamed(connection: Connection, file: string, served: Served): Promise<void> {
  expect(connection.client.getInstructions()).toMatch(NOTICE);
  expect(connection.client.getInstructions()).toContain(file);
  const description = await describedSkills(connection);
  expect(description).toMatch(NOTICE);
  expect(description).toContain(file);
  expect(await servedTo(connection)).toBe(served);
  expect(connection.log()).toContain(` error ${file}`);
}

describe.each(FILES)("$name", (settings) => {
  const { file, right, served, wrongType } = settings;

  test.each(Object.keys(BREAKS))("broken settings: a server on stdio starts with %s", async (way) => {
    const sandbox = createMachine();
    const content = BREAKS[way]?.(settings);
    put(sandbox, file, content ?? (way === "an empty file" ? "" : right));
    const connection = await open(sandbox);
    if (content !== undefined) return expectNamed(connection, sandbox.path(file), served);
    expect(connection.client.getInstructions()).not.toMatch(NOTICE);
    expect(await servedTo(connection)).toBe("all");
    return undefined;
  });

  test.each(ERAS)(
    "broken settings: a repair and a new mistake are seen without a restart (%s)",
    async (era) => {
      const sandbox = createMachine();
      put(sandbox, file, wrongType[0]);
      const connection = await open(sandbox, era);
      expect(await describedSkills(connection)).toContain(wrongType[1]);
      put(sandbox, file, right);
      await waitUntil("the notice is gone", async () => !NOTICE.test(await describedSkills(connection)));
      await waitUntil("the change is announced", () => connection.announced() > 0);
      expect(await servedTo(connection)).toBe("all");
      const announced = connection.announced();
      put(sandbox, file, wrongType[0]);
      await waitUntil("the notice is back", async () => NOTICE.test(await describedSkills(connection)));
      await waitUntil("that is announced, too", () => connection.announced() > announced);
      expect(await servedTo(connection)).toBe(served);
    },
  );

  test("broken settings: doctor names them", async () => {
    const sandbox = createMachine();
    put(sandbox, file, wrongType[0]);
    const { stdout } = await runCommand(sandbox, ["doctor"], { env: { SKILLS_DIR: sandbox.path("lib") } });
    expect(stdout).toContain(sandbox.path(file));
    expect(stdout).toContain(wrongType[1]);
  });
});

describe("what counts of the user's config.yaml", () => {
  const CONFIG = "home/.skills-mcp/config.yaml";

  test.each([
    ["a port, which stdio has none of", "server: {port: abc}\nskills:\n  exclude: [docx]\n", "all"],
    ["a filter", "skills:\n  include: [5]\n", "nothing"],
    ["a switch that leaves skills out", "skills:\n  plugins: maybe\n", "nothing"],
    ["a severity of the audit", "audit:\n  block: hihg\n", "nothing"],
    ["the name of a tool", "server:\n  tools: [skil]\n", "nothing"],
    ["a profile that there is not", "server:\n  profile: web\n", "nothing"],
    ["a profile that nobody is served", "profiles:\n  web: {include: 5}\n", "all"],
    ["a profile in use", "server:\n  profile: web\nprofiles:\n  web: {include: 5}\n", "nothing"],
    ["a section that is a list", "skills: [pdf]\n", "nothing"],
    ["a setting of scripts", "scripts:\n  timeout_seconds: soon\n", "all"],
  ] as const)("broken settings: %s", async (_what, text, served) => {
    const sandbox = createMachine();
    sandbox.skill("project/.claude/skills/docx");
    sandbox.write(CONFIG, text);
    const connection = await open(sandbox);
    await expectNamed(connection, sandbox.path(CONFIG), served);
    expect((await loadSkill(connection, "docx")).isError).toBe(
      served === "nothing" || text.includes("exclude: [docx]"),
    );
  });

  test("broken settings: scripts do not run with a wrong setting of scripts, and the answer says why", async () => {
    const sandbox = createMachine();
    sandbox.write(CONFIG, "scripts:\n  timeout_seconds: soon\n");
    const { client } = await open(sandbox);
    const run = { name: "run_script", arguments: { skill_path: "deploy", file: "x.sh", args: {} } };
    expect(await client.callTool(run)).toMatchObject({
      isError: true,
      structuredContent: {
        error: true,
        message: expect.stringContaining("config.yaml:2: scripts.timeout_seconds") as string,
      },
    });
  });

  test("broken settings: library tools answer with the reason as JSON", async () => {
    const sandbox = createMachine();
    const file = sandbox.write("lib/config.yaml", "matching: {min_score: 7}\n");
    const { client } = await open(sandbox);
    for (const [name, args] of [
      ["get_skill", { context: "deploy" }],
      ["list_skills", {}],
      ["get_asset", { skill_path: "deploy", file: "x" }],
      ["report_usage", { skill_path: "deploy", useful: true }],
      ["refresh_skills", {}],
    ] as const) {
      const answer = await client.callTool({ name, arguments: args });
      expect([name, answer]).toMatchObject([
        name,
        {
          isError: true,
          structuredContent: {
            error: true,
            message: expect.stringContaining(`${file}:1: matching.min_score is 7`) as string,
          },
        },
      ]);
    }
  });

  test("broken settings: a project whose profile nobody has is ignored as a whole", async () => {
    const sandbox = createMachine();
    const file = sandbox.write(
      "project/.skills-mcp.yaml",
      "skills: {exclude: [pdf]}\nserver: {profile: web}\n",
    );
    await expectNamed(await open(sandbox), `${file}:2: server.profile`, "all");
  });

  test("broken settings: a variable is named, and its default counts", async () => {
    const sandbox = createMachine();
    const { client } = await connectInProcess(sandbox, {
      era: ERAS[0],
      env: { REFRESH_INTERVAL_MINUTES: "abc" },
    });
    expect(client.getInstructions()).toMatch(
      /^Wrong settings, tell the user: REFRESH_INTERVAL_MINUTES: .*"abc"/,
    );
  });

  test("broken settings: tools of a library that there is not", async () => {
    const sandbox = createMachine();
    const file = sandbox.write(CONFIG, "server:\n  tools: [library]\n");
    const connection = await connectInProcess(sandbox, { era: ERAS[0] });
    expect(await describedSkills(connection)).toContain(`${file}:2: server.tools: `);
    expect((await loadSkill(connection, "pdf")).isError).toBe(true);
  });

  test("broken settings: a folder that mcp-server serves has nothing to do with filters", async () => {
    const sandbox = createMachine();
    sandbox.write(CONFIG, "skills: [\n");
    sandbox.skill("project/skills/pdf");
    const { client } = await connectInProcess(sandbox, { era: ERAS[0], args: ["mcp-server"] });
    expect(client.getInstructions()).toMatch(NOTICE);
    const { structuredContent } = await client.callTool({ name: "skills.list", arguments: {} });
    expect(structuredContent).toMatchObject({ skills: [{ installName: "pdf" }] });
  });

  test("broken settings: a flag that is wrong is refused all the same", async () => {
    const sandbox = createMachine();
    sandbox.write(CONFIG, "skills: [\n");
    for (const args of [["--tools", "nope"], ["--port", "abc"], ["--include", "codex:@plugins"], ["--nope"]])
      expect([args, (await runCommand(sandbox, ["mcp", ...args])).code]).toEqual([args, 2]);
  });

  test("broken settings: other transports refuse to start", async () => {
    const sandbox = createMachine();
    sandbox.write(CONFIG, "server: {port: abc}\n");
    for (const args of [["serve"], ["mcp", "--transport", "http"], ["mcp", "--transport", "sse"]])
      expect(await runCommand(sandbox, args)).toMatchObject({
        code: 2,
        stdout: "",
        stderr: expect.stringMatching(/^skills-mcp: \S+config\.yaml:1: server\.port is "abc"/) as string,
      });
  });

  test.each(["home/.skills-mcp/config.yaml", "home/.skills-mcp", "project/.skills-mcp.yaml"])(
    "broken settings: %s that may not be read is named",
    (closed) => {
      const sandbox = createMachine();
      for (const file of [CONFIG, "project/.skills-mcp.yaml"]) sandbox.write(file, "");
      chmodSync(sandbox.path(), 0o755);
      chmodSync(sandbox.path(closed), 0);
      onTestFinished(() => chmodSync(sandbox.path(closed), 0o700));
      const params = {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "raw", version: "1" },
      };
      const { stdout, stderr } = spawnSync(NODE, [BIN, "mcp"], {
        cwd: sandbox.project,
        env: environmentOf(sandbox),
        input: `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`,
        encoding: "utf8",
        // The mode of a file means nothing to root.
        ...(process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}),
      });
      const { result } = JSON.parse(stdout) as { result: { instructions: string } };
      expect(result.instructions).toMatch(NOTICE);
      expect(result.instructions).toContain(sandbox.path(closed));
      expect(result.instructions.includes("no skill is served")).toBe(closed.startsWith("home"));
      expect(stderr).toContain("permission denied");
    },
  );

  test("broken settings: the built bin never answers from what an earlier start cached", async () => {
    const sandbox = createMachine();
    for (let index = 0; index < 120; index++) sandbox.skill(`project/.claude/skills/s${index}`);
    const args = ["mcp", "--user-dir", sandbox.home];
    rmSync(sandbox.path("home/.skills-mcp/trust.yaml"));
    const right = await connect(sandbox, { era: ERAS[0], args });
    expect(await describedSkills(right)).toContain("s7");
    await right.close();
    sandbox.write(CONFIG, "skills: [\n");
    const wrong = await connect(sandbox, { era: ERAS[0], args });
    expect(wrong.client.getInstructions()).toMatch(NOTICE);
    expect(await describedSkills(wrong)).not.toContain("s7");
    await wrong.close();
    rmSync(sandbox.path(CONFIG));
    const again = await connect(sandbox, { era: ERAS[0], args });
    expect(again.client.getInstructions()).not.toMatch(NOTICE);
    expect(await describedSkills(again)).toContain("s7");
  });
});
