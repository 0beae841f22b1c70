import { mkdirSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createSandbox, DISK_FOLDER, type Sandbox } from "../../../test/support/sandbox.ts";
import { parsePolicy } from "../src/rules/parse-policy.ts";
import { judge, type TrustLevel } from "../src/rules/policy.ts";
import { withRealPlaces } from "../src/rules/real-places.ts";

/** `home` is a link to `var/home`, `home/vendor` one to `data/vendor`, and `home/work/b/skills` one to `data/b`. */
function fill(): Sandbox {
  const sandbox = createSandbox(DISK_FOLDER);
  for (const folder of [
    "var/home/proj/sub",
    "var/home/work/a/skills",
    "var/home/work/b",
    "data/vendor",
    "data/b",
  ])
    mkdirSync(sandbox.path(folder), { recursive: true });
  symlinkSync("var/home", sandbox.path("linked"));
  symlinkSync("../../data/vendor", sandbox.path("var/home/vendor"));
  symlinkSync("../../../../data/b", sandbox.path("var/home/work/b/skills"));
  return sandbox;
}

describe("trust: a rule about a folder holds behind links", () => {
  test.each<[string, string, string, TrustLevel]>([
    ["of the home folder, where the skill has its real path", "block: [~/proj]", "var/home/proj/x", "block"],
    ["at its end", "block: [~/vendor]", "data/vendor/x", "block"],
    ["of a folder that is not there yet", "review: [~/later/skills]", "var/home/later/skills/x", "review"],
    ["that an asterisk stands for", "block: [~/work/*/skills]", "data/b/x", "block"],
    ["and without one", "block: [~/work/*/skills]", "var/home/work/a/skills/x", "block"],
    ["and not for another folder", "block: [~/vendor]", "data/vendor-2/x", "allow"],
    ["and a longer rule wins", "block: [~/proj]\nallow: [~/proj/sub]", "var/home/proj/sub/x", "allow"],
    [
      "and the stricter of two equal ones wins",
      "block: [~/vendor]\nallow: [DATA/vendor]",
      "data/vendor/x",
      "block",
    ],
    [
      "and a rule that names a folder goes before an asterisk",
      "block: [~/work/*]\nallow: [~/work/a]",
      "var/home/work/a/x",
      "allow",
    ],
  ])("%s", async (_what, text, place, level) => {
    const sandbox = fill();
    const parsed = parsePolicy(
      text.replace("DATA", sandbox.path("data")),
      "trust.yaml",
      sandbox.path("linked"),
    );
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    const source = { origins: [], claims: [], places: [sandbox.path(place)], kind: "user" } as const;
    expect(judge(await withRealPlaces(parsed.policy), source).level).toBe(level);
  });
});
