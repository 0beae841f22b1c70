import { expect, test } from "vitest";
import { unknownProfile } from "../../src/visibility/known-profiles.ts";
import { createProfiles } from "../../src/visibility/profiles.ts";

test("whoever is served a profile is told when it leaves something else", () => {
  const profiles = createProfiles([{ name: "ops", include: ["pdf"] }, { name: "dev" }]);
  const narrowing = profiles.narrowing(["ops"]);
  const told: unknown[] = [];
  const stop = narrowing.onSwap((before, after) =>
    told.push([before === after, after === narrowing.filter()]),
  );
  profiles.swap([{ name: "ops", include: ["pdf"] }]);
  expect(told).toEqual([]);
  expect([profiles.names(), profiles.has("dev")]).toEqual([["ops"], false]);
  profiles.swap([{ name: "ops", include: ["xlsx"], scripts: false }]);
  expect(told).toEqual([[false, true]]);
  expect(narrowing.allowsScripts()).toBe(false);
  stop();
  profiles.swap([]);
  expect(told).toHaveLength(1);
});

test("one narrowing serves all who are served the same profiles", () => {
  const profiles = createProfiles([{ name: "ops" }]);
  expect(profiles.narrowing(["ops"])).toBe(profiles.narrowing(["ops"]));
});

test.each([
  [[], "No profiles are defined; define them under"],
  [["web", "data"], "Did you mean 'web'? The profiles are web, data. They are defined under"],
])("of the profiles %j, a name that is none of them is refused with the way out", (known, said) => {
  expect(unknownProfile("wbe", known)).toContain(`There is no profile 'wbe'. ${said} 'profiles' in `);
});
