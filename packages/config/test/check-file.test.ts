import { describe, expect, test } from "vitest";
import { checkConfigFile } from "../src/check-file.ts";

const check = (text: string) => checkConfigFile({ file: "/shop/config.yaml", text, home: "/home/ann" });

/** `place: message` for each problem, without the folder. */
const problemsOf = (text: string) =>
  check(text).problems.map(({ place, message }) => `${place.replace("/shop/", "")}: ${message}`);

const SHARE = "a number from 0 to 1";
const FLAG = "true or false";
const TIMEOUT = "a whole number from 1 to 86400";
const BYTES = "a whole number from 1 to 67108864";
const MINUTES = "a whole number from 1 to 35791";
const RESULTS = "a whole number from 1 to 10000";
const EXTENSION = 'a file extension with its dot, such as ".sh"';
const COMMAND = 'a command, such as "bash" or "npx tsx"';
const FOLDER = "an absolute path, or one that begins with ~/";
const ENDPOINT = "an http or https URL without a user name or password, such as https://example.com/events";
const SECTION = "a map of settings";

describe("a wrong value is named with its key, what it is and what is allowed", () => {
  test.each([
    ...["-0.1", "1.1", ".nan", ".inf"].map((bad) => ["matching", "min_score", bad, undefined, SHARE]),
    ["matching", "min_score", '"0.2"', '"0.2"', SHARE],
    ["matching", "min_score", "", "empty", SHARE],
    ["matching", "ambiguity_threshold", "2", "2", SHARE],
    ["matching", "ambiguity_threshold", "[0.1]", "a list", SHARE],
    ["matching", "max_results", "0", "0", RESULTS],
    ["matching", "max_results", "1.5", "1.5", RESULTS],
    ["matching", "max_results", "10001", "10001", RESULTS],
    ["matching", "max_results", "many", '"many"', RESULTS],
    ["refresh", "enabled", "yes", '"yes"', FLAG],
    ["refresh", "enabled", "1", "1", FLAG],
    ["refresh", "interval_minutes", "0", "0", MINUTES],
    ["refresh", "interval_minutes", "-5", "-5", MINUTES],
    ["refresh", "interval_minutes", "35792", "35792", MINUTES],
    ["refresh", "interval_minutes", "1e99", "1e+99", MINUTES],
    ["refresh", "interval_minutes", "abc", '"abc"', MINUTES],
    ["scripts", "enabled", '"true"', '"true"', FLAG],
    ["scripts", "timeout_seconds", "0", "0", TIMEOUT],
    ["scripts", "timeout_seconds", "86401", "86401", TIMEOUT],
    ["scripts", "timeout_seconds", "sixty", '"sixty"', TIMEOUT],
    ["scripts", "timeout_seconds", "{s: 3}", "a map", TIMEOUT],
    ["scripts", "max_output_bytes", "0", "0", BYTES],
    ["scripts", "max_output_bytes", "67108865", "67108865", BYTES],
    ["scripts", "allowed_extensions", ".sh", '".sh"', "a list of file extensions"],
    ["scripts", "runners", "[bash]", "a list", "a map of file extensions to commands"],
    ["scripts", "runners", "bash", '"bash"', "a map of file extensions to commands"],
    ["scripts", "sandbox", "maybe", '"maybe"', "required, preferred or off"],
    ["scripts", "sandbox", "false", "false", "required, preferred or off"],
    ["scripts", "folders", "/srv", '"/srv"', "a list of folders"],
    ["assets", "max_size_bytes", "0", "0", BYTES],
    ["assets", "max_size_bytes", "1 MiB", '"1 MiB"', BYTES],
    ["assets", "inline_text_max_bytes", "-1", "-1", "a whole number from 0 to 67108864"],
    ["analytics", "enabled", "on", '"on"', FLAG],
    ["analytics", "endpoint", "ftp://example.com", '"ftp://example.com"', ENDPOINT],
    ["analytics", "endpoint", "example.com", '"example.com"', ENDPOINT],
    ["analytics", "endpoint", "'http://'", '"http://"', ENDPOINT],
    ["analytics", "endpoint", "https://ann:secret@example.com", "a text", ENDPOINT],
    ["analytics", "endpoint", "5", "5", ENDPOINT],
    ["analytics", "context", "some", '"some"', "full, hash or off"],
    ["analytics", "history", "no", '"no"', FLAG],
  ])("%s.%s: %s", (section, key, written, shown, allowed) => {
    const is = shown ?? String(Number(written?.replace(".nan", "NaN").replace(".inf", "Infinity")));
    expect(problemsOf(`${section}:\n  ${key}: ${written}\n`)).toEqual([
      `config.yaml:2: ${section}.${key} is ${is}, but must be ${allowed}.`,
    ]);
  });

  test.each([
    ["allowed_extensions: [.sh, sh]", `allowed_extensions[1] is "sh", but must be ${EXTENSION}.`],
    ["allowed_extensions: [.tar.gz]", `allowed_extensions[0] is ".tar.gz", but must be ${EXTENSION}.`],
    ["allowed_extensions: [./sh]", `allowed_extensions[0] is "./sh", but must be ${EXTENSION}.`],
    ["allowed_extensions: [7]", `allowed_extensions[0] is 7, but must be ${EXTENSION}.`],
    ['runners: {".sh": ""}', `runners[".sh"] is "", but must be ${COMMAND}.`],
    ['runners: {".sh": "  "}', `runners[".sh"] is "  ", but must be ${COMMAND}.`],
    ['runners: {".sh": "a\\nb"}', `runners[".sh"] is "a\\nb", but must be ${COMMAND}.`],
    ["runners: {.sh: [bash]}", `runners[".sh"] is a list, but must be ${COMMAND}.`],
    ["runners: {sh: bash}", 'runners.sh is not a file extension; write it with its dot, such as ".sh".'],
    [
      "runners: {.ts: bun, .TS: deno}",
      'runners[".TS"] is "deno", but must be left out, because ".ts" already has a command.',
    ],
    ["runners: {__proto__: bash}", 'runners.__proto__ is "bash", but must be left out.'],
    [
      "runners: {constructor: bash}",
      'runners.constructor is not a file extension; write it with its dot, such as ".sh".',
    ],
    ["folders: [work]", `folders[0] is "work", but must be ${FOLDER}.`],
    ["folders: [../work]", `folders[0] is "../work", but must be ${FOLDER}.`],
    ['folders: ["/a\\0b"]', `folders[0] is "/a\\u0000b", but must be ${FOLDER}.`],
    ["folders: [~ann/work]", `folders[0] is "~ann/work", but must be ${FOLDER}.`],
  ])("a wrong value inside of scripts: %s", (written, expected) => {
    expect(problemsOf(`scripts:\n  ${written}\n`)).toEqual([`config.yaml:2: scripts.${expected}`]);
  });

  test.each(["5", "[a]", "text"])("a section that is no map: %s", (written) => {
    const is = { 5: "5", "[a]": "a list", text: '"text"' }[written];
    expect(problemsOf(`assets: ${written}`)).toEqual([
      `config.yaml:1: assets is ${is}, but must be ${SECTION}.`,
    ]);
  });

  test("a problem with an empty item names no line, because the item has no place in the text", () => {
    expect(problemsOf("scripts:\n  allowed_extensions:\n    - .sh\n    -\n")).toEqual([
      `config.yaml: scripts.allowed_extensions[1] is empty, but must be ${EXTENSION}.`,
    ]);
  });

  test("problems are listed in the order of their lines", () => {
    expect(
      problemsOf(
        "scripts:\n  timeout_seconds: x\n  enabled: maybe\nmatching:\n  max_results: 0\nassets: 1\n",
      ).map((line) => line.split(" ")[0]),
    ).toEqual(["config.yaml:2:", "config.yaml:3:", "config.yaml:5:", "config.yaml:6:"]);
  });

  test("a file with very many problems shows twenty and counts the rest", () => {
    const bad = Array.from({ length: 1000 }, (_, index) => `    .k${index}: 1`).join("\n");
    const problems = problemsOf(`scripts:\n  runners:\n${bad}`);
    expect(problems).toHaveLength(21);
    expect(problems[0]).toMatch(/^config.yaml:3: scripts.runners\[".k0"\] is 1, but must be a command/);
    expect(problems[20]).toBe("config.yaml: There are 980 more problems.");
    const unknown = check(Array.from({ length: 1000 }, (_, index) => `k${index}: 1`).join("\n"));
    expect([unknown.problems.length, unknown.warnings.length]).toEqual([0, 21]);
  });

  test("a long value and a long key are cut", () => {
    const [value = ""] = problemsOf(`scripts: {sandbox: ${"x".repeat(5000)}}`);
    const [key] = check(`${"x".repeat(900)}: 1`).warnings;
    expect(value.length).toBeLessThan(200);
    expect(key?.message.length).toBeLessThan(250);
  });
});

