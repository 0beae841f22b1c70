import { describe, expect, test } from "vitest";
import { connect, describedSkills, ERAS, loadSkill, namesIn } from "../support/client.ts";
import { createSandbox } from "../support/sandbox.ts";

describe.each(ERAS)("the skill tool over stdio, protocol %s", (era) => {
  test("lists every skill and loads one byte for byte", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf", {
      body: "# PDF\r\n\tTabs, é, 用户, \u{1F600}\n\n```js\nlet x = 1;\n```\n",
    });
    const connection = await connect(sandbox, { era });
    const description = await describedSkills(connection);
    expect(namesIn(description)).toEqual(["pdf"]);
    const { text } = await loadSkill(connection, "PDF");
    expect(text).toContain("Loading: pdf");
  });
});
