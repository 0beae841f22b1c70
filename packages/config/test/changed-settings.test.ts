import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import {
  type ConfigValues,
  changedKeys,
  DEFAULT_VALUES,
  keyPath,
  leavesOf,
  needsRestart,
} from "../src/settings.ts";

const NO_ORIGINS = new Map();
const configOf = (values: ConfigValues) => ({ values, origins: NO_ORIGINS });

test("changedKeys: names each key whose value changed, appeared or went", () => {
  const { scripts, server } = DEFAULT_VALUES;
  const after: ConfigValues = {
    ...DEFAULT_VALUES,
    scripts: { ...scripts, folders: ["/work"], runners: { ".sh": "bash", ".rb": "ruby" } },
    server: { ...server, description_budget: 900 },
  };
  expect(changedKeys(configOf(DEFAULT_VALUES), configOf(DEFAULT_VALUES))).toEqual([]);
  expect(changedKeys(configOf(DEFAULT_VALUES), configOf(after)).toSorted()).toEqual(
    [
      'scripts.runners[".js"]',
      'scripts.runners[".py"]',
      'scripts.runners[".rb"]',
      'scripts.runners[".ts"]',
      "scripts.folders",
      "server.description_budget",
    ].toSorted(),
  );
});

test("docs/reference/configuration.md: says of every setting whether it needs a restart", () => {
  const page = readFileSync(
    path.resolve(import.meta.dirname, "../../../docs/reference/configuration.md"),
    "utf8",
  );
  const [, section = ""] = page.split("## Changes while a server runs");
  const rows = section.split("\n").filter((line) => line.startsWith("| `"));
  const keysIn = (isMeant: (row: string) => boolean): readonly string[] =>
    rows.filter(isMeant).flatMap((row) => [...row.matchAll(/`([\w.-]+)`/g)].map(([, key = ""]) => key));
  const [restart, live] = [
    keysIn((row) => row.includes("after a restart")),
    keysIn((row) => !row.includes("after a restart")),
  ];
  const isIn = (keys: readonly string[], key: string): boolean =>
    keys.some((one) => key === one || key.startsWith(`${one}.`));
  for (const { parts } of leavesOf(DEFAULT_VALUES)) {
    const key = keyPath(parts);
    const name = key.replace(/\[.*/, "");
    expect([key, isIn(restart, name), isIn(live, name)]).toEqual([
      key,
      needsRestart(key),
      !needsRestart(key),
    ]);
  }
});
