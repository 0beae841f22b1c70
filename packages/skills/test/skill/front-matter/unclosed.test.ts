import { describe, expect, test } from "vitest";
import { findEndBeforeBody, findUnclosedEnd } from "../../../src/skill/front-matter/explain.ts";

const BOTH = "name: a\ndescription: b";

/** The front matter and the body that a text is divided into. */
const divide = (text: string, find = findUnclosedEnd) => {
  const found = find(text);
  return found && [text.slice(0, found.end), text.slice(found.bodyStart)];
};

describe("front matter that is never closed", () => {
  test.each<[string, string, string, string]>([
    ["ends at a heading", `${BOTH}\n# B\ntext`, BOTH, "# B\ntext"],
    ["ends before the blank lines above a heading", `${BOTH}\n\n \n# B`, BOTH, "# B"],
    ["ends at a code fence", `${BOTH}\n\`\`\`\nx`, BOTH, "```\nx"],
    ["ends at a code fence of tildes", `${BOTH}\n~~~\nx`, BOTH, "~~~\nx"],
    ["ends at an indented rule, which is not part of the body", `${BOTH}\n ---\n# B`, BOTH, "# B"],
    ["ends at a rule of many dashes", `${BOTH}\n-----\nB`, BOTH, "B"],
    ["ends with the text", `${BOTH}\n\n`, BOTH, ""],
    ["may begin with a comment", `# c\n${BOTH}`, `# c\n${BOTH}`, ""],
    [
      "may have a comment between its fields",
      "name: a\n# c\ndescription: b",
      "name: a\n# c\ndescription: b",
      "",
    ],
    ["may have a value that goes on", "name: a\n  b\ndescription: c", "name: a\n  b\ndescription: c", ""],
    ["may have text at the margin", `${BOTH}\nmore\n# B`, `${BOTH}\nmore`, "# B"],
  ])("%s", (_what, text, frontMatter, body) => {
    expect(divide(text)).toEqual([frontMatter, body]);
  });

  test.each([
    ["nothing", ""],
    ["no description", "name: a\nlicense: c"],
    ["no name", "description: b\nlicense: c"],
    ["a name that is indented", "license: c\n  name: a\ndescription: b"],
    ["text on its first line", `text\n${BOTH}`],
    ["a first field that is indented by one space", ` license: c\n${BOTH}`],
    ["a title before the description", "name: a\n\n# T\ndescription: b"],
    ["a title below a line of blanks", "name: a\n  \n# T\ndescription: b"],
    ["a code fence before the description", "name: a\n```\ndescription: b"],
    ["a rule before the description", "name: a\n ---\ndescription: b"],
  ])("is not found with %s", (_what, text) => {
    expect(divide(text)).toBeUndefined();
  });
});

describe("a closing line that is a rule in the body", () => {
  test.each([
    ["text below a heading", `${BOTH}\n# B\nText.`, "# B\nText."],
    ["a list below a heading", `${BOTH}\n# B\n- one: two`, "# B\n- one: two"],
    ["an indented field below a heading", `${BOTH}\n# B\n  note: c`, "# B\n  note: c"],
    ["a code fence", `${BOTH}\n\`\`\`\nx`, "```\nx"],
  ])("is one after %s", (_what, block, body) => {
    expect(divide(block, findEndBeforeBody)).toEqual([BOTH, body]);
  });

  test.each([
    ["fields alone", BOTH],
    ["a heading alone", `${BOTH}\n# B`],
    ["headings and lines of blanks", `${BOTH}\n# B\n  \n\n## C\n`],
    ["a field below the text", `${BOTH}\n# B\nText.\nlicense: c`],
    ["a name alone", "name: a\n# B\nText."],
  ])("is none after %s", (_what, block) => {
    expect(divide(block, findEndBeforeBody)).toBeUndefined();
  });
});
