import { expect, test } from "vitest";
import { unknownProfile } from "../../src/visibility/profile.ts";
import { createProfiles } from "../../src/visibility/profile-source.ts";

test("profiles: a swap calls the listeners of a profile that serves something else", () => {
  const profiles = createProfiles([{ name: "ops", include: ["pdf"] }, { name: "dev" }]);
  const inForce = profiles.inForce(["ops"]);
  const told: unknown[] = [];
  const before = inForce.filter();
  const stop = inForce.onSwap(() => {
    told.push(inForce.filter() === before);
  });
  profiles.swap([{ name: "ops", include: ["pdf"] }]);
  expect(told).toEqual([]);
  expect([profiles.names(), profiles.has("dev")]).toEqual([["ops"], false]);
  profiles.swap([{ name: "ops", include: ["xlsx"], scripts: false }]);
  expect(told).toEqual([false]);
  expect(inForce.allowsScripts()).toBe(false);
  stop();
  profiles.swap([]);
  expect(told).toHaveLength(1);
});

test("profiles: the same names are the same value", () => {
  const profiles = createProfiles([{ name: "ops" }]);
  expect(profiles.inForce(["ops"])).toBe(profiles.inForce(["ops"]));
});

test.each([
  [[], "No profiles are defined; define them under"],
  [["web", "data"], "Did you mean 'web'? The profiles are web, data. They are defined under"],
])("of the profiles %j, a name that is none of them is refused with the way out", (known, said) => {
  expect(unknownProfile("wbe", known)).toContain(`There is no profile 'wbe'. ${said} 'profiles' in `);
});
