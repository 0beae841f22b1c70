import { expect, test } from "vitest";
import { connect, ERAS } from "../support/client.ts";
import { createSandbox } from "../support/sandbox.ts";

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

test.each(ERAS)("every answer with data fits the schema of its tool, protocol %s", async (era) => {
  const sandbox = createSandbox();
  sandbox.skill("project/.claude/skills/pdf", { description: "Fills PDF forms." });
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
  const { client } = await connect(sandbox, {
    era,
    args: ["mcp", "--tools", "all"],
    env: { SKILLS_DIR: sandbox.path("library") },
  });
  const { tools } = await client.listTools();
  const schemas = new Map(tools.map((tool) => [tool.name, tool.outputSchema as Schema | undefined]));
  expect([...schemas].filter(([, schema]) => schema?.type !== "object").map(([name]) => name)).toEqual([
    "skill",
    "read_skill_file",
  ]);

  const auth = { skill_path: "ui/auth" };
  const script = { skill_path: "ui/_index", file: "hi.sh" };
  const calls: readonly (readonly [string, Record<string, unknown>, "answered" | "refused", string])[] = [
    ["skills.list", {}, "answered", "skills"],
    ["skills.list", { includeBody: true }, "answered", "skills"],
    ["skills.search", { query: "forms" }, "answered", "results"],
    ["find_skills", { task: "fill a form" }, "answered", "verdict"],
    ["find_skills", { task: "qqqq" }, "answered", "verdict"],
    ["get_skill", { context: "", ...auth }, "answered", "content"],
    ["get_skill", { context: "auth" }, "answered", "candidates"],
    ["get_skill", { context: "fill PDF" }, "answered", "suggestions"],
    ["get_skill", { context: "", skill_path: "nothing" }, "refused", "error"],
    ["list_skills", {}, "answered", "tree"],
    ["list_skills", { path: "nothing" }, "refused", "error"],
    ["get_asset", { ...auth, file: "form.html" }, "answered", "content"],
    ["get_asset", { ...auth, file: "../x" }, "refused", "error"],
    ["run_script", { ...script, args: { who: "you" } }, "answered", "stdout"],
    ["run_script", { ...script, args: {} }, "refused", "error"],
    ["report_usage", { ...auth, useful: true }, "answered", "recorded"],
    ["refresh_skills", {}, "answered", "success"],
  ];
  for (const [name, args, outcome, field] of calls) {
    // The client itself checks what is answered against the schema, and throws.
    const result = await client.callTool({ name, arguments: args });
    const where = `${name} ${JSON.stringify(args)}`;
    expect([result.isError === true ? "refused" : "answered", where]).toEqual([outcome, where]);
    expect(Object.keys(result.structuredContent as object), where).toContain(field);
    expect(unspoken(result.structuredContent, schemas.get(name), name)).toEqual([]);
  }
});
