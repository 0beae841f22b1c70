import { keyPath, type Leaf, leavesOf, valuesOf } from "./leaves.ts";
import { type Config, DEFAULT_VALUES, type Origin } from "./settings.ts";

/** A value that a file or a variable sets. */
export interface Setting extends Leaf {
  readonly origin: Origin;
}

/** Puts layers over the defaults, the weakest first. Leaves are merged one by one: a runner for one extension does not remove the others. */
export function mergeSettings(layers: readonly (readonly Setting[])[]): Config {
  const settings = layers.flat();
  const values = valuesOf([...leavesOf(DEFAULT_VALUES), ...settings]);
  const set = new Map(settings.map(({ parts, origin }) => [keyPath(parts), origin]));
  const origins = leavesOf(values).map(({ parts }): [string, Origin] => {
    const key = keyPath(parts);
    return [key, set.get(key) ?? { kind: "default" }];
  });
  return { values, origins: new Map(origins) };
}
