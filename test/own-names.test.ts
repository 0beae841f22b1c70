import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "..");

/** What would send people to a package or an address that belongs to somebody else. */
const FOREIGN: readonly RegExp[] = [
  /\bnpx\b(?:[^\n`]{0,40}\s)?["']?skills-mcp(?![\w/-])/,
  /["']-y["'], ?["']skills-mcp["'@]/,
  /\b(?:npm|pnpm|yarn|bun)\s+(?:i|install|add|global add)\s+(?:-\S+\s+)*skills-mcp(?![\w/-])/,
  /github(?:usercontent)?\.com\/skills-mcp/,
  /npmjs\.(?:com|org)\/(?:package\/)?skills-mcp/,
];

/** Files that may contain such a text, and why. */
const ALLOWED: Readonly<Record<string, string>> = {
  "test/own-names.test.ts": "the patterns",
  "packages/agents/test/connect/connect-targets.test.ts": "entries of older versions are recognised",
  "packages/agents/test/documents/document.test.ts":
    "an entry of an older version, as any text that is edited",
  "packages/agents/test/documents/round-trip.test.ts": "the same",
  "packages/agents/test/hooks/hook-entry.test.ts": "an entry of an older version is no hook",
  "test/e2e/connect.test.ts": "entries of older versions are updated",
};

function foreignIn(text: string): readonly string[] {
  return FOREIGN.flatMap((pattern) => pattern.exec(text)?.[0] ?? []);
}

test("names: no file calls a package of a registry or a web address ours", () => {
  const files = execFileSync("git", ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8" }).split("\0");
  const texts = files.filter((file) => file !== "" && !/\.(?:png|bin|idx|gz|tgz|zip)$/.test(file));
  expect(texts.length).toBeGreaterThan(1000);
  const found = texts
    .filter((file) => !Object.hasOwn(ALLOWED, file))
    .flatMap((file) =>
      foreignIn(readFileSync(path.join(ROOT, file), "utf8")).map((text) => `${file}: ${text}`),
    );
  expect(found).toEqual([]);
});

test("names: package.json cannot be published, and names no address, before a release does", () => {
  const found = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as object;
  expect(found).toMatchObject({ private: true });
  for (const key of ["homepage", "bugs", "repository"]) expect(found).not.toHaveProperty(key);
});

test.each([
  [true, "npx -y skills-mcp connect"],
  [true, "npx skills-mcp@1.2.3"],
  [true, '"command": "npx", "args": ["-y", "skills-mcp"]'],
  [true, "npm install -g skills-mcp"],
  [true, "npm i skills-mcp"],
  [true, "https://github.com/skills-mcp/skills-mcp#readme"],
  [true, "https://www.npmjs.com/package/skills-mcp"],
  [false, "npx skills add http://127.0.0.1:4700"],
  [false, "npm install -g ./skills-mcp-*.tgz"],
  [false, "npm install -g ."],
  [false, "https://www.npmjs.com/package/skills"],
])("names: %s for %s", (expected, text) => {
  expect(foreignIn(text).length > 0).toBe(expected);
});
