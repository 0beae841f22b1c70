import { describe, expect, test } from "vitest";
import { page, SAMPLE, serveLibraryInProcess as serveLibrary, shareLibrary } from "../support/library.ts";
import { createSandbox } from "../support/sandbox.ts";
import { waitUntil } from "../support/wait-until.ts";

interface Node {
  readonly name: string;
  readonly path: string;
  readonly children: readonly Node[];
}

/** `path → path of its parent`, for every node of a tree. */
function parentsIn(node: Node): Record<string, string> {
  return Object.assign(
    {},
    ...node.children.map((child) => ({ [child.path]: node.path, ...parentsIn(child) })),
  ) as Record<string, string>;
}

describe("seed 004 §4.1: file discovery", () => {
  const server = shareLibrary({
    ...SAMPLE,
    "ui/notes.txt": "not Markdown",
    "ui/deep/er/still/page.md": page("deep", "Far below"),
    "ui/react/auth/assets/NOTES.md": page("notes", "A resource, not a skill"),
    "ui/react/auth/README.md": page("readme", "A resource too"),
    ".git/HEAD.md": page("git", "Not a skill"),
    "node_modules/x/readme.md": page("npm", "Not a skill"),
  });

  test("finds every .md at any depth, and nothing else", async () => {
    const { tree } = (await server().call("list_skills")) as unknown as { tree: Node };
    expect(Object.keys(parentsIn(tree)).sort()).toEqual([
      "api/auth",
      "no-inherit",
      "ui/_index",
      "ui/deep/er/still/page",
      "ui/react/_index",
      "ui/react/auth",
    ]);
  });

  test("L4: a .md file inside a resource directory is not a skill, and no keyword of it leads anywhere", async () => {
    expect(await server().call("get_skill", { context: "notes readme" })).toMatchObject({ no_match: true });
    const missing = await server().call("get_skill", { skill_path: "ui/react/auth/assets/NOTES" });
    expect(missing.message).toContain('Skill not found: "ui/react/auth/assets/NOTES"');
  });
});

describe("seed 004 §4.2: front matter", () => {
  const PROBLEMS: Readonly<Record<string, readonly [text: string, reason: RegExp]>> = {
    "no-front-matter.md": ["# Just text\n", /front matter/],
    "no-keywords.md": ["---\ndescription: d\n---\n", /`keywords` is missing/],
    "empty-keywords.md": ["---\nkeywords: []\ndescription: d\n---\n", /`keywords` is empty/],
    "string-keywords.md": ["---\nkeywords: react\ndescription: d\n---\n", /`keywords` must be a list/],
    "no-description.md": ["---\nkeywords: [a]\n---\n", /description/],
    "empty-description.md": ['---\nkeywords: [a]\ndescription: ""\n---\n', /description/],
    "broken-yaml.md": ["---\nkeywords: [a\ndescription: [b\n---\n", /./],
    "engine.md": ["---js\nprocess.exit(1)\n---\n", /./],
  };
  const server = shareLibrary({
    "good.md": page("good", "A good one"),
    ...Object.fromEntries(Object.entries(PROBLEMS).map(([file, [text]]) => [file, text])),
  });

  test.each(Object.entries(PROBLEMS))(
    "%s is skipped with a warning on stderr that names the file and the reason",
    async (file, [, reason]) => {
      await waitUntil("the first look", () => server().log().includes("ready:"));
      const line = server()
        .log()
        .split("\n")
        .filter((each) => each.includes(`${server().dir}/${file}`));
      expect(line).toHaveLength(1);
      expect(line[0]).toContain("skipped: ");
      expect(line[0]).toMatch(reason);
    },
  );

  test("the other skills are unaffected", async () => {
    expect(await server().call("get_skill", { context: "good" })).toMatchObject({ skill_path: "good" });
  });

  test("keywords are coerced to strings", async () => {
    const { call } = await serveLibrary(createSandbox(), {
      "mixed.md": page("2025, true, 1.5, [nested, [deeper]], Word", "d"),
    });
    const { tree } = (await call("list_skills")) as unknown as { tree: { children: unknown[] } };
    expect(tree.children).toMatchObject([{ keywords: ["2025", "true", "1.5", "nested", "deeper", "Word"] }]);
  });
});

