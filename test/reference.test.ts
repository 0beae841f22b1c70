import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const GENERATED = readdirSync("docs/reference")
  .map((name) => `docs/reference/${name}`)
  .filter((page) => readFileSync(page, "utf8").includes("<!-- Written by `npm run docs:generate`. -->"));

test("the generated pages are what the code says today", () => {
  expect(GENERATED.length).toBeGreaterThan(6);
  const check = () =>
    execFileSync(process.execPath, ["scripts/reference/write-reference.mjs", "--check"], {
      encoding: "utf8",
    });
  expect(check).not.toThrow();
}, 60_000);

test.each(GENERATED)("%s: every row has its words", (page) => {
  expect(readFileSync(page, "utf8")).not.toContain("TO BE WRITTEN");
});
