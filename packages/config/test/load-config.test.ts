import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import { Refusal } from "#util/pure";
import { directImportsPlugin } from "../../../scripts/direct-imports.mjs";
import { logTo } from "../../../test/support/log.ts";
import { createSandbox, type Sandbox } from "../../../test/support/sandbox.ts";
import { ownConfigFile } from "../src/config-files.ts";
import { loadConfig } from "../src/load-config.ts";
import { type Config, DEFAULT_VALUES } from "../src/settings.ts";

const OWN = "home/.skills-mcp/config.yaml";

interface Given {
  readonly libraries?: readonly (readonly [file: string, fromGit: boolean])[];
  readonly environment?: Readonly<Record<string, string>>;
}

async function load(
  sandbox: Sandbox,
  { libraries = [["library/config.yaml", false]], environment = {} }: Given = {},
): Promise<Config & { readonly log: readonly string[] }> {
  const log: string[] = [];
  const config = await loadConfig({
    libraryFiles: libraries.map(([file, fromGit]) => ({ file: sandbox.path(file), fromGit })),
    ownFile: ownConfigFile(sandbox.home),
    environment,
    announces: true,
    log: logTo((line) => log.push(line)),
  });
  return { ...config, log };
}

/** The lines of the refusal that loading ends in, below the sandbox. */
async function refused(sandbox: Sandbox, given?: Given): Promise<readonly string[]> {
  const error: unknown = await load(sandbox, given).catch((thrown: unknown) => thrown);
  if (!(error instanceof Refusal)) throw new Error("This was not refused.", { cause: error });
  expect(error.detail.code).toBe("bad-config");
  return error.message.split("\n").map((line) => line.replaceAll(`${sandbox.path()}/`, ""));
}

describe("order of precedence", () => {
  test("without files and variables every value is a default", async () => {
    const { values, origins } = await load(createSandbox());
    expect(values).toEqual(DEFAULT_VALUES);
    for (const origin of origins.values()) expect(origin).toEqual({ kind: "default" });
  });

  test("a library wins over defaults, the own file over a library, the environment over both", async () => {
    const sandbox = createSandbox();
    const library = sandbox.write(
      "library/config.yaml",
      "matching: {min_score: 0.3, max_results: 5}\nrefresh: {enabled: false, interval_minutes: 60}\n",
    );
    const own = sandbox.write(OWN, "matching: {max_results: 7}\nrefresh: {interval_minutes: 45}\n");
    const { values, origins } = await load(sandbox, { environment: { REFRESH_INTERVAL_MINUTES: "5" } });
    expect(values.matching).toEqual({ min_score: 0.3, max_results: 7, ambiguity_threshold: 0.1 });
    expect(values.refresh).toEqual({ enabled: true, interval_minutes: 5 });
    expect(origins.get("matching.min_score")).toEqual({ kind: "file", file: library, line: 1 });
    expect(origins.get("matching.max_results")).toEqual({ kind: "file", file: own, line: 1 });
    expect(origins.get("matching.ambiguity_threshold")).toEqual({ kind: "default" });
    const variable = { kind: "environment", variable: "REFRESH_INTERVAL_MINUTES" };
    expect(origins.get("refresh.enabled")).toEqual(variable);
    expect(origins.get("refresh.interval_minutes")).toEqual(variable);
  });

  test("of several libraries the first that sets a key wins; runners are merged one by one, lists are not", async () => {
    const sandbox = createSandbox();
    sandbox.write("a/config.yaml", "scripts: {runners: {.sh: sh}, allowed_extensions: [.sh]}\n");
    sandbox.write("b/config.yaml", "scripts: {runners: {.sh: dash, .rb: ruby}, timeout_seconds: 9}\n");
    const { values } = await load(sandbox, {
      libraries: [
        ["a/config.yaml", false],
        ["b/config.yaml", false],
      ],
    });
    expect(values.scripts).toMatchObject({
      runners: { ".sh": "sh", ".ts": "npx tsx", ".js": "node", ".py": "python3", ".rb": "ruby" },
      allowed_extensions: [".sh"],
      timeout_seconds: 9,
    });
  });

  test.each([
    [true, true],
    [true, false],
    [false, true],
  ])("of two libraries the first counts (from git: %j, %j)", async (first, second) => {
    const sandbox = createSandbox();
    sandbox.write("a/config.yaml", "matching: {max_results: 5}\n");
    sandbox.write("b/config.yaml", "matching: {max_results: 6, min_score: 0.6}\n");
    sandbox.write(OWN, "matching: {ambiguity_threshold: 0.7}\n");
    const { values } = await load(sandbox, {
      libraries: [
        ["a/config.yaml", first],
        ["b/config.yaml", second],
      ],
    });
    expect(values.matching).toEqual({ max_results: 5, min_score: 0.6, ambiguity_threshold: 0.7 });
  });

  test("only the own file may name folders; `~` is the home folder", async () => {
    const sandbox = createSandbox();
    sandbox.write("library/config.yaml", "scripts: {folders: [/srv]}\n");
    expect((await load(sandbox)).values.scripts.folders).toEqual([]);
    sandbox.write(OWN, "scripts: {folders: [~/work]}\n");
    expect((await load(sandbox)).values.scripts.folders).toEqual([path.join(sandbox.home, "work")]);
  });
});

