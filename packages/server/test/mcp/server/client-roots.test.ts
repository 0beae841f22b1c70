import { expect, test } from "vitest";
import { workspaceFolders } from "../../../src/mcp/server/client-of.ts";

test.each([
  ["folders", ["file:///shop", "file:///a%20b/"], ["/shop", "/a b"]],
  ["the same folder twice", ["file:///shop", "file:///shop/"], ["/shop"]],
  [
    "what is no folder of this machine",
    ["https://shop.test/", "file://elsewhere/shop", "x", "file:///%00"],
    [],
  ],
])("%s", (_what, uris, folders) => {
  expect(workspaceFolders(uris)).toEqual(folders);
});

test("a thousand roots are cut, not searched", () => {
  expect(workspaceFolders(Array.from({ length: 1_000 }, (_, index) => `file:///r${index}`))).toHaveLength(64);
});
