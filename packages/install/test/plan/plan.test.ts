import { expect, test } from "vitest";
import { digestsOf, type SkillContent } from "#skills";
import { compareFiles } from "../../src/plan/plan.ts";

const contentOf = (files: Readonly<Record<string, string>>): SkillContent =>
  new Map(
    Object.entries(files).map(([name, text]) => [name, { bytes: Buffer.from(text), isExecutable: false }]),
  );

test.each(["constructor", "__proto__", "toString", "hasOwnProperty"])(
  "the differences of two states: a file named %s is seen when it comes, changes and goes",
  (name) => {
    const none = digestsOf(contentOf({ a: "a" }));
    const one = digestsOf(contentOf({ a: "a", [name]: "1" }));
    const other = digestsOf(contentOf({ a: "a", [name]: "2" }));
    const same = { added: [], changed: [], removed: [] };
    expect(compareFiles(none, one)).toEqual({ ...same, added: [name] });
    expect(compareFiles(one, other)).toEqual({ ...same, changed: [name] });
    expect(compareFiles(one, none)).toEqual({ ...same, removed: [name] });
    expect(compareFiles(one, one)).toEqual(same);
  },
);
