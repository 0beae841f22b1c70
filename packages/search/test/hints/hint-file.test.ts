import { expect, test } from "vitest";
import { createIndexBuilder, EMPTY_INDEX } from "../../src/engine/index/search-index.ts";
import { searchIndex } from "../../src/engine/rank/rank-skills.ts";
import { runToEnd } from "../../src/engine/steps.ts";
import { formatHints, type HintHead, parseHints } from "../../src/hints/hint-file.ts";

const HEAD: HintHead = {
  settings: [["/home/.skills-mcp/disabled.json", null]],
  places: [["/home/.claude/skills", 12]],
  hasProjectFile: false,
  history: true,
  synonyms: [["paper", ["pdf"]]],
};

function written(skills: Parameters<typeof formatHints>[0]["skills"], index = EMPTY_INDEX): Buffer {
  return Buffer.concat(formatHints({ head: HEAD, skills, index }));
}

test("hints are read as they were written, whatever a folder is called", () => {
  const builder = createIndexBuilder();
  const ids = ["/skills/pdf", '/skills/"quoted"', "/skills/日本\n", "/skills/pdf-forms"];
  for (const id of ids) {
    builder.add({
      id,
      name: id,
      description: `Fills forms ${id}`,
      keywords: [],
      examples: [],
      body: "Text.",
    });
  }
  const index = runToEnd(builder.finish());
  const skills = ids.map((id) => [id, `name of ${id}`, `${id}/SKILL.md`, 1, false, true] as const);
  const hints = parseHints(written(skills, index));
  expect(hints?.head).toEqual(HEAD);
  for (const [number, id] of ids.entries()) expect(hints?.find(id)).toEqual(skills[number]);
  expect(hints?.find("/skills/pd")).toBeUndefined();
  const found = (searched: typeof index) => searchIndex(searched, "fill a form of pdf", { limit: 5 });
  expect(found(hints?.index ?? EMPTY_INDEX)).toEqual(found(index));
});

test("anything else is not hints", () => {
  const whole = written([]);
  expect(parseHints(whole)).toBeDefined();
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.from("text\n\n"),
    whole.subarray(0, 40),
    whole.subarray(1),
    whole.subarray(0, -1),
  ]) {
    expect(parseHints(bytes)).toBeUndefined();
  }
});
