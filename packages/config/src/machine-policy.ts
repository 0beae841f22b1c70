import path from "node:path";
import { SEVERITIES } from "#skills";
import { mayExist, platform } from "#util";
import { type Config, type ConfigProblem, keyPath, leavesOf, type Setting, valuesOf } from "./settings.ts";

/** The file in which the administrator of this machine says what no user and no project can open. */
export const MACHINE_POLICY = path.join(platform.policyFolder, "policy.yaml");

/** What the administrator limits. Each part can only make something stricter. */
export interface MachinePolicy {
  readonly file: string;
  /** The names of what it limits, for people. */
  readonly limits: readonly string[];
  /** Rules like those of `trust.yaml`, as JSON. */
  readonly trust?: string;
  /** The only sources on the net that content may come from: `github.com/acme`, `npm:@acme`. */
  readonly sources?: readonly string[];
  /** What everybody sees at most. */
  readonly profile?: { readonly include: readonly string[]; readonly exclude: readonly string[] };
  /** False: nothing is sent by OpenTelemetry. */
  readonly telemetry?: false;
  /** Of scripts, the audit and usage events. */
  readonly settings: readonly Setting[];
}

export interface ReadPolicy {
  readonly policy?: MachinePolicy;
  /** With any of them nothing is served: nobody knows what the policy forbids. */
  readonly problems: readonly ConfigProblem[];
}

/** Reads the administrator's file; there is nothing to read on most machines. */
export async function readMachinePolicy(file = MACHINE_POLICY): Promise<ReadPolicy> {
  if (!mayExist(file)) return { problems: [] };
  // Loaded on demand, as YAML is.
  const { readPolicyFile } = await import("./read-policy-file.ts");
  return readPolicyFile(file);
}

/** For each setting, its values from the most open to the strictest. */
export const SETTING_ORDERS: Readonly<Record<string, readonly unknown[]>> = {
  "scripts.enabled": [true, false],
  // Where nothing is set it is declared on stdio, and off over HTTP.
  "scripts.network": ["on", "declared", undefined, "off"],
  "analytics.enabled": [true, false],
  "analytics.history": [true, false],
  // A skill is held back from this severity on, so the lowest is the strictest.
  "audit.block": [undefined, ...SEVERITIES.toReversed()],
};

/** The stricter of two values of a setting. */
export function stricterOf<T>(key: string, mine: T, limit: T): T {
  const order = SETTING_ORDERS[key] ?? [];
  return order.indexOf(limit) > order.indexOf(mine) ? limit : mine;
}

/** The settings with the policy's value wherever that is stricter. */
export function withinPolicy({ values, origins }: Config, policy: MachinePolicy | undefined): Config {
  if (policy === undefined) return { values, origins };
  const before = new Map(leavesOf(values).map(({ parts, value }) => [keyPath(parts), value]));
  const tighter = policy.settings.filter(({ parts, value }) => {
    const key = keyPath(parts);
    return stricterOf(key, before.get(key), value) !== before.get(key);
  });
  return {
    values: valuesOf([...leavesOf(values), ...tighter]),
    origins: new Map([...origins, ...tighter.map(({ parts, origin }) => [keyPath(parts), origin] as const)]),
  };
}
