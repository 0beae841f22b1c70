import { describe, expect, test } from "vitest";
import { joinLibraries, judgeLibrarySettings, libraryDecisions } from "../src/load-config.ts";
import { keyPath, mergeSettings, type Setting } from "../src/settings.ts";

const set = (value: unknown, ...parts: string[]): Setting => {
  return { parts, value, origin: { kind: "file", file: "/lib/config.yaml", line: 3 } };
};

interface From {
  readonly fromGit?: boolean;
  readonly trusted?: boolean;
}
const judge = ({ fromGit = false, trusted = false }: From, ...settings: readonly Setting[]) => {
  const library = { file: "/lib/config.yaml", ownFile: "/own.yaml", fromGit, trusted };
  const judged = judgeLibrarySettings(settings, library);
  return { counted: judged.settings.map((setting) => keyPath(setting.parts)), ignored: judged.ignored };
};

const RUNNER = set("ruby -w", "scripts", "runners", ".sh");
const FOLDERS = set(["/"], "scripts", "folders");
const TIGHTENING = [
  set(5, "matching", "max_results"),
  set(9, "scripts", "timeout_seconds"),
  set(9, "scripts", "max_output_bytes"),
  set([".sh"], "scripts", "allowed_extensions"),
  set(false, "scripts", "enabled"),
  set("required", "scripts", "sandbox"),
  set("off", "scripts", "network"),
  set(9, "assets", "max_size_bytes"),
];
const KEYS = TIGHTENING.map(({ parts }) => keyPath(parts));
const LIBRARIES: readonly (readonly [string, From])[] = [
  ["in a folder", {}],
  ["from git", { fromGit: true }],
];
const TIGHTER = "because a library may only make scripts more restricted; set it in /own.yaml";
const TRUST = "or trust the library with SKILLS_TRUST_CONFIG=1";

describe.each(LIBRARIES)("S3: a library %s may only tighten scripts.*", (_where, from) => {
  test("what restricts scripts counts", () => {
    expect(judge(from, ...TIGHTENING)).toEqual({ counted: KEYS, ignored: [] });
  });

  test.each([
    ["scripts.sandbox", set("off", "scripts", "sandbox")],
    ["scripts.sandbox", set("preferred", "scripts", "sandbox")],
    ["scripts.network", set("on", "scripts", "network")],
    ["scripts.network", set("declared", "scripts", "network")],
    ["scripts.folders", FOLDERS],
  ])("%s is ignored with one line, whoever trusts the library", (key, setting) => {
    const ignored = [`/lib/config.yaml: ${key} was ignored, ${TIGHTER}.`];
    expect(judge(from, setting, ...TIGHTENING)).toEqual({ counted: KEYS, ignored });
    expect(judge({ ...from, trusted: true }, setting)).toEqual({ counted: [], ignored });
  });

  test.each([
    ["scripts.timeout_seconds", set(61, "scripts", "timeout_seconds")],
    ["scripts.max_output_bytes", set(2 ** 21, "scripts", "max_output_bytes")],
  ])("%s above the default is ignored, unless the operator trusts the library", (key, setting) => {
    expect(judge(from, setting)).toEqual({
      counted: [],
      ignored: [`/lib/config.yaml: ${key} was ignored, ${TIGHTER}, ${TRUST}.`],
    });
    expect(judge({ ...from, trusted: true }, setting)).toEqual({ counted: [key], ignored: [] });
  });

  test("further extensions are left out, the others count", () => {
    const library = { file: "/lib/config.yaml", ownFile: "/own.yaml", fromGit: false, ...from };
    const settings = [set([".sh", ".rb"], "scripts", "allowed_extensions")];
    const judged = judgeLibrarySettings(settings, { ...library, trusted: false });
    expect(judged.settings.map(({ value }) => value)).toEqual([[".sh"]]);
    expect(judged.ignored).toEqual([
      `/lib/config.yaml: scripts.allowed_extensions was ignored, ${TIGHTER}, ${TRUST}.`,
    ]);
    expect(judgeLibrarySettings(settings, { ...library, trusted: true }).settings).toEqual(settings);
  });
});

