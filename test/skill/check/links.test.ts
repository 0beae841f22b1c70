import { describe, expect, test } from "vitest";
import { findFileLinks } from "../../../src/skill/check/links.ts";

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
    ["[it](a/../b.md)", "b.md"],
    ["[it](../other/SKILL.md)", undefined],
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
    "[it] (a.md)",
  ])("%s", (text) => {
    expect(findFileLinks(text)).toEqual([]);
  });
});

test("a hostile text takes no time", () => {
  const began = performance.now();
  findFileLinks(
    `${"[".repeat(50_000)}\n${"[a](".repeat(20_000)}\n${"`".repeat(20_001)}a${"`".repeat(20_000)}`,
  );
  expect(performance.now() - began).toBeLessThan(2_000);
});
