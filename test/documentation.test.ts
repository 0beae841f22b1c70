import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { skipsTable, WINDOWS_SKIPS } from "./support/windows-skips.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const PAGES = ["docs/explanation/security.md", "SECURITY.md"];

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

test("each promise of docs/explanation/security.md names a test", () => {
  const text = readFileSync(path.join(ROOT, "docs/explanation/security.md"), "utf8");
  const promised = text.slice(text.indexOf("## What is promised"), text.indexOf("## What is not promised"));
  const rows = promised
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| promise |"));
  expect(rows.length).toBeGreaterThan(30);
  expect(rows.filter((row) => !/`(?:test|packages\/\w+\/test)\//.test(row))).toEqual([]);
});

const DOCS = readdirSync(path.join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".md"))
  .map((name) => `docs/${name.replaceAll(path.sep, "/")}`);

test.each(["README.md", "CHANGELOG.md", "examples/README.md", ...DOCS])("%s: no link is dead", (page) => {
  const text = readPage(page).replaceAll(/^ *```[^]*?^ *```/gm, "");
  const links = [...text.matchAll(/(?:\]\(|(?:src|srcset|href)=")(?!https?:|mailto:)([^)"\s]+)/g)];
  const dead = links.map(([, link = ""]) => link).filter((link) => !leadsSomewhere(page, link));
  expect(dead).toEqual([]);
});

function leadsSomewhere(page: string, link: string): boolean {
  const [file = "", heading] = link.split("#");
  const target = file === "" ? page : path.join(path.dirname(page), file);
  if (!existsSync(path.join(ROOT, target))) return false;
  return heading === undefined || anchorsOf(readPage(target)).includes(heading);
}

/** The anchors that GitHub gives to the headings of a page, and those that the page sets itself. */
function anchorsOf(text: string): readonly string[] {
  const prose = text.replaceAll(/^ *```[^]*?^ *```/gm, "");
  const own = [...prose.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id);
  const headings = [...prose.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
  return [...own, ...headings];
}

test("docs/README.md names every page", () => {
  const index = readPage("docs/README.md");
  const linked = new Set(
    [...index.matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => path.join("docs", link)),
  );
  const pages = DOCS.filter((page) => page !== "docs/README.md" && !/^docs\/clients\/(?!README)/.test(page));
  expect(pages.filter((page) => !linked.has(page))).toEqual([]);
});

test("docs/reference/platforms.md says one of three things of each feature on each system", () => {
  const [, table = ""] =
    /<!-- features -->\n([^]*)<!-- \/features -->/.exec(readPage("docs/reference/platforms.md")) ?? [];
  const [head, , ...rows] = table
    .trim()
    .split("\n")
    .map((row) => row.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "")));
  expect(head).toEqual(["feature", "Linux", "macOS", "Windows", "WSL"]);
  expect(rows.length).toBeGreaterThan(15);
  for (const [feature, ...systems] of rows) {
    expect(systems, feature).toHaveLength(4);
    for (const what of systems)
      expect(["tested", "built to the documentation", "not available"]).toContain(what);
  }
});

test("docs/reference/platforms.md lists what is skipped on Windows", () => {
  const [, listed] =
    /<!-- skips -->\n([^]*)<!-- \/skips -->/.exec(readPage("docs/reference/platforms.md")) ?? [];
  expect(listed).toBe(skipsTable());
  expect(WINDOWS_SKIPS.filter(({ file }) => !existsSync(`test/e2e/${file}.test.ts`))).toEqual([]);
});

const readPage = (page: string): string => readFileSync(path.join(ROOT, page), "utf8");
const PARTS = readdirSync(path.join(ROOT, "packages"));
const READMES = PARTS.map((part) => `packages/${part}/README.md`);

/** What stands in backticks, outside of blocks of code. */
function quotedIn(text: string): readonly string[] {
  const prose = text.replaceAll(/^ *```[^]*?^ *```/gm, "");
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, quoted = ""]) => quoted);
}

/** Whether it names a file or a folder of this repository: `packages/x`, `skills/src/x`, `src/x`, `x/y.ts`, `y.ts`, `x/`. */
function isRepositoryPath(text: string): boolean {
  if (!/^[a-z][\w./-]*$/.test(text) || text.startsWith("dist/")) return false;
  if (/^(?:packages|src|test|scripts|docs|deploy|bench|examples)\//.test(text)) return true;
  return /^\w+\/(?:src|test)\b|\.(?:ts|tsx|mjs)$|\/$/.test(text);
}

test.each(["ARCHITECTURE.md", "AGENTS.md", "CONTRIBUTING.md", ...READMES])(
  "every file, folder and command that %s names exists",
  (page) => {
    const text = readPage(page);
    const here = path.dirname(page);
    const bases = ["", "packages", here, path.join(here, "src")];
    const missing = quotedIn(text)
      .filter(isRepositoryPath)
      .filter((file) => !bases.some((base) => existsSync(path.join(ROOT, base, file))));
    expect(missing).toEqual([]);
    const linked = [...text.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(([, link = ""]) => link);
    expect(linked.filter((link) => !existsSync(path.join(ROOT, here, link)))).toEqual([]);
    const { scripts } = JSON.parse(readPage("package.json")) as { scripts: object };
    const commands = [...text.matchAll(/(?:npm run |`)((?:check|bench):\w+)/g)].map(([, name = ""]) => name);
    expect(commands.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  },
);

test.each(PARTS)("the README of %s is short and says what each part has to say", (part) => {
  const text = readPage(`packages/${part}/README.md`);
  expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(80);
  const titles = [...text.matchAll(/^## (.+)$/gm)].map(([, title = ""]) => title.replace(/ \(.*/, ""));
  expect(titles).toEqual(expect.arrayContaining(["API", "What does not belong here", "Read first", "Tests"]));
});

test.each(PARTS.filter((part) => part !== "web"))("%s exports each name under API in its README", (part) => {
  const files = ["index.ts", "pure/index.ts", "wire/index.ts"]
    .map((file) => `packages/${part}/src/${file}`)
    .filter((file) => existsSync(path.join(ROOT, file)));
  const found = files.flatMap((file) => [...readPage(file).matchAll(/[{,]\s*(?:type )?(\w+)(?=[,\s}])/g)]);
  const exported = new Set(found.map(([, name = ""]) => name));
  const names = namesUnderApi(readPage(`packages/${part}/README.md`));
  expect(names.length).toBeGreaterThan(2);
  expect(names.filter((name) => !exported.has(name))).toEqual([]);
});

/** The names at the start of each item, before a colon, and in the first column of each table. */
function namesUnderApi(text: string): readonly string[] {
  const [section = ""] = /^## API[^]*?(?=^## )/m.exec(text) ?? [];
  const items = section.split(/^(?=- )/m).filter((item) => item.startsWith("- "));
  const heads = items.map((item) => item.split(/:\s|→/)[0] ?? "");
  const cells = section.split("\n").flatMap((line) => /^\| ([^|]+) \|/.exec(line)?.[1] ?? []);
  return [...heads, ...cells]
    .flatMap(quotedIn)
    .map((name) => name.replace(/\(.*/, ""))
    .filter((name) => !name.startsWith("#"));
}

test("README.md has at most 900 words", () => {
  expect(readPage("README.md").trim().split(/\s+/).length).toBeLessThanOrEqual(900);
});
