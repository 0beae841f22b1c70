import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { environmentOf, NODE } from "../support/bin.ts";
import { connectHttp, WAYS } from "../support/connect-http.ts";
import { freePort } from "../support/free-port.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { waitUntil } from "../support/wait-until.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const PAGE = readFileSync(path.join(ROOT, "docs/how-to/program.md"), "utf8");

/** The programs of the page, each by the heading above it. */
const EXAMPLES = new Map(
  PAGE.split(/^## /m).flatMap((section): readonly (readonly [string, string])[] => {
    const [, code] = /^```ts\n(.*?)^```$/ms.exec(section) ?? [];
    return code === undefined ? [] : [[section.slice(0, section.indexOf("\n")), code]];
  }),
);

/** A project with the package as it is installed: a copy, so that nothing of this repository is around it. */
function createProject(): Sandbox {
  const sandbox = createSandbox();
  const installed = path.join(sandbox.project, "node_modules", "skills-mcp");
  mkdirSync(installed, { recursive: true });
  for (const name of ["package.json", "dist"])
    cpSync(path.join(ROOT, name), path.join(installed, name), { recursive: true });
  sandbox.write("project/package.json", '{ "type": "module" }');
  return sandbox;
}

function writeExample(sandbox: Sandbox, heading: string): string {
  const code = EXAMPLES.get(heading);
  if (code === undefined) throw new Error(`docs/how-to/program.md has no program below '${heading}'`);
  const file = path.join(sandbox.project, "example.mjs");
  writeFileSync(file, code);
  return file;
}

function run(sandbox: Sandbox, heading: string): string {
  const options = { cwd: sandbox.project, env: environmentOf(sandbox), encoding: "utf8" } as const;
  return execFileSync(NODE, [writeExample(sandbox, heading)], options);
}

test("library: the example of the page lists and loads", () => {
  const sandbox = createProject();
  const skill = sandbox.skill("project/.claude/skills/release-notes", { description: "Writes notes." });
  sandbox.write("project/.claude/skills/release-notes/references/style.md", "Be brief.\n");
  sandbox.write("project/.claude/skills/broken/SKILL.md", "no front matter");
  const output = run(sandbox, "List and load");
  expect(output).toContain(`release-notes  ${path.dirname(skill)}\n  Writes notes.\n`);
  expect(output).toContain("references/style.md, 10 bytes\nBe brief.\n");
  expect(output).toContain(path.join(".claude/skills/broken/SKILL.md: "));
});

test("library: the example of the page says which skill is unknown", () => {
  const sandbox = createProject();
  sandbox.skill("project/.claude/skills/release-note");
  const options = {
    cwd: sandbox.project,
    env: environmentOf(sandbox),
    encoding: "utf8",
    stdio: "pipe",
  } as const;
  const file = writeExample(sandbox, "List and load");
  expect(() => execFileSync(NODE, [file], options)).toThrow(/unknown-skill: .* Did you mean release-note\?/);
});

test("library: the example of the page searches", () => {
  const sandbox = createProject();
  cpSync(path.join(ROOT, "examples/skills"), path.join(sandbox.project, "skills"), { recursive: true });
  const output = run(sandbox, "Search");
  expect(output).toMatch(/^(?:match|ambiguous), \d+ found, [\d.]+\n[\d.]+ {2}csv-report in /);
  expect(output).toMatch(/\n {2}\S.*: \S/);
});

test.each(WAYS.filter((way) => way !== "sse"))(
  "library: the example of the page serves, protocol %s",
  async (way) => {
    const sandbox = createProject();
    sandbox.skill("project/.claude/skills/pdf", { body: "Read the PDF." });
    const port = await freePort();
    const child = spawn(NODE, [writeExample(sandbox, "Serve over your own HTTP server")], {
      cwd: sandbox.project,
      env: { ...environmentOf(sandbox), PORT: String(port) },
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
    await waitUntil("the server listens", () => printed.includes("listening"));
    const url = `http://127.0.0.1:${port}`;
    expect(await (await fetch(`${url}/`)).text()).toBe("My own page\n");
    expect(
      (await fetch(`${url}/mcp`, { method: "POST", headers: { origin: "https://evil.example" } })).status,
    ).toBe(403);

    const { client } = await connectHttp(url, way);
    const { content } = await client.callTool({ name: "skill", arguments: { name: "pdf" } });
    expect(JSON.stringify(content)).toContain("Read the PDF.");
    sandbox.skill("project/.claude/skills/docx");
    await waitUntil("the change is seen", () => printed.includes("now 2 skills"));

    const ended = new Promise((resolve) => child.once("exit", (code, signal) => resolve(signal ?? code)));
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  },
);

test("library: the examples of the page fit its types, which need no others", () => {
  const sandbox = createProject();
  const tsc = path.join(ROOT, "node_modules/typescript/bin/tsc");
  const check = (...args: string[]) =>
    execFileSync(process.execPath, [tsc, "--noEmit", "--strict", "--target", "es2022", ...args], {
      cwd: sandbox.project,
      encoding: "utf8",
    });
  const nodeNext = ["--module", "nodenext"];
  const bundler = ["--module", "esnext", "--moduleResolution", "bundler"];
  sandbox.write(
    "project/bare.ts",
    'import { createApp, type ListedSkill } from "skills-mcp";\nexport const all: Promise<readonly ListedSkill[]> = createApp().app.list();\n',
  );
  for (const resolution of [nodeNext, bundler])
    check(...resolution, "--types", "", "--lib", "es2022", "bare.ts");

  const types = path.join(sandbox.project, "node_modules/@types");
  mkdirSync(types);
  symlinkSync(path.join(ROOT, "node_modules/@types/node"), path.join(types, "node"));
  const files = [...EXAMPLES.values()].map((code, index) => {
    sandbox.write(`project/example-${index}.ts`, code);
    return `example-${index}.ts`;
  });
  expect(files).toHaveLength(3);
  check(...nodeNext, "--types", "node", ...files);
  sandbox.write(
    "project/wrong.ts",
    'import { createApp } from "skills-mcp";\nawait createApp().app.load(1);\n',
  );
  expect(() => check(...nodeNext, "wrong.ts")).toThrow();
});

test("library: require() loads it", () => {
  const sandbox = createProject();
  sandbox.skill("project/.claude/skills/pdf");
  sandbox.write(
    "project/list.cjs",
    'const { createApp } = require("skills-mcp");\nconst { app, close } = createApp();\napp.list().then((all) => { console.log(all.map(({ name }) => name).join()); return close(); });\n',
  );
  const options = { cwd: sandbox.project, env: environmentOf(sandbox), encoding: "utf8" } as const;
  expect(execFileSync(NODE, ["--disable-warning=ExperimentalWarning", "list.cjs"], options)).toBe("pdf\n");
});