describe("a library from git", () => {
  const TEXT =
    "scripts: {runners: {.sh: evil}, timeout_seconds: 9}\nanalytics: {endpoint: http://127.0.0.1:9/}\n";
  const git: Given["libraries"] = [["library/config.yaml", true]];

  test("does not choose runners or where events go, and one line says so", async () => {
    const sandbox = createSandbox();
    sandbox.write("library/config.yaml", TEXT);
    const { values, origins, log } = await load(sandbox, { libraries: git });
    expect(values.scripts.runners).toEqual(DEFAULT_VALUES.scripts.runners);
    expect(values.analytics).toEqual(DEFAULT_VALUES.analytics);
    expect(values.scripts.timeout_seconds).toBe(9);
    expect(origins.get('scripts.runners[".sh"]')).toEqual({ kind: "default" });
    expect(log).toEqual([expect.stringMatching(/scripts\.runners, analytics\.endpoint were ignored/)]);
  });

  test("chooses both with SKILLS_TRUST_CONFIG=1, and one line says so", async () => {
    const sandbox = createSandbox();
    sandbox.write("library/config.yaml", TEXT);
    const { values, log } = await load(sandbox, {
      libraries: git,
      environment: { SKILLS_TRUST_CONFIG: "1" },
    });
    expect(values.scripts.runners[".sh"]).toBe("evil");
    expect(values.analytics.endpoint).toBe("http://127.0.0.1:9/");
    expect(log).toEqual([expect.stringMatching(/config\.yaml:1: this library decides that \.sh scripts/)]);
  });

  test("a local library needs no trust, and one line says what it decides", async () => {
    const sandbox = createSandbox();
    sandbox.write("library/config.yaml", TEXT);
    const { values, log } = await load(sandbox);
    expect(values.scripts.runners[".sh"]).toBe("evil");
    expect(log).toEqual([expect.stringMatching(/config\.yaml:1: this library decides that \.sh scripts/)]);
  });

  test("a file that is named twice, once as from git, counts as from git", async () => {
    const sandbox = createSandbox();
    sandbox.write("library/config.yaml", TEXT);
    for (const order of [
      [true, false],
      [false, true],
    ]) {
      const libraries = order.map((fromGit) => ["library/config.yaml", fromGit] as const);
      const { values, log } = await load(sandbox, { libraries });
      expect(values.scripts.runners[".sh"]).toBe("bash");
      expect(log).toHaveLength(1);
    }
  });

  test("must not be a link: it is not followed", async () => {
    const sandbox = createSandbox();
    sandbox.write("elsewhere.yaml", "matching: {max_results: 5}\n");
    mkdirSync(sandbox.path("library"));
    symlinkSync("../elsewhere.yaml", sandbox.path("library/config.yaml"));
    expect(await refused(sandbox, { libraries: git })).toEqual([
      "library/config.yaml: The file cannot be read: it is a link, and links are not followed in a library from git.",
    ]);
    expect((await load(sandbox)).values.matching.max_results).toBe(5);
  });
});

