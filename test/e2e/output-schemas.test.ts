import { describe, expect, test } from "vitest";
import { ERAS } from "../support/client.ts";
import { connectInProcess as connect } from "../support/in-process.ts";
import { createSandbox, DISK_FOLDER, type Sandbox } from "../support/sandbox.ts";

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** The paths of everything in an answer that its schema does not speak of. */
function unspoken(value: unknown, schema: Schema | undefined, path: string): readonly string[] {
  if (schema === undefined) return [path];
  if (Array.isArray(value)) return value.flatMap((item) => unspoken(item, schema.items, `${path}[]`));
  if (typeof value !== "object" || value === null || schema.properties === undefined) return [];
  const { properties } = schema;
  return Object.entries(value).flatMap(([key, inner]) => unspoken(inner, properties[key], `${path}.${key}`));
}

/** A machine on which every tool has something to answer. */
function fill(sandbox: Sandbox): void {
  sandbox.skill("project/.claude/skills/pdf", { description: "Fills PDF forms." });
  sandbox.write("project/.claude/skills/pdf/notes.md", "Notes.");
  const meta = "keywords: [login]\ndescription: About";
  const assets = "assets:\n  - file: form.html\n    description: A form.\n    type: template\n";
  const scripts =
    "scripts:\n  - file: hi.sh\n    description: Says hi.\n    execution: server\n    args:\n      - name: who\n        description: Whom.\n        required: true\n";
  sandbox.write("library/ui/_index.md", `---\n${meta} screens.\n${assets}${scripts}---\nUse grids.\n`);
  sandbox.write("library/ui/_index/form.html", "<form>");
  sandbox.write("library/ui/_index/hi.sh", "echo hi");
  sandbox.write("library/ui/auth.md", `---\nkeywords: [auth]\ndescription: Auth.\n${assets}---\nAsk.\n`);
  sandbox.write("library/ui/auth/form.html", "<b>");
  sandbox.write("library/ui/auth-again.md", "---\nkeywords: [auth]\ndescription: Auth too.\n---\nAsk.\n");
}

const AUTH = { skill_path: "ui/auth" };
const SCRIPT = { skill_path: "ui/_index", file: "hi.sh" };
const CALLS: readonly (readonly [string, Record<string, unknown>, "answered" | "refused", string])[] = [
  ["skills.list", {}, "answered", "skills"],
  ["skills.list", { includeBody: true }, "answered", "skills"],
  ["skills.search", { query: "forms" }, "answered", "results"],
  ["skills.search", { query: "qqqq" }, "answered", "results"],
  ["find_skills", { task: "fill a form" }, "answered", "verdict"],
  ["find_skills", { task: "auth login" }, "answered", "verdict"],
  ["find_skills", { task: "qqqq" }, "answered", "verdict"],
  ["get_skill", { context: "", ...AUTH }, "answered", "content"],
  ["get_skill", { context: "auth" }, "answered", "candidates"],
  ["get_skill", { context: "fill PDF" }, "answered", "suggestions"],
  ["get_skill", { context: "", skill_path: "nothing" }, "refused", "error"],
  ["list_skills", {}, "answered", "tree"],
  ["list_skills", { path: "nothing" }, "refused", "error"],
  ["get_asset", { ...AUTH, file: "form.html" }, "answered", "content"],
  ["get_asset", { ...AUTH, file: "../x" }, "refused", "error"],
  ["run_script", { ...SCRIPT, args: { who: "you" } }, "answered", "stdout"],
  ["run_script", { ...SCRIPT, args: {} }, "refused", "error"],
  ["report_usage", { ...AUTH, useful: true }, "answered", "recorded"],
  ["refresh_skills", {}, "answered", "success"],
];
/** They answer with files, which JSON would make hard to read. */
const TEXT_ONLY: readonly (readonly [string, Record<string, unknown>])[] = [
  ["skill", { name: "pdf" }],
  ["skill", { name: "nothing" }],
  ["read_skill_file", { skill: "pdf", path: "notes.md" }],
  ["read_skill_file", { skill: "pdf", path: "nothing" }],
];

function open(era: (typeof ERAS)[number], clientName = "test") {
  const sandbox = createSandbox(DISK_FOLDER);
  fill(sandbox);
  const env = { SKILLS_DIR: sandbox.path("library") };
  return connect(sandbox, { era, clientName, args: ["mcp", "--tools", "all"], env });
}

test.each(ERAS)("every answer with data fits the schema of its tool, protocol %s", async (era) => {
  const { client } = await open(era);
  const { tools } = await client.listTools();
  const schemas = new Map(tools.map((tool) => [tool.name, tool.outputSchema as Schema | undefined]));
  expect([...schemas].filter(([, schema]) => schema?.type !== "object").map(([name]) => name)).toEqual([
    "skill",
    "read_skill_file",
  ]);
  expect([...new Set([...CALLS, ...TEXT_ONLY].map(([name]) => name))].sort()).toEqual(
    [...schemas.keys()].sort(),
  );
  for (const [name, args, outcome, field] of CALLS) {
    // The client itself checks what is answered against the schema, and throws.
    const result = await client.callTool({ name, arguments: args });
    const where = `${name} ${JSON.stringify(args)}`;
    expect([result.isError === true ? "refused" : "answered", where]).toEqual([outcome, where]);
    expect(Object.keys(result.structuredContent as object), where).toContain(field);
    if (name.startsWith("skills.")) expect(result.structuredContent).not.toHaveProperty("message");
    expect(unspoken(result.structuredContent, schemas.get(name), name)).toEqual([]);
  }
});

function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_]+/gu) ?? [];
}

describe.each(["claude-code", "codex-mcp-client"])(
  "for %s, which shows a model data instead of text",
  (name) => {
    test.each(ERAS)("the data of every tool says all that its text says, protocol %s", async (era) => {
      const { client } = await open(era, name);
      const { tools } = await client.listTools();
      const schemas = new Map(tools.map((tool) => [tool.name, tool.outputSchema as Schema | undefined]));
      for (const [tool, args] of [...CALLS, ...TEXT_ONLY]) {
        const result = await client.callTool({ name: tool, arguments: args });
        const where = `${tool} ${JSON.stringify(args)}`;
        const isTextOnly = TEXT_ONLY.some(([each]) => each === tool);
        expect([where, result.structuredContent === undefined]).toEqual([where, isTextOnly]);
        if (isTextOnly) continue;
        const data = new Set(wordsOf(JSON.stringify(result.structuredContent)));
        const text = (result.content as readonly { readonly text: string }[]).map((part) => part.text);
        const missing = wordsOf(text.join("\n")).filter((word) => !data.has(word));
        expect([where, missing]).toEqual([where, []]);
        expect(unspoken(result.structuredContent, schemas.get(tool), tool)).toEqual([]);
      }
    });
  },
);
