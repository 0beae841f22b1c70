import { expect, test } from "vitest";
import { foundIn, pluginId } from "../../src/skill/skill.ts";

test.each([
  [{ name: "office" }, "office"],
  [{ name: "office", marketplace: "tools" }, "office@tools"],
])("the id of the plugin %j is %s", (plugin, id) => {
  expect(pluginId(plugin)).toBe(id);
});

test("a skill is found in its own folder, and an approved copy in the folder it was copied from", () => {
  expect(foundIn({ dir: "/a" })).toBe("/a");
  expect(foundIn({ dir: "/copies/a", approved: { digest: "0f", from: "/a" } })).toBe("/a");
});
