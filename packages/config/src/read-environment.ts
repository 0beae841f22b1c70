import { allowedText, valueFromText } from "./declaration.ts";
import { type ConfigProblem, DECLARED, type DeclaredSetting, type Setting } from "./settings.ts";

/** What the environment sets. An empty variable counts as unset, because client configs cannot leave one out. */
export function readEnvironment(environment: NodeJS.ProcessEnv): {
  readonly settings: readonly Setting[];
  readonly problems: readonly ConfigProblem[];
} {
  const settings: Setting[] = [];
  const problems: ConfigProblem[] = [];
  for (const declared of DECLARED) {
    const { parts, environment: from } = declared;
    const given = from === undefined ? "" : (environment[from.variable]?.trim() ?? "");
    if (from === undefined || given === "") continue;
    const { variable, turnsOn, read = (text: string) => readText(declared, text) } = from;
    const reading = read(given);
    if ("wrong" in reading) {
      problems.push({ place: variable, message: reading.wrong });
      continue;
    }
    const origin = { kind: "environment", variable } as const;
    if (turnsOn !== undefined) settings.push({ parts: [parts[0], turnsOn], value: true, origin });
    settings.push({ parts, value: reading.value, origin });
  }
  const signed = environment[SIGNED]?.trim() ?? "";
  if (!/^[01]?$/.test(signed)) {
    const message = `The value is ${shown(signed)}, but must be 1 (only signed commits are served) or 0.`;
    problems.push({ place: SIGNED, message });
  }
  return { settings, problems };
}

function readText({ type, environment }: DeclaredSetting, given: string) {
  const value = valueFromText(type, given);
  if (value !== undefined) return { value };
  // A text is not repeated: it may contain a password.
  const what = type.kind === "text" ? "The value must" : `The value is ${shown(given)}, but must`;
  return { wrong: `${what} be ${allowedText(type)}.${environment?.advice ?? ""}` };
}

const shown = (given: string): string => JSON.stringify(given.slice(0, 60));

/** Whether only commits are served whose signature the operator's git accepts: SKILLS_REQUIRE_SIGNED is set, and not to 0. */
export function requiresSigned(environment: NodeJS.ProcessEnv): boolean {
  return !/^0?$/.test(environment[SIGNED]?.trim() ?? "");
}

/** Whether the operator trusts libraries with settings that are otherwise the operator's alone. */
export function trustsConfig(environment: NodeJS.ProcessEnv): boolean {
  return environment["SKILLS_TRUST_CONFIG"]?.trim() === "1";
}

const SIGNED = "SKILLS_REQUIRE_SIGNED";
