import { existsSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

import { type Connection, describedSkills, ERAS, loadSkill, namesIn } from "../support/client.ts";
import {
  commandJson,
  connectInProcess as connect,
  runCommand,
  serveInProcess as serve,
} from "../support/in-process.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { waitUntil } from "../support/wait-until.ts";

const SKILLS = "project/.agents/skills";
const SKILL_DIR = "${CLAUDE_SKILL_DIR}";
const PLUGIN_ROOT = "${CLAUDE_PLUGIN_ROOT}";

function write(sandbox: Sandbox, name: string, fields: readonly string[], body = "Body.\n"): string {
  const front = [`name: ${name}`, `description: Does ${name} things.`, ...fields].join("\n");
  return sandbox.write(`${SKILLS}/${name}/SKILL.md`, `---\n${front}\n---\n\n${body}`);
}

async function promptNames({ client }: Connection): Promise<readonly string[]> {
  return (await client.listPrompts(undefined, { cacheMode: "refresh" })).prompts.map(({ name }) => name);
}

async function promptText({ client }: Connection, name: string, args: Record<string, string> = {}) {
  const { messages } = await client.getPrompt({ name, arguments: args });
  const [first] = messages as readonly { readonly content: unknown }[];
  return (first?.content as { readonly text: string } | undefined)?.text ?? "";
}

async function found({ client }: Connection, task: string): Promise<readonly string[]> {
  const result = await client.callTool({ name: "find_skills", arguments: { task, limit: 25 } });
  return (result.structuredContent as { results: { name: string }[] }).results.map(({ name }) => name);
}

describe.each(ERAS)("the author's word, protocol %s", (era) => {
  test.each([
    ["disable-model-invocation", ["disable-model-invocation: true"], undefined],
    ["policy.allow_implicit_invocation", [], "policy:\n  allow_implicit_invocation: false\n"],
  ])(
    "%s keeps a skill from models; it keeps its prompt and loads by name",
    async (_field, fields, settings) => {
      const sandbox = createSandbox();
      write(sandbox, "deploy", fields);
      write(sandbox, "pdf", []);
      if (settings !== undefined) sandbox.write(`${SKILLS}/deploy/agents/openai.yaml`, settings);
      const connection = await connect(sandbox, { era, args: ["mcp", "--tools", "all"] });
      expect(namesIn(await describedSkills(connection))).toEqual(["pdf"]);
      expect(await found(connection, "deploy a pdf")).toEqual(["pdf"]);
      expect(await found(connection, "deploy")).toEqual([]);
      const missing = await loadSkill(connection, "deplo");
      expect(missing.isError).toBe(true);
      expect(missing.text.replace("'deplo'", "")).not.toContain("deplo");
      expect(await promptNames(connection)).toEqual(["deploy", "pdf"]);
      const loaded = await loadSkill(connection, "deploy");
      expect(loaded.isError).toBe(false);
      expect(loaded.meta?.["skills-mcp/skill"]).toMatchObject({ invocation: { model: false, user: true } });
    },
  );

  test("user-invocable: false takes the prompt away, and nothing else", async () => {
    const sandbox = createSandbox();
    write(sandbox, "style", ["user-invocable: false"]);
    write(sandbox, "pdf", []);
    const connection = await connect(sandbox, { era, args: ["mcp", "--tools", "all"] });
    expect(namesIn(await describedSkills(connection))).toEqual(["pdf", "style"]);
    expect(await promptNames(connection)).toEqual(["pdf"]);
    await expect(promptText(connection, "style")).rejects.toMatchObject({ code: -32602 });
    expect(await found(connection, "style")).toEqual(["style"]);
  });

  test("when_to_use is part of what models read and search", async () => {
    const sandbox = createSandbox();
    write(sandbox, "release", ["when_to_use: Before the quarterly zeppelin flight."]);
    const connection = await connect(sandbox, { era, args: ["mcp", "--tools", "all"] });
    const expected = "Does release things. - Before the quarterly zeppelin flight.";
    expect(await describedSkills(connection)).toContain(`<description>${expected}</description>`);
    expect(await found(connection, "zeppelin")).toEqual(["release"]);
    const { skills } = (await commandJson(sandbox, "list", "--json")) as {
      skills: { description: string }[];
    };
    expect(skills[0]?.description).toBe("Does release things.");
  });

  test("a change of these fields is announced", async () => {
    const sandbox = createSandbox();
    const file = write(sandbox, "deploy", []);
    const connection = await connect(sandbox, { era });
    if (era === "2026-07-28") await connection.client.listen({ toolsListChanged: true });
    expect(namesIn(await describedSkills(connection))).toEqual(["deploy"]);
    write(sandbox, "deploy", ["disable-model-invocation: true"]);
    await waitUntil("the notice", () => connection.announced() > 0);
    expect(namesIn(await describedSkills(connection))).toEqual(["none"]);
    expect(existsSync(file)).toBe(true);
  });

  test("prompts declare the arguments that skills want, and put them in their places", async () => {
    const sandbox = createSandbox();
    write(sandbox, "fix", ["arguments: [issue, branch]"], "Fix $issue on $branch: $ARGUMENTS, $0, $1.\n");
    write(sandbox, "convert", ['argument-hint: "[file] [format]"'], "From $1 to $2.\n");
    write(sandbox, "learn", ["argument-hint: What to learn"], "Teach.\n");
    write(sandbox, "plain", [], "Use $ARGUMENTS.\n");
    const connection = await connect(sandbox, { era });
    const { prompts } = await connection.client.listPrompts();
    expect(prompts.map(({ name, arguments: wanted }) => [name, wanted?.map((each) => each.name)])).toEqual([
      ["convert", ["file", "format"]],
      ["fix", ["issue", "branch"]],
      ["learn", ["task"]],
      ["plain", undefined],
    ]);
    const body = async (name: string, args: Record<string, string> = {}) =>
      (await promptText(connection, name, args)).split("---\n\n")[1];
    expect(await body("fix", { issue: "42", branch: "main" })).toBe("Fix 42 on main: 42 main, 42, main.\n");
    expect(await body("fix", { task: '"a b" c' })).toBe('Fix a b on c: "a b" c, a b, c.\n');
    expect(await body("fix")).toBe("Fix  on : , $0, $1.\n");
    expect(await body("convert", { file: "a.md", format: "pdf" })).toBe("From a.md to pdf.\n");
    expect(await body("learn", { task: "chess openings" })).toBe("Teach.\n\nTask: chess openings");
    expect(await body("plain")).toBe("Use $ARGUMENTS.\n");
    expect(await body("plain", { task: "it all" })).toBe("Use it all.\n");
    await expect(promptText(connection, "fix", { other: "x" })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("'issue', 'branch', 'task'"),
    });
  });

  test("the header names folders, and says that commands were not run; the text stays as it is", async () => {
    const sandbox = createSandbox();
    const body = `Run ${SKILL_DIR}/x.sh. State: !\`touch ${sandbox.path("ran")}\`\n`;
    write(sandbox, "build", [], body);
    const pluginBody = `Run ${PLUGIN_ROOT}/bin/x.\n`;
    sandbox.skill("plugins/tools/skills/check", { body: pluginBody });
    sandbox.write(
      "home/.claude/plugins/installed_plugins.json",
      JSON.stringify({
        version: 2,
        plugins: { "tools@shop": { installPath: sandbox.path("plugins/tools") } },
      }),
    );
    const connection = await connect(sandbox, { era });
    const head = `${SKILL_DIR}: ${sandbox.path(SKILLS, "build")}\nCommands: the text has commands as !\`command\`; they were not run, so their output is missing\n`;
    for (const text of [(await loadSkill(connection, "build")).text, await promptText(connection, "build")]) {
      expect(text).toContain(head);
      expect(text.endsWith(`---\n\n${body}`)).toBe(true);
    }
    const check = await loadSkill(connection, "tools:check");
    expect(check.text).toContain(`\n${PLUGIN_ROOT}: ${sandbox.path("plugins/tools")}\n`);
    expect(check.text.endsWith(pluginBody)).toBe(true);
    expect(existsSync(sandbox.path("ran"))).toBe(false);
  });

  test("fields of hosts are data of the answer", async () => {
    const sandbox = createSandbox();
    write(sandbox, "review", ["context: fork", "agent: Explore", "allowed-tools: Read Grep"]);
    const { meta } = await loadSkill(await connect(sandbox, { era }), "review");
    expect(meta?.["skills-mcp/skill"]).toMatchObject({
      frontMatter: { context: "fork", agent: "Explore", "allowed-tools": "Read Grep" },
    });
  });
});

