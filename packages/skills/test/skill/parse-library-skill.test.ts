import { describe, expect, test } from "vitest";
import { parseLibrarySkill } from "../../src/skill/parse-library-skill.ts";

const text = (frontMatter: string, body = "Body.\n"): string => `---\n${frontMatter}\n---\n${body}`;

function read(frontMatter: string) {
  const result = parseLibrarySkill(text(frontMatter));
  if (!result.ok) throw new Error(result.problem.message);
  return result.skill;
}

function refused(frontMatter: string) {
  const result = parseLibrarySkill(text(frontMatter));
  if (result.ok) throw new Error("It was read.");
  return result.problem;
}

describe("seed 004 §4.2: front matter", () => {
  test("the defaults are filled in", () => {
    const { frontMatter } = read(
      "keywords: [react]\ndescription: About React\nassets:\n  - file: a.txt\nscripts:\n  - file: b.sh\n    args:\n      - name: title",
    );
    expect(frontMatter).toEqual({
      keywords: ["react"],
      description: "About React",
      inherit: true,
      priority: 0,
      assets: [{ file: "a.txt", description: "", type: "other" }],
      scripts: [
        {
          file: "b.sh",
          description: "",
          execution: "claude",
          args: [{ name: "title", description: "", required: true }],
        },
      ],
    });
  });

  test("values in the front matter count before defaults", () => {
    const { frontMatter, warnings } = read(
      [
        "keywords: [react, auth]",
        "description: Login",
        "inherit: false",
        "priority: 7",
        "assets:",
        "  - { file: assets/x.png, description: A picture, type: image }",
        "scripts:",
        "  - file: scripts/run.sh",
        "    execution: server",
        "    args: [{ name: who, description: Whom, required: false }]",
      ].join("\n"),
    );
    expect(warnings).toEqual([]);
    expect(frontMatter).toMatchObject({
      inherit: false,
      priority: 7,
      assets: [{ file: "assets/x.png", description: "A picture", type: "image" }],
      scripts: [{ execution: "server", args: [{ name: "who", description: "Whom", required: false }] }],
    });
  });

  test.each([
    ["100", 100, 0],
    ["-100", -100, 0],
    ["101", 100, 1],
    ["1e300", 100, 1],
    [".inf", 0, 1],
    [".nan", 0, 1],
    ["-100.5", -100, 1],
  ])("unbounded priority: %s counts as %d", (written, counted, warnings) => {
    const parsed = parseLibrarySkill(`---\nkeywords: [a]\ndescription: x\npriority: ${written}\n---\n`);
    expect(parsed).toMatchObject({ ok: true, skill: { frontMatter: { priority: counted } } });
    expect(parsed.ok && parsed.skill.warnings).toHaveLength(warnings);
  });

  test.each([
    ["description: x", "missing-keywords"],
    ["keywords: []\ndescription: x", "missing-keywords"],
    ["keywords: react\ndescription: x", "missing-keywords"],
    ["keywords: {a: b}\ndescription: x", "missing-keywords"],
    ["keywords: [null, '', {a: b}]\ndescription: x", "missing-keywords"],
    ["keywords: [a]", "missing-description"],
    ["keywords: [a]\ndescription: ''", "missing-description"],
    ["keywords: [a]\ndescription: [b]", "front-matter-unreadable"],
    ["keywords: [a\ndescription: b", "missing-keywords"],
  ])("%j is refused as %s", (frontMatter, code) => {
    expect(refused(frontMatter).code).toBe(code);
  });

  const NO_LIST = "In a library, `keywords` must be a list";
  const NEVER_CLOSED = "`keywords` opens a list or a map and never closes it";
  const ALIAS = "`keywords` contains an alias (`*name`), and aliases are not supported";
  const UNREADABLE = `${NO_LIST} that YAML can parse`;
  test.each([
    ["keywords: react", 2, `${NO_LIST}. Write \`keywords: [react]\`.`],
    ["keywords: react, c++", 2, `${NO_LIST}. Write \`keywords: [react, c++]\`.`],
    ["keywords: 7", 2, `${NO_LIST}. Write \`keywords: [7]\`.`],
    ["keywords: true", 2, `${NO_LIST}. Write \`keywords: [true]\`.`],
    ["keywords: {a: 1}", 2, `${NO_LIST}, not a map. Write`],
    ["priority: 1\nkeywords:\n  a: 1", 3, `${NO_LIST}, not a map`],
    ["keywords: [unclosed", 2, NEVER_CLOSED],
    ["priority: 1\nkeywords: [a,\n  b", 3, NEVER_CLOSED],
    ["keywords: {a: 1", 2, NEVER_CLOSED],
    ["x: &e [a]\nkeywords: *e", 3, ALIAS],
    ["x: &e a\nkeywords: [b, *e]", 3, ALIAS],
    ["keywords: '*e'", 2, UNREADABLE],
    ["keywords: '[a, b]'", 2, UNREADABLE],
    ["keywords: [a, @b]", 2, UNREADABLE],
    ["keywords: []", 2, "`keywords` is empty"],
    ["keywords:", 2, "`keywords` is empty"],
    ["keywords: ''", 2, "`keywords` is empty"],
    ["keywords: ' '", 2, "`keywords` is empty"],
    ["keywords: ~", 2, "`keywords` is empty"],
    ["keywords: [null, '']", 2, "`keywords` is empty"],
    ["priority: 1", undefined, "`keywords` is missing"],
  ])("%j is refused with its line and the exact reason", (written, line, message) => {
    const problem = refused(`${written}\ndescription: x`);
    expect([problem.line, problem.message.slice(0, message.length)]).toEqual([line, message]);
  });

  test("the keywords that a message proposes are readable", () => {
    for (const written of ["react, c++", "7", "'*e'", "{a: 1}", "[a, @b]", "[a"]) {
      const { message } = refused(`keywords: ${written}\ndescription: x`);
      const proposed = /`(keywords: \[.*\])`/.exec(message)?.[1] ?? "";
      expect(read(`${proposed}\ndescription: x`).warnings).toEqual([]);
    }
  });

  test("a SKILL.md in a library is told where it belongs", () => {
    expect(refused("name: pdf\ndescription: x").message).toContain("--skill-dir");
  });

  test("a file without front matter is refused", () => {
    expect(parseLibrarySkill("# Just text\n")).toMatchObject({
      ok: false,
      problem: {
        code: "no-front-matter",
        line: 1,
        message: expect.stringContaining("not a library skill") as string,
      },
    });
  });

  test("front matter in another language is refused for that reason", () => {
    expect(parseLibrarySkill("---js\nx\n---\n")).toMatchObject({
      ok: false,
      problem: { code: "front-matter-language", message: expect.stringContaining('"js"') as string },
    });
  });

  test("a description that is a list or never ends is refused with its line", () => {
    for (const written of ["[b]", "[b"])
      expect(refused(`keywords: [a]\ndescription: ${written}`)).toMatchObject({
        code: "front-matter-unreadable",
        line: 3,
      });
  });

  test("front matter that is too long is refused", () => {
    expect(refused(`keywords: [\n${"  x,\n".repeat(2_000)}]\ndescription: x`).code).toBe(
      "front-matter-too-long",
    );
  });

  test("a good skill is read when strict, and fields that make no sense are no reason to refuse it", () => {
    for (const line of ["", "\ninherit: sometimes"])
      expect(parseLibrarySkill(text(`keywords: [a]\ndescription: x${line}`), { strict: true }).ok).toBe(true);
  });
});

