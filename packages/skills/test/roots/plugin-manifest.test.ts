import { describe, expect, test } from "vitest";
import { planPluginFolders } from "#agents";
import { parseManifest } from "../../src/roots/plugin-folders.ts";

const PLAN = planPluginFolders({ cwd: "/shop", projects: ["/shop"], home: "/h", moved: {} });
const layoutOf = (wanted: string) => {
  const found = PLAN.find(({ provider }) => provider === wanted);
  if (found === undefined) throw new Error(wanted);
  return found.layout;
};

describe("manifest of a plugin", () => {
  const SCHEMA = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json";

  test.each<[string, string, unknown, object]>([
    ["copilot", "its name", { name: "p" }, { name: "p", skills: ["skills"] }],
    ["copilot", "no name", {}, { skills: ["skills"] }],
    ["copilot", "another folder", { skills: "./more" }, { skills: ["./more"] }],
    ["codex", "several folders", { skills: ["./a", "b/c/"] }, { skills: ["./a", "b/c/"] }],
    ["codex", "the plugin itself", { skills: "./" }, { skills: ["./"] }],
    ["gemini", "folders, which only others may name", { skills: "./more" }, { skills: ["skills"] }],
    ["agents", "an Agent Plugin", { $schema: SCHEMA, name: "a.b-c" }, { name: "a.b-c", skills: ["skills"] }],
    [
      "agents",
      "folders, which are fixed",
      { $schema: SCHEMA, name: "a", skills: "x" },
      { skills: ["skills"] },
    ],
  ])("of %s with %s", (provider, _case, value, manifest) => {
    const parsed = parseManifest(value, layoutOf(provider));
    expect(parsed).toMatchObject(manifest);
    expect(parsed.problem).toBeUndefined();
  });

  test.each<[string, unknown, RegExp]>([
    ["codex", [], /not a JSON object/],
    ["codex", null, /not a JSON object/],
    ["codex", { skills: "../elsewhere" }, /`skills`/],
    ["codex", { skills: "/etc" }, /`skills`/],
    ["codex", { skills: ["ok", 7] }, /`skills`/],
    ["copilot", { skills: "a\0b" }, /`skills`/],
    ["copilot", { skills: {} }, /`skills`/],
    ["agents", { name: "a" }, /`\$schema`/],
    ["agents", { $schema: SCHEMA.replace("1.0.0", "2.0.0"), name: "a" }, /`\$schema`/],
    ["agents", { $schema: SCHEMA }, /`name`/],
    ["agents", { $schema: SCHEMA, name: "A" }, /`name`/],
    ["agents", { $schema: SCHEMA, name: "a--b" }, /`name`/],
    ["agents", { $schema: SCHEMA, name: "-a" }, /`name`/],
    ["agents", { $schema: SCHEMA, name: "a".repeat(65) }, /`name`/],
  ])("of %s that is %j is refused", (provider, value, reason) => {
    expect(parseManifest(value, layoutOf(provider)).problem).toMatch(reason);
  });
});
