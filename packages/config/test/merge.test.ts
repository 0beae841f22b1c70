import fc from "fast-check";
import { expect, test } from "vitest";
import { DEFAULT_VALUES, keyPath, leavesOf, mergeSettings, type Setting } from "../src/settings.ts";

const KNOWN = leavesOf(DEFAULT_VALUES).map((leaf) => leaf.parts);
const PARTS = [...KNOWN, ["scripts", "runners", ".rb"], ["scripts", "runners", ".pl"]];

const setting: fc.Arbitrary<Setting> = fc.record({
  parts: fc.constantFrom(...PARTS),
  value: fc.integer(),
  origin: fc.record({ kind: fc.constant("environment" as const), variable: fc.string() }),
});

test("mergeSettings: without layers every value and origin is the default", () => {
  const { values, origins } = mergeSettings([]);
  expect(values).toEqual(DEFAULT_VALUES);
  expect([...origins.keys()]).toEqual(KNOWN.map((parts) => keyPath(parts)));
  expect(new Set([...origins.values()].map((origin) => origin.kind))).toEqual(new Set(["default"]));
});

test("mergeSettings: every leaf has the value and the origin of the last layer that sets it", () => {
  fc.assert(
    fc.property(fc.array(fc.array(setting)), (layers) => {
      const { values, origins } = mergeSettings(layers);
      const merged = new Map(leavesOf(values).map(({ parts, value }) => [keyPath(parts), value]));
      expect([...merged.keys()]).toEqual([...origins.keys()]);
      for (const parts of PARTS) {
        const key = keyPath(parts);
        const last = layers.flat().findLast((one) => keyPath(one.parts) === key);
        if (last === undefined) {
          const known = leavesOf(DEFAULT_VALUES).find((leaf) => keyPath(leaf.parts) === key);
          expect(merged.get(key)).toEqual(known?.value);
          expect(origins.get(key)).toEqual(known && { kind: "default" });
        } else {
          expect(merged.get(key)).toBe(last.value);
          expect(origins.get(key)).toBe(last.origin);
        }
      }
    }),
  );
});

test("mergeSettings: changes no default, and __proto__ is an ordinary key", () => {
  const before = structuredClone(DEFAULT_VALUES);
  const origin = { kind: "environment", variable: "X" } as const;
  const { values } = mergeSettings([
    [
      { parts: ["scripts", "runners", "__proto__"], value: "x", origin },
      { parts: ["__proto__", "polluted"], value: "x", origin },
      { parts: ["scripts", "enabled"], value: false, origin },
    ],
  ]);
  expect(Object.hasOwn(values.scripts.runners, "__proto__")).toBe(true);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  expect(DEFAULT_VALUES).toEqual(before);
});