describe("keywords as people write them", () => {
  test.each([
    ["[2024, 1.5, true]", ["2024", "1.5", "true"]],
    ["[[react, [login]], auth]", ["react", "login", "auth"]],
    ["[' spaced ', ok]", ["spaced", "ok"]],
  ])("%s is %j", (written, keywords) => {
    expect(read(`keywords: ${written}\ndescription: x`).frontMatter.keywords).toEqual(keywords);
  });

  test("ten thousand of them are read", () => {
    const many = Array.from({ length: 10_000 }, (_, index) => index.toString(36));
    expect(read(`keywords: [${many.join(", ")}]\ndescription: x`).frontMatter.keywords).toHaveLength(10_000);
  });

  test("words that are none are left out with a warning", () => {
    const { frontMatter, warnings } = read("keywords: [a, null, {b: c}]\ndescription: x");
    expect(frontMatter.keywords).toEqual(["a"]);
    expect(warnings).toMatchObject([{ code: "library-field" }]);
  });
});

describe("fields that make no sense keep the skill and are named", () => {
  test.each([
    ["inherit: sometimes", "`inherit`"],
    ["priority: high", "`priority`"],
    ["priority: .inf", "`priority`"],
    ["assets: a.txt", "`assets`"],
    ["assets: [{description: no file}]", "`assets[0]`"],
    ["scripts: [{file: a.sh, execution: anywhere}]", "`scripts[0].execution`"],
    ["scripts: [{file: a.sh, args: [{required: true}]}]", "`scripts[0].args[0]`"],
    [
      "scripts: [{file: a.sh, args: [{name: r, required: no}]}]",
      "`scripts[0].args[0].required` must be true or false; 'no' is treated as true.",
    ],
    ['scripts: [{file: a.sh, args: [{name: r, required: "false"}]}]', "'false' is treated as true."],
    ["scripts: [{file: a.sh, args: [{name: r, required: 0}]}]", "'0' is treated as true."],
    ["scripts: [{file: a.sh, args: [{name: r, required: []}]}]", "a list or a map is treated as true."],
    ["scripts: [{file: a.sh, args: [{name: r, description: {x: 1}}]}]", "`scripts[0].args[0].description`"],
    ["scripts: [{file: a.sh, description: [a]}]", "`scripts[0].description`"],
    [
      "assets: [{file: a.txt, description: [a, b]}]",
      "`assets[0].description` must be text; a list or a map is ignored.",
    ],
    [
      "assets: [{file: a.txt, type: {x: 1}}]",
      "`assets[0].type` must be text; a list or a map is treated as other.",
    ],
  ])("%s", (line, named) => {
    const { frontMatter, warnings } = read(`keywords: [a]\ndescription: x\n${line}`);
    expect(frontMatter).toMatchObject({ inherit: true, priority: 0 });
    expect(warnings.map((warning) => warning.message).join("\n")).toContain(named);
  });

  test("fields that are empty are not there, which is worth no word", () => {
    const { frontMatter, warnings } = read(
      "keywords: [a]\ndescription: x\nassets: [{file: a.txt, description: , type: }]\nscripts: [{file: a.sh, args: [{name: r, required: }]}]",
    );
    expect(warnings).toEqual([]);
    expect(frontMatter).toMatchObject({
      assets: [{ description: "", type: "other" }],
      scripts: [{ args: [{ required: true }] }],
    });
  });

  test("a path alone is a declaration", () => {
    expect(read("keywords: [a]\ndescription: x\nassets: [assets/x.txt]").frontMatter.assets).toEqual([
      { file: "assets/x.txt", description: "", type: "other" },
    ]);
  });

  test("broken YAML that a person can read is recovered, and refused when strict", () => {
    const broken = text("keywords: [a]\ndescription: Use when: always");
    expect(parseLibrarySkill(broken)).toMatchObject({
      ok: true,
      skill: {
        frontMatter: { description: "Use when: always" },
        warnings: [{ code: "front-matter-recovered" }],
      },
    });
    expect(parseLibrarySkill(broken, { strict: true }).ok).toBe(false);
  });
});
