import { expect, test } from "vitest";
import { createSandbox } from "../../../test/support/sandbox.ts";
import { ownPackage } from "../src/own-package.ts";

const BIN = { "skills-mcp": "dist/cli.js" };
const URL = "https://code.example.com/acme/tools";

test.each([
  ["not released", { private: true }, undefined, false],
  ["marked, but without an address", {}, undefined, false],
  ["an address, but private", { private: true, repository: URL }, URL, false],
  ["released", { repository: { type: "git", url: `git+${URL}.git` } }, URL, true],
  ["an address that is no web page", { repository: "git@example.com:acme/tools.git" }, undefined, false],
])("package: %s", (_what, fields, repository, isPublished) => {
  const sandbox = createSandbox();
  sandbox.write("a/package.json", JSON.stringify({ name: "@acme/tools", bin: BIN, ...fields }));
  // As in dist/.
  sandbox.write("a/dist/package.json", '{ "type": "commonjs" }');
  expect(ownPackage(sandbox.path("a/dist"))).toEqual({
    folder: sandbox.path("a"),
    name: "@acme/tools",
    repository,
    isPublished,
  });
});

test("package: code without one has no address", () => {
  const nowhere = createSandbox();
  nowhere.write("package.json", "{}");
  expect(ownPackage(nowhere.path("dist"))).toMatchObject({ repository: undefined, isPublished: false });
});
