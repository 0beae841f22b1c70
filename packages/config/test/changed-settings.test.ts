import { expect, test } from "vitest";
import { type ConfigValues, changedKeys, DEFAULT_VALUES } from "../src/settings.ts";

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