describe("runners and analytics", () => {
  test.each([
    ["scripts.runners", RUNNER],
    ["analytics.enabled", set(true, "analytics", "enabled")],
    ["analytics.endpoint", set("https://example.com", "analytics", "endpoint")],
    ["analytics.context", set("full", "analytics", "context")],
    ["analytics.history", set(false, "analytics", "history")],
  ])("%s of a library from git is ignored with one line, unless the operator trusts it", (key, setting) => {
    expect(judge({ fromGit: true }, setting)).toEqual({
      counted: [],
      ignored: [
        `/lib/config.yaml: ${key} was ignored, because the library comes from git; set it in /own.yaml, ${TRUST}.`,
      ],
    });
    const counted = [keyPath(setting.parts)];
    expect(judge({ fromGit: true, trusted: true }, setting)).toEqual({ counted, ignored: [] });
    expect(judge({}, setting)).toEqual({ counted, ignored: [] });
  });

  test("S1: a runner of a library that is an absolute path is ignored: scripts could read the installation there", () => {
    const runner = set("/srv/app/deploy.sh", "scripts", "runners", ".sh");
    expect(judge({}, runner)).toEqual({
      counted: [],
      ignored: [`/lib/config.yaml: scripts.runners was ignored, ${TIGHTER}, ${TRUST}.`],
    });
    expect(judge({ trusted: true }, runner).ignored).toEqual([]);
  });

  test("one line names everything that was ignored for one reason, each key once", () => {
    const endpoint = set("https://example.com", "analytics", "endpoint");
    const another = set("evil", "scripts", "runners", ".py");
    expect(judge({ fromGit: true }, RUNNER, another, endpoint).ignored).toEqual([
      `/lib/config.yaml: scripts.runners, analytics.endpoint were ignored, because the library comes from git; set them in /own.yaml, ${TRUST}.`,
    ]);
  });
});

test("S3: of several libraries the tightest value of scripts.* counts, of other keys the first", () => {
  const joined = joinLibraries([
    [
      set(true, "scripts", "enabled"),
      set(30, "scripts", "timeout_seconds"),
      set([".sh", ".py"], "scripts", "allowed_extensions"),
      set("sh", "scripts", "runners", ".sh"),
      set(5, "matching", "max_results"),
    ],
    [
      set(false, "scripts", "enabled"),
      set(20, "scripts", "timeout_seconds"),
      set([".py", ".js"], "scripts", "allowed_extensions"),
      set("dash", "scripts", "runners", ".sh"),
      set(4, "matching", "max_results"),
    ],
  ]);
  expect(joined.map(({ value }) => value)).toEqual([false, 20, [".py"], "sh", 5]);
});

describe("S3: one line names what a library decides", () => {
  const decisions = (own: readonly Setting[], ...settings: readonly Setting[]) =>
    libraryDecisions(mergeSettings([settings, own]), ["/lib/config.yaml"], "/own.yaml");
  const ENABLED = set(true, "analytics", "enabled");
  const ENDPOINT = set("https://collect.example.com/x?key=1", "analytics", "endpoint");

  test("the line has file and line number, and only the host of an endpoint", () => {
    expect(decisions([], ENABLED, ENDPOINT, RUNNER)).toEqual([
      "/lib/config.yaml:3: this library decides that usage events are sent to https://collect.example.com, and that .sh scripts are run by 'ruby -w'; to decide yourself, set it in /own.yaml",
    ]);
  });

  test.each([
    ["nothing", []],
    ["an endpoint that is off", [ENDPOINT]],
    ["the default runner", [set("bash", "scripts", "runners", ".sh")]],
  ])("%s is not named", (_what, settings) => {
    expect(decisions([], ...settings)).toEqual([]);
  });

  test("what the operator sets is not named", () => {
    const own: Setting = { ...RUNNER, origin: { kind: "file", file: "/own.yaml" } };
    expect(decisions([own], RUNNER)).toEqual([]);
  });
});
