import { expect, test } from "vitest";
import { rankGroups } from "../src/shell/rank-commands.ts";

const textOf = (text: string): string => text;
const SKILLS = ["document-skills:pdf", "spell-check", "upgrade-of-things", "light-box"];
const VIEWS = ["Overview", "Skills", "Usage", "Health"];
const ACTIONS = ["Connect an agent", "Check for updates of sources", "Use the light theme"];

function first(typed: string): string | undefined {
  const groups = rankGroups(
    [
      { title: "Skills", kind: "opens", items: typed === "" ? [] : SKILLS, textOf, most: 9 },
      { title: "Views", kind: "opens", items: VIEWS, textOf, most: 9 },
      { title: "Actions", kind: "acts", items: ACTIONS, textOf, most: 9 },
    ],
    typed,
  );
  return groups[0]?.items[0];
}

test.each([
  // Its letters are in "updates of", in this order.
  ["pdf", "document-skills:pdf"],
  ["check", "spell-check"],
  ["light", "light-box"],
  ["health", "Health"],
  ["usage", "Usage"],
  ["theme", "Use the light theme"],
  ["conn", "Connect an agent"],
  ["check upd", "Check for updates of sources"],
  ["light theme", "Use the light theme"],
  ["", "Overview"],
  ["heck", "spell-check"],
  ["pdates", undefined],
])("the palette: %j chooses %j", (typed, expected) => {
  expect(first(typed)).toBe(expected);
});