describe("an unknown key is a warning, with what was meant", () => {
  const sections =
    "The sections are matching, refresh, scripts, assets, analytics, search, skills, server, visibility, audit, repos, registries, profiles.";
  test.each([
    ["script: {}", "script is not a setting. Did you mean scripts?"],
    ["Scripts: {}", "Scripts is not a setting. Did you mean scripts?"],
    ["matching: {minscore: 1}", "matching.minscore is not a setting. Did you mean matching.min_score?"],
    ["timeout_seconds: 5", "timeout_seconds is not a setting. Did you mean scripts.timeout_seconds?"],
    ["port: 80", "port is not a setting. Did you mean server.port?"],
    ["skill-dir: [x]", "skill-dir is not a setting. Did you mean skills.skill_dirs?"],
    ["length: 1", `length is not a setting. ${sections}`],
    ["zzz: 1", `zzz is not a setting. ${sections}`],
    [
      "refresh: {zzz: 1}",
      "refresh.zzz is not a setting. The settings of refresh are enabled, interval_minutes.",
    ],
    ["__proto__: {polluted: true}", `__proto__ is not a setting. ${sections}`],
    ["constructor: {prototype: {polluted: true}}", `constructor is not a setting. ${sections}`],
    ["assets: {__proto__: 1}", expect.stringMatching(/^assets\.__proto__ is not a setting\. /)],
    ['"a b": 1', `["a b"] is not a setting. ${sections}`],
    ["<<: {matching: {}}", `["<<"] is not a setting. ${sections}`],
  ])("%s", (text, expected) => {
    const { problems, warnings } = check(text);
    expect(problems).toEqual([]);
    expect(warnings).toEqual([{ place: "/shop/config.yaml:1", message: expected }]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

const ESCAPED_PATH =
  "config.yaml:2: A path of Windows is in double quotes, where `\\` begins an escape; use single quotes, or `/`.";

test.each([`'C:\\Users\\me'`, "C:\\Users\\me", '"C:\\\\Users\\\\me"', '"C:/Users/me"', '"\\\\d+"'])(
  "the path %s is read as it is meant",
  (written) => {
    expect(problemsOf(`global_skill: ${written}\n`)).not.toContainEqual(
      expect.stringContaining("double quotes"),
    );
  },
);

describe("a text that is not a map of settings", () => {
  test.each([
    ["a list", "- matching\n", "config.yaml: The file is a list, but must be a map of settings."],
    ["a sentence", "just text\n", 'config.yaml: The file is "just text", but must be a map of settings.'],
    [
      "broken YAML",
      "matching:\n  min_score: [0.1\nrefresh: {}\n",
      /^config.yaml:\d: The file is not valid YAML: .+\.$/,
    ],
    [
      "a tab",
      "matching:\n\tmin_score: 1\n",
      /^config.yaml:2: The file is not valid YAML: tab characters .+\.$/,
    ],
    [
      "a key twice",
      "matching: {}\nrefresh: {}\nmatching: {}\n",
      "config.yaml:3: A setting appears twice; keep one of the two.",
    ],
    [
      "an alias",
      "matching: &m {}\nrefresh: *m\n",
      "config.yaml:2: Aliases (`*name`) are not supported; write the value out.",
    ],
    [
      "two documents",
      "matching: {}\n---\nrefresh: {}\n",
      "config.yaml: The file contains several YAML documents; keep one and remove the `---` lines.",
    ],
    [
      "a tag that makes objects",
      "matching: !!js/function 'x'\n",
      /^config.yaml:1: The file is not valid YAML: /,
    ],
    [
      "endless depth",
      "[".repeat(100_000),
      "config.yaml:1: The file is not valid YAML: nesting exceeded maxDepth (32).",
    ],
    ["a path of Windows that is no YAML", 'a: 1\nb: ["C:\\Users\\me"]\n', ESCAPED_PATH],
    ["a path of Windows with a line break", 'a: 1\nb: "D:\\new"\n', ESCAPED_PATH],
    ["a NUL", "matching: \0\n", /^config.yaml:1: The file is not valid YAML: null byte/],
    ["a map as a key", "? {a: b}\n: 1\n", /^config.yaml:1: The file is not valid YAML: /],
  ])("%s is one problem", (_what, text, expected) => {
    const problems = problemsOf(text);
    expect(problems).toEqual([typeof expected === "string" ? expected : expect.stringMatching(expected)]);
  });

  test("aliases of aliases are refused before they are expanded", () => {
    const bomb = [
      "a0: &a0 [x]",
      ...Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`),
    ];
    expect(problemsOf(bomb.join("\n"))).toEqual([expect.stringContaining("Aliases")]);
  });
});

describe("settings that are flags", () => {
  test.each([
    ["skills: {include: [codex, '@office:x*'], strict: true}", []],
    ["server: {port: 80, tools: [catalog], prompts: false}\nrepos: [owner/repo]", []],
    [
      "skills: {include: ['codex:@plugins']}",
      [
        "skills.include[0] is a text, but must be a filter: a provider, <provider>:<name>, @plugins, @<plugin>, @<plugin>:<name>, or a name.",
      ],
    ],
    ["server: {port: 0}", ["server.port is 0, but must be a whole number from 1 to 65535."]],
    ["server: {transport: tcp}", ['server.transport is "tcp", but must be stdio, http or sse.']],
    [
      "skills: {strict: true, lenient: true}",
      ["skills.lenient is true, but must be false, because strict is true."],
    ],
    ["repos: x", ['repos is "x", but must be a list of repositories.']],
  ])("%s", (text, expected) => {
    expect(check(text).problems.map(({ message }) => message)).toEqual(expected);
  });

  test("paths are relative to the file", () => {
    const text = "skills: {skill_dirs: [team, ~/x, /abs], plugins_file: p.json}";
    expect(check(text).settings.map(({ value }) => value)).toEqual([
      ["/shop/team", "/home/ann/x", "/abs"],
      "/shop/p.json",
    ]);
  });
});

describe("what a project or a library may not set is ignored, with a warning", () => {
  const own = "set it in /home/ann/.skills-mcp/config.yaml.";
  const checkFor = (owner: "project" | "library", text: string) =>
    checkConfigFile({ file: "/shop/.skills-mcp.yaml", text, home: "/home/ann", owner });
  test.each([
    ["server: {port: 80, description_budget: 5}", ["server.port"], ["server.description_budget"]],
    ["server: {port: wrong}", ["server.port"], []],
    ["scripts: {enabled: true}\nskills: {exclude: [x]}", ["scripts.enabled"], ["skills.exclude"]],
    ["analytics: 5\nrepos: [a/b]", ["analytics"], ["repos"]],
    ["skills: {plugins_file: x, skill_dirs: [team]}", ["skills.plugins_file"], ["skills.skill_dirs"]],
  ])("%s", (text, ignored, set) => {
    const { settings, problems, warnings } = checkFor("project", text);
    expect(problems).toEqual([]);
    expect(settings.map(({ parts }) => parts.join("."))).toEqual(set);
    expect(warnings).toEqual(
      ignored.map((key) => ({
        place: "/shop/.skills-mcp.yaml:1",
        message: `${key} was ignored, because a project may only narrow and add; ${own}`,
      })),
    );
  });

  test.each(["../x", "/etc", "~/x"])("a project may not add the folder %s", (folder) => {
    const { problems, settings } = checkFor("project", `skills:\n  skill_dirs:\n    - ${folder}\n`);
    expect(settings).toEqual([]);
    expect(problems[0]?.place).toBe("/shop/.skills-mcp.yaml:3");
    expect(problems[0]?.message).toMatch(
      /^skills\.skill_dirs\[0\] is ".+", but must be a folder below \/shop\.$/,
    );
  });

  test("a library may not set a section about the server", () => {
    const { settings, warnings } = checkFor("library", "matching: {max_results: 2}\nserver: {port: 80}\n");
    expect(settings).toHaveLength(1);
    expect(warnings.map(({ message }) => message)).toEqual([
      `server was ignored, because a library may not set it; ${own}`,
    ]);
  });
});

describe("a file with a wrong value", () => {
  test.each([
    ["server: {port: abc}\nskills: {exclude: [pdf]}\n", ["skills.exclude"], undefined],
    ["skills: {exclude: pdf, strict: true}\n", ["skills.strict"], ["skills"]],
    ["skills: {strict: true, lenient: true}\n", ["skills.strict"], undefined],
    ["scripts: {enabled: maybe}\n", [], ["scripts"]],
    ["analytics: {context: al}\n", [], ["usage"]],
    [
      "profiles: {web: {include: 5, exclude: [a]}, ops: {include: [b]}}\n",
      ["profiles.ops.include"],
      ["profiles"],
    ],
    ["repos: [5, https://example.com/x]\n", [], undefined],
    ["skills: [pdf]\n", [], ["skills"]],
    ["- pdf\n", [], ["skills", "profiles", "library", "scripts", "usage"]],
    ["skills: [\n", [], ["skills", "profiles", "library", "scripts", "usage"]],
  ])("%j sets the others, and says what the wrong one could withhold", (text, keys, withholds) => {
    const { settings, problems } = check(text);
    expect(settings.map(({ parts }) => parts.join("."))).toEqual(keys);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.withholds).toEqual(withholds);
  });

  test.each([
    ["project", undefined],
    ["library", ["library"]],
  ] as const)("sets nothing as the file of a %s", (owner, withholds) => {
    const text = "skills: {exclude: pdf, include: [docx]}\nmatching: {min_score: 7, max_results: 3}\n";
    const file = owner === "project" ? "/shop/.skills-mcp.yaml" : "/lib/config.yaml";
    const { settings, problems } = checkConfigFile({ file, text, home: "/home/ann", owner });
    expect(settings).toEqual([]);
    expect(problems.map((problem) => problem.withholds)).toEqual([withholds]);
  });
});