describe("the author's word on the command line", () => {
  test("list and info show every skill, and say why models do not see it", async () => {
    const sandbox = createSandbox();
    write(sandbox, "deploy", ["disable-model-invocation: true", "model: opus"]);
    write(sandbox, "pdf", []);
    const invocation = {
      model: false,
      user: true,
      because: [{ field: "disable-model-invocation", line: 4 }],
    };
    expect(await commandJson(sandbox, "list", "--json")).toMatchObject({
      skills: [{ name: "deploy", invocation }, { name: "pdf" }],
    });
    expect((await runCommand(sandbox, ["list"])).stdout).toContain("[not for models] Does deploy things.");
    const { stdout } = await runCommand(sandbox, ["info", "deploy"]);
    expect(stdout).toContain(
      "Invocation model: no, user: yes, because line 4 says disable-model-invocation\n",
    );
    expect(stdout).toContain("model: opus");
    expect(await commandJson(sandbox, "info", "deploy", "--json")).toMatchObject({
      invocation,
      frontMatter: { model: "opus" },
    });
    expect(await commandJson(sandbox, "info", "pdf", "--json")).toMatchObject({
      invocation: { model: true, user: true, because: [] },
      frontMatter: {},
    });
    expect(await commandJson(sandbox, "search", "deploy", "--json")).toMatchObject({
      results: [{ name: "deploy" }],
    });
  });

  test("info shows the settings of Codex, and what is wrong with them", async () => {
    const sandbox = createSandbox();
    write(sandbox, "deploy", []);
    const file = sandbox.write(
      `${SKILLS}/deploy/agents/openai.yaml`,
      "policy:\n  allow_implicit_invocation: false\n",
    );
    expect((await runCommand(sandbox, ["info", "deploy"])).stdout).toContain(
      "because agents/openai.yaml line 2 says policy.allow_implicit_invocation",
    );
    writeFileSync(file, "policy: {\n");
    expect((await runCommand(sandbox, ["info", "deploy"])).stdout).toContain("It is not valid YAML");
    rmSync(file);
    expect((await runCommand(sandbox, ["info", "deploy"])).stdout).not.toContain("Invocation");
  });

  test("validate knows the fields, and names a value that means nothing", async () => {
    const sandbox = createSandbox();
    const known = [
      "disable-model-invocation: true",
      "user-invocable: false",
      "when_to_use: Always.",
      "argument-hint: a file",
      "arguments: file",
      "context: fork",
      "agent: Explore",
      "model: opus",
      "effort: high",
      "disallowed-tools: Write",
      "hooks: {}",
      "paths: src/**",
      "shell: bash",
      "metadata:\n  internal: true",
    ];
    const file = write(sandbox, "deploy", known);
    writeFileSync(
      file,
      `---\nname: deploy\ndescription: ${"Deploys it. ".repeat(5)}\n${known.join("\n")}\n---\n\nBody.\n`,
    );
    const fine = await runCommand(sandbox, ["validate", file]);
    expect(fine.stdout).not.toMatch(/unknown|does not define|metadata/);
    expect(fine.code).toBe(0);
    write(sandbox, "deploy", ["user_invocable: perhaps"]);
    const bad = await runCommand(sandbox, ["validate", file]);
    expect(bad.code).toBe(1);
    expect(bad.stdout).toContain("`user_invocable` is 'perhaps' and was ignored. Write `true` or `false`.");
    expect(bad.stdout).toContain("'user_invocable' is read as 'user-invocable'");
  });
});

test("metadata.internal keeps a skill out of the index for installers", async () => {
  const sandbox = createSandbox();
  write(sandbox, "own", ["metadata:", "  internal: true"]);
  write(sandbox, "pdf", []);
  const url = await serve(sandbox);
  const index = (await (await fetch(`${url}/.well-known/agent-skills/index.json`)).json()) as {
    skills: { name: string }[];
  };
  expect(index.skills.map(({ name }) => name)).toEqual(["pdf"]);
  expect((await fetch(`${url}/.well-known/agent-skills/own/SKILL.md`)).status).toBe(404);
});