describe("seed 004 §4.2: defaults applied during parsing", () => {
  const declared =
    "assets:\n  - file: a.txt\nscripts:\n  - file: s.sh\n    args:\n      - name: one\n  - file: plain.sh";
  const server = shareLibrary({
    "_root.md": page("everything", "The root", "", "Root text.\n"),
    "bare.md": page("bare", "Nothing set"),
    "bare-files.md": page("files", "Files with nothing set", declared),
    "bare-files/a.txt": "a",
    "bare-files/s.sh": "",
    "bare-files/plain.sh": "",
    "tie-a.md": page("tie", "Priority 0 by default"),
    "tie-b.md": page("tie", "Priority 0 as written", "priority: 0"),
  });
  const get = (context: string) => server().call("get_skill", { context });

  test("inherit is true unless explicitly false", async () => {
    expect((await get("bare"))["content"]).toContain("=== GLOBAL RULES (from _root.md) ===\n\nRoot text.");
  });
  test("priority is 0", async () => {
    expect(await get("tie")).toMatchObject({ candidates: [{ score: 1 }, { score: 1 }] });
  });
  test("assets and scripts are []", async () => {
    expect(await get("bare")).toMatchObject({ assets: [], scripts: [] });
  });
  test('type is "other"', async () => {
    expect((await get("files"))["assets"]).toEqual([
      { file: "a.txt", description: "", type: "other", content: "a" },
    ]);
  });
  test('execution is "claude", args are [] and required is true', async () => {
    expect((await get("files"))["scripts"]).toEqual([
      {
        file: "s.sh",
        description: "",
        execution: "claude",
        args: [{ name: "one", description: "", required: true }],
      },
      { file: "plain.sh", description: "", execution: "claude", args: [] },
    ]);
  });
});

describe("seed 004 §4.3, §4.4: skill paths and parents", () => {
  const server = shareLibrary(SAMPLE);
  const TABLE = [
    ["_root.md", "_root", []],
    ["ui/_index.md", "ui/_index", ["_root"]],
    ["ui/react/_index.md", "ui/react/_index", ["_root", "ui/_index"]],
    ["ui/react/auth.md", "ui/react/auth", ["_root", "ui/_index", "ui/react/_index"]],
  ] as const;

  test.each(TABLE)("%s → %s, below %j", async (file, skillPath, parents) => {
    const answer = await server().call("get_skill", { skill_path: skillPath });
    expect(answer["skill_path"]).toBe(skillPath);
    const headers = String(answer["content"]).match(/(?<=\(from )[^)]+/g);
    expect(headers).toEqual([...parents.map((each) => `${each}.md`), file]);
  });

  test("no-inherit.md → no-inherit, below _root", async () => {
    const { tree } = (await server().call("list_skills")) as unknown as { tree: Node };
    expect(parentsIn(tree)).toEqual({
      "api/auth": "_root",
      "no-inherit": "_root",
      "ui/_index": "_root",
      "ui/react/_index": "ui/_index",
      "ui/react/auth": "ui/react/_index",
    });
  });

  test("L5: missing intermediate parents, the nearest that exists stands in, whatever the order of the files", async () => {
    const { call } = await serveLibrary(createSandbox(), {
      "a/b/c/leaf.md": page("leaf", "Deep"),
      "a/_index.md": page("first", "Only this one"),
      "a/2fa.md": page("twofactor", "Sorts before its index"),
      "x/y/orphan.md": page("orphan", "Nothing above it"),
    });
    const { tree } = (await call("list_skills")) as unknown as { tree: Node };
    expect(parentsIn(tree)).toEqual({
      "a/_index": "_root",
      "a/2fa": "a/_index",
      "a/b/c/leaf": "a/_index",
      "x/y/orphan": "_root",
    });
    const { content } = (await call("get_skill", { context: "orphan" })) as { content?: string };
    expect(content).toBe("=== X > Y > ORPHAN (from x/y/orphan.md) ===\n\nText.");
  });
});

describe("seed 004 §4.5: resource directories", () => {
  const ROWS = [
    ["ui/react/auth.md", "ui/react/auth/"],
    ["ui/_index.md", "ui/_index/"],
    ["_root.md", "_root/"],
  ] as const;
  const server = shareLibrary({
    ...Object.fromEntries(
      ROWS.map(([file]) => [file, page("word", "With an asset", "assets:\n  - file: a.txt")]),
    ),
    ...Object.fromEntries(ROWS.map(([, folder]) => [`${folder}a.txt`, `from ${folder}`])),
    "lone.md": page(
      "lone",
      "Declares in vain",
      "inherit: false\nassets:\n  - file: a.txt\nscripts:\n  - file: s.sh\n    execution: server",
    ),
  });

  test.each(ROWS)("%s → %s", async (file, folder) => {
    const asset = { skill_path: file.replace(/\.md$/, ""), file: "a.txt" };
    expect(await server().call("get_asset", asset)).toMatchObject({ content: `from ${folder}` });
  });

  test("without the directory the skill is still valid and has no assets", async () => {
    expect(await server().call("get_skill", { context: "lone" })).toMatchObject({
      skill_path: "lone",
      assets: [],
      scripts: [],
    });
    expect((await server().call("get_asset", { skill_path: "lone", file: "a.txt" })).error).toBe(true);
  });
});
