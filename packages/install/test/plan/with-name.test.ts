import { describe, expect, test } from "vitest";
import { withName } from "../../src/plan/with-name.ts";

const named = (text: string): string => {
  const file = { bytes: Buffer.from(text), isExecutable: false };
  return (
    withName(new Map([["SKILL.md", file]]), "SKILL.md", "b-review")
      .get("SKILL.md")
      ?.bytes.toString() ?? ""
  );
};

describe("a skill gets another name, and nothing else changes", () => {
  test.each<[string, string, string]>([
    [
      "a plain name",
      "---\nname: review\ndescription: d\n---\nname: x\n",
      "---\nname: b-review\ndescription: d\n---\nname: x\n",
    ],
    [
      "a quoted name",
      '---\ndescription: d\nname: "review"\n---\n',
      "---\ndescription: d\nname: b-review\n---\n",
    ],
    [
      "CRLF",
      "---\r\nname: review\r\ndescription: d\r\n---\r\n",
      "---\r\nname: b-review\r\ndescription: d\r\n---\r\n",
    ],
    [
      "a byte order mark",
      "\ufeff---\nname: review\ndescription: d\n---\n",
      "\ufeff---\nname: b-review\ndescription: d\n---\n",
    ],
    [
      "a name on the next line",
      "---\nname: >-\n  review\ndescription: d\n---\n",
      "---\nname: b-review\ndescription: d\n---\n",
    ],
    [
      "a comment below it",
      "---\nname: review\n# why\ndescription: d\n---\n",
      "---\nname: b-review\n# why\ndescription: d\n---\n",
    ],
    [
      "a colon in the description",
      "---\nname: review\ndescription: Use: it\n---\n",
      "---\nname: b-review\ndescription: Use: it\n---\n",
    ],
  ])("%s", (_what, before, after) => {
    expect(named(before)).toBe(after);
  });

  test.each([["no front matter\n"], ["---\ndescription: d\n---\n"]])("%j stays as it is", (text) => {
    expect(named(text)).toBe(text);
  });
});