describe("a refusal of wrong settings", () => {
  test("names every problem of every file and variable", async () => {
    const sandbox = createSandbox();
    sandbox.write("library/config.yaml", "scripts:\n  max_output_bytes: 0\n  timeout_seconds: sixty\n");
    sandbox.write(OWN, "matching: [\n");
    const environment = { REFRESH_INTERVAL_MINUTES: "abc", ANALYTICS_ENDPOINT: "nowhere" };
    expect(await refused(sandbox, { environment })).toEqual([
      "library/config.yaml:2: scripts.max_output_bytes is 0, but must be a whole number from 1 to 67108864.",
      'library/config.yaml:3: scripts.timeout_seconds is "sixty", but must be a whole number from 1 to 86400.',
      expect.stringMatching(/^home\/.skills-mcp\/config.yaml:\d: The file is not valid YAML: /),
      expect.stringMatching(/^REFRESH_INTERVAL_MINUTES: The value is "abc", but must be a whole number/),
      expect.stringMatching(/^ANALYTICS_ENDPOINT: The value must be an http or https URL/),
    ]);
  });

  test("names a file once that is both a library's and the operator's own", async () => {
    const sandbox = createSandbox();
    sandbox.write(OWN, "matching: 5\n");
    expect(
      await refused(sandbox, {
        libraries: [
          [OWN, false],
          ["home/.skills-mcp/../.skills-mcp/config.yaml", false],
        ],
      }),
    ).toHaveLength(1);
  });
});

describe("a file that cannot be read", () => {
  test.each([
    ["a folder", "it is not a regular file", (file: string) => mkdirSync(file)],
    ["a FIFO", "it is not a regular file", (file: string) => void execFileSync("mkfifo", [file])],
    [
      "a link to nothing",
      "it is a link to a file that does not exist",
      (file: string) => symlinkSync("nowhere", file),
    ],
    [
      "a link to itself",
      "its symbolic links form a loop",
      (file: string) => symlinkSync("config.yaml", file),
    ],
  ])("%s is refused with the reason", async (_what, reason, make) => {
    const sandbox = createSandbox();
    mkdirSync(path.dirname(sandbox.path(OWN)));
    make(sandbox.path(OWN));
    expect(await refused(sandbox)).toEqual([`${OWN}: The file cannot be read: ${reason}.`]);
  });

  test.each([
    ["more than 1 MiB", "the file is larger than 1 MiB", "#".repeat(1024 * 1024 + 1)],
    [
      "UTF-16",
      "it is not UTF-8 text; save it again with the UTF-8 encoding",
      Buffer.from("\uFEFFmatching: {}", "utf16le"),
    ],
  ])("%s is refused with the reason", async (_what, reason, content) => {
    const sandbox = createSandbox();
    sandbox.write(OWN, content);
    expect(await refused(sandbox)).toEqual([`${OWN}: The file cannot be read: ${reason}.`]);
  });

  test("a file in place of the folder .skills-mcp sets nothing", async () => {
    const sandbox = createSandbox();
    sandbox.write("home/.skills-mcp", "");
    expect((await load(sandbox)).values).toEqual(DEFAULT_VALUES);
  });
});

test("zod and the YAML reader are loaded only when there is a file to check", async () => {
  /** The packages that a bundle of the file loads at once. */
  const packagesOf = async (file: string): Promise<readonly string[]> => {
    const { metafile } = await build({
      entryPoints: [file],
      bundle: true,
      write: false,
      metafile: true,
      format: "esm",
      platform: "node",
      packages: "external",
      plugins: [
        {
          name: "later",
          setup: ({ onResolve }) =>
            onResolve({ filter: /^/ }, ({ kind }) =>
              kind === "dynamic-import" ? { external: true } : undefined,
            ),
        },
        directImportsPlugin(process.cwd()),
      ],
    });
    return Object.values(metafile.outputs)
      .flatMap(({ imports }) => imports)
      .filter(({ kind, path: name }) => kind === "import-statement" && !name.startsWith("node:"))
      .map(({ path: name }) => name);
  };
  expect(await packagesOf("packages/config/src/load-config.ts")).toEqual([]);
  expect(await packagesOf("packages/config/src/check-file.ts")).toEqual(
    expect.arrayContaining(["zod", "js-yaml"]),
  );
});
