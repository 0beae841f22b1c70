import { describe, expect, test } from "vitest";
import { findFileLinks } from "../../src/rules/links.ts";

describe("these are links to files", () => {
  test.each<[string, string | undefined]>([
    ["See [it](references/a.md).", "references/a.md"],
    ["[it](./a.md)", "a.md"],
    ["[it](a.md#part)", "a.md"],
    ['[it](a.md "Title")', "a.md"],
    ["[it](<a b.md>)", "a b.md"],
    ["[it](a%20b.md)", "a b.md"],
    ["![picture](assets/x.png)", "assets/x.png"],
    ["[it](scripts/)", "scripts"],
    ["[it]: references/a.md", "references/a.md"],
    ["[it]: <a b.md>", "a b.md"],
    ["[it](100%.md)", "100%.md"],
    ["[it](a.md?plain=1)", "a.md"],
    ["`code` and [it](a.md)", "a.md"],
    ["[it](a/../b.md)", "b.md"],
    ["[it](../other/SKILL.md)", undefined],
    ["[it](..)", undefined],
    ["[it](../)", undefined],
    ["[it](..other.md)", "..other.md"],
  ])("%s", (text, path) => {
    expect(findFileLinks(`first\n${text}\n`)).toEqual([
      { target: expect.any(String) as string, path, line: 2 },
    ]);
  });
});

describe("these are not", () => {
  test.each([
    "[it](https://example.com/a.md)",
    "[it](mailto:a@b.c)",
    "[it](#part)",
    "[it](/absolute)",
    "[it](~/a.md)",
    "[it]({path})",
    "[it](${CLAUDE_SKILL_DIR}/a.md)",
    "[it](...)",
    "`[it](a.md)`",
    "```md\n[it](a.md)\n```",
    "~~~~\n```\n[it](a.md)\n~~~~",
    "````\n```\n[it](a.md)\n````",
    "```\n``` js\n[it](a.md)\n```",
    "```\nx\n```\n```\n[it](a.md)\n```",
    "[it] (a.md)",
  ])("%s", (text) => {
    expect(findFileLinks(text)).toEqual([]);
  });
});

test.each(["```", "  ```  ", "`````"])("a link after code that %j closes is one, on its own line", (end) => {
  const text = `\`\`\`\n[no](b.md)\n${end}\n[it](a.md)\n`;
  expect(findFileLinks(text)).toEqual([{ target: "a.md", path: "a.md", line: 4 }]);
});

test("every link of a line is found", () => {
  const text = "[a](a.md) and [b](b.md)\n\n[c]: c.md";
  expect(findFileLinks(text).map(({ path, line }) => [path, line])).toEqual([
    ["a.md", 1],
    ["b.md", 1],
    ["c.md", 3],
  ]);
});

test("a long hostile text has the links that it has", () => {
  const text = `${"[".repeat(500_000)}\n${"[a](".repeat(200_000)}\nx${"`".repeat(200_001)}a${"`".repeat(200_000)}`;
  expect(findFileLinks(`${text}\n[it](a.md)`)).toEqual([{ target: "a.md", path: "a.md", line: 4 }]);
});
