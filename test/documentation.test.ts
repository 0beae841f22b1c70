import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "..");
const PAGES = ["docs/security.md", "SECURITY.md"];

test.each(PAGES)("every test, command and page that %s names exists", (page) => {
  const text = readFileSync(path.join(ROOT, page), "utf8");
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as {
    scripts: object;
  };
  const files = [...text.matchAll(/`((?:test|packages\/\w+\/(?:src|test))\/[^`\s]+)`/g)].map(
    ([, file = ""]) => file,
  );
  const linked = [...text.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(([, link = ""]) =>
    path.join(path.dirname(page), link),
  );
  expect([...files, ...linked].filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  const commands = [...text.matchAll(/`npm run ([\w:]+)`/g)].map(([, name = ""]) => name);
  expect(commands.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
});

test("each promise of docs/security.md names a test", () => {
  const text = readFileSync(path.join(ROOT, "docs/security.md"), "utf8");
  const promised = text.slice(text.indexOf("## What is promised"), text.indexOf("## What is not promised"));
  const rows = promised
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| promise |"));
  expect(rows.length).toBeGreaterThan(30);
  expect(rows.filter((row) => !/`(?:test|packages\/\w+\/test)\//.test(row))).toEqual([]);
});
