import { expect, test } from "vitest";
import { mergeSettings } from "#config";
import { configJson, renderConfig } from "../../src/render/config.ts";
import { createStyle } from "../../src/render/text.ts";

const FILE = { kind: "file", file: "/shop/config.yaml", line: 3 } as const;
const VARIABLE = { kind: "environment", variable: "REFRESH_INTERVAL_MINUTES" } as const;
const PLAIN = createStyle(false);

test("config: the table shows every key, its value and its origin", () => {
  const config = mergeSettings([
    [
      { parts: ["scripts", "runners", ".rb"], value: "ruby", origin: FILE },
      { parts: ["scripts", "allowed_extensions"], value: [".rb"], origin: FILE },
      { parts: ["refresh", "interval_minutes"], value: 5, origin: VARIABLE },
      { parts: ["assets", "max_size_bytes"], value: 9, origin: { kind: "file", file: "/own.yaml" } },
    ],
  ]);
  const lines = renderConfig(config, PLAIN).trimEnd().split("\n");
  expect(lines.slice(0, 20).join("\n")).toBe(`\
KEY                           VALUE                           SOURCE
matching.min_score            0.2                             default
matching.max_results          3                               default
matching.ambiguity_threshold  0.1                             default
refresh.enabled               true                            default
refresh.interval_minutes      5                               REFRESH_INTERVAL_MINUTES (environment)
scripts.enabled               true                            default
scripts.timeout_seconds       60                              default
scripts.max_output_bytes      1048576                         default
scripts.allowed_extensions    .rb                             /shop/config.yaml:3
scripts.runners[".sh"]        bash                            default
scripts.runners[".ts"]        npx tsx                         default
scripts.runners[".js"]        node                            default
scripts.runners[".py"]        python3                         default
scripts.runners[".rb"]        ruby                            /shop/config.yaml:3
scripts.sandbox               preferred (required over HTTP)  default
scripts.network               declared (off over HTTP)        default
scripts.folders               (none)                          default
assets.max_size_bytes         9                               /own.yaml
assets.inline_text_max_bytes  10240                           default`);
  expect(lines).toEqual(
    expect.arrayContaining([
      "analytics.endpoint            (none)                          default",
      "analytics.context             (not set)                       default",
      "server.port                   4700                            default",
      "server.tools                  (by command)                    default",
      "server.description_budget     (by client)                     default",
      "repos                         (none)                          default",
    ]),
  );
  expect(lines.slice(1).map((line) => line.split(" ")[0])).toEqual([...config.origins.keys()]);
});

test("config: a long value widens no other line, and none is cut", () => {
  const endpoint = `https://example.com/${"x".repeat(100)}`;
  const lines = renderConfig(
    mergeSettings([[{ parts: ["analytics", "endpoint"], value: endpoint, origin: FILE }]]),
    PLAIN,
  ).split("\n");
  expect(lines).toContain(`analytics.endpoint            ${endpoint}  /shop/config.yaml:3`);
  expect(
    Math.max(...lines.filter((line) => !line.includes("x".repeat(9))).map((line) => line.length)),
  ).toBeLessThan(80);
});

test("config: hostile values and paths stay on one line", () => {
  const origin = { kind: "file", file: "/a\nb\u001B[2J", line: 1 } as const;
  const config = mergeSettings([
    [
      { parts: ["scripts", "runners", ".\u202E"], value: "a\u001B[31m\nb", origin },
      { parts: ["scripts", "folders"], value: ["/\n"], origin },
    ],
  ]);
  const text = renderConfig(config, PLAIN);
  // A line for each setting, the heading, and nothing after the last one.
  expect(text.split("\n")).toHaveLength(config.origins.size + 2);
  expect(text).not.toMatch(/[\u001B\u202E]/);
});

test("config: on a terminal, settings that are not the default stand out", () => {
  const config = mergeSettings([[{ parts: ["matching", "max_results"], value: 5, origin: FILE }]]);
  const text = renderConfig(config, createStyle(true));
  expect(text).toContain("\u001B[32m/shop/config.yaml:3");
  expect(text).toContain("\u001B[2mdefault");
});

test("config: JSON has every key, with null for one that is not set", () => {
  const { values, origins } = configJson(
    mergeSettings([[{ parts: ["scripts", "runners", ".rb"], value: "ruby", origin: FILE }]]),
  );
  expect(values).toMatchObject({
    scripts: { sandbox: null, runners: { ".rb": "ruby" } },
    analytics: { context: null, endpoint: "" },
  });
  expect(origins).toMatchObject({ 'scripts.runners[".rb"]': FILE, "analytics.context": { kind: "default" } });
});

test("config: the address of Redis is shown without its password", () => {
  const origin = { kind: "environment", variable: "SKILLS_REDIS" } as const;
  const config = mergeSettings([
    [{ parts: ["server", "redis"], value: "redis://ann:hunter2@h:1?prefix=a:", origin }],
  ]);
  expect(renderConfig(config, PLAIN)).toMatch(/server\.redis +redis:\/\/h:1 +SKILLS_REDIS \(environment\)/);
  expect(JSON.stringify(configJson(config))).toContain('"redis":"redis://h:1"');
  expect(`${renderConfig(config, PLAIN)}${JSON.stringify(configJson(config))}`).not.toMatch(/hunter2|ann/);
});

test("config: on a terminal, a person gets what somebody set, and the number of the others", () => {
  const origin = { kind: "file", file: "/config.yaml", line: 2 } as const;
  const config = mergeSettings([[{ parts: ["matching", "min_score"], value: 0.5, origin }]]);
  const lines = renderConfig(config, PLAIN, { all: false }).trimEnd().split("\n");
  expect(lines.slice(1, 3)).toEqual(["matching.min_score  0.5    /config.yaml:2", ""]);
  expect(lines.at(-1)).toMatch(
    /^\d+ settings have their default; to list all, run: skills-mcp config --all$/,
  );
  expect(renderConfig(mergeSettings([]), PLAIN, { all: false })).toMatch(/^Every setting has its default\./);
});
