import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkConfigFile } from "../src/check-file.ts";
import { DEFAULT_VALUES, keyPath, leavesOf } from "../src/settings.ts";

const check = (text: string) => checkConfigFile({ file: "/shop/config.yaml", text, home: "/home/ann" });

/** Key path to value, for everything that the text sets. */
const settingsOf = (text: string) =>
  Object.fromEntries(check(text).settings.map(({ parts, value }) => [keyPath(parts), value]));

describe("the settings of a file", () => {
  test.each([
    ["nothing", ""],
    ["blank lines", "\n\n"],
    ["comments", "# scripts:\n#   enabled: false\n"],
    ["an empty document", "---\n"],
    ["an empty map", "{}\n"],
    ["a section with everything commented out", "scripts:\n  # enabled: false\n"],
  ])("%s sets nothing", (_what, text) => {
    expect(check(text)).toEqual({ settings: [], problems: [], warnings: [] });
  });

  test("a file may repeat every default", () => {
    const text = JSON.stringify(DEFAULT_VALUES);
    const written = leavesOf(DEFAULT_VALUES).filter(({ value }) => value !== undefined);
    expect(settingsOf(text)).toEqual(
      Object.fromEntries(written.map(({ parts, value }) => [keyPath(parts), value])),
    );
  });

  test.each([
    [
      "matching: {min_score: 0, ambiguity_threshold: 1}",
      { "matching.min_score": 0, "matching.ambiguity_threshold": 1 },
    ],
    ["refresh: {interval_minutes: 35791}", { "refresh.interval_minutes": 35_791 }],
    [
      "scripts: {timeout_seconds: 86400, sandbox: off}",
      { "scripts.timeout_seconds": 86_400, "scripts.sandbox": "off" },
    ],
    ["scripts: {allowed_extensions: []}", { "scripts.allowed_extensions": [] }],
    ["scripts: {runners: {.rb: ruby -w}}", { 'scripts.runners[".rb"]': "ruby -w" }],
    ["scripts: {allowed_extensions: [.TS, .Rb]}", { "scripts.allowed_extensions": [".ts", ".rb"] }],
    ["scripts: {runners: {.RB: Ruby -W}}", { 'scripts.runners[".rb"]': "Ruby -W" }],
    ["scripts: {runners: {}}", {}],
    [
      "scripts: {folders: [/srv/x/../y, ~/work, '~']}",
      { "scripts.folders": ["/srv/y", "/home/ann/work", "/home/ann"] },
    ],
    ["assets: {inline_text_max_bytes: 0}", { "assets.inline_text_max_bytes": 0 }],
    ["analytics: {endpoint: '', context: hash}", { "analytics.endpoint": "", "analytics.context": "hash" }],
    [
      "analytics: {endpoint: HTTPS://example.com/e?k=1}",
      { "analytics.endpoint": "HTTPS://example.com/e?k=1" },
    ],
    ["\uFEFFassets:\r\n  max_size_bytes: 0x10\r\n", { "assets.max_size_bytes": 16 }],
  ])("%s", (text, expected) => {
    expect(check(text).problems).toEqual([]);
    expect(settingsOf(text)).toEqual(expected);
  });

  test.each([
    ["\n", "LF"],
    ["\r\n", "CRLF"],
    ["\r", "CR"],
  ])("each setting has its line as origin (line ends: %j)", (end) => {
    const lines = [
      "# a comment",
      "scripts:",
      "  allowed_extensions:",
      "    - .sh",
      "  runners:",
      "",
      '    ".sh": sh',
      "    .py: python",
      "matching: {min_score: 0.5,",
      "  max_results: 7}",
    ];
    const found = check(lines.join(end)).settings.map(({ parts, origin }) => [keyPath(parts), origin]);
    const at = (line: number) => ({ kind: "file", file: "/shop/config.yaml", line });
    expect(Object.fromEntries(found)).toEqual({
      "scripts.allowed_extensions": at(3),
      'scripts.runners[".sh"]': at(7),
      'scripts.runners[".py"]': at(8),
      "matching.min_score": at(9),
      "matching.max_results": at(10),
    });
  });
});

describe("a file with any content", () => {
  const keys = [...leavesOf(DEFAULT_VALUES).flatMap(({ parts }) => parts), "__proto__", "constructor", ""];
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: "small" },
      fc.oneof(fc.constant(null), fc.boolean(), fc.double(), fc.string()),
      fc.array(tie("tree")),
      fc.dictionary(fc.constantFrom(...keys), tie("tree")),
    ),
  }));

  test("sets known settings, and a file of anyone but the operator either that or has problems", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          tree.map((data) => JSON.stringify(data)),
        ),
        (text) => {
          const { settings, problems } = check(text);
          const shared = checkConfigFile({ file: "/lib/config.yaml", text, home: "/", owner: "library" });
          if (shared.problems.length > 0) expect(shared.settings).toEqual([]);
          for (const { message } of problems) expect(message).toMatch(/[.?]$/);
          for (const { parts } of settings) {
            const section = DEFAULT_VALUES[parts[0] as keyof typeof DEFAULT_VALUES] ?? {};
            expect(parts[1] === undefined || Object.hasOwn(section, parts[1])).toBe(true);
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});
