import { findProgram } from "#library";
import type { Requirements } from "#skills";
import { platform } from "#util";

const NAMES: Readonly<Record<string, string>> = { darwin: "macOS", linux: "Linux", win32: "Windows" };
const nameOf = (system: string): string => NAMES[system] ?? system;

/** What a skill needs and this machine has not, each as the end of a sentence. */
export function unmetRequirements({ programs = [], systems = [] }: Requirements): readonly string[] {
  const here = platform.name;
  const search = { searchPath: process.env["PATH"] ?? "", platform, content: [] };
  // There a program may be a script with one of many endings.
  const missing = here === "win32" ? [] : programs.filter((name) => findProgram(name, search) === undefined);
  return [
    ...(systems.length === 0 || systems.includes(here)
      ? []
      : [`it is for ${systems.map(nameOf).join(" and ")}, and this is ${nameOf(here)}`]),
    ...missing.map((name) => `the program ${name} is not installed`),
  ];
}

/** What an author says of a skill and what is missing of it here, for people. */
export function requirementLines(
  requirements: Requirements | undefined,
): readonly (readonly [name: string, value: string])[] {
  if (requirements === undefined) return [];
  const { version, compatibility, programs = [], systems = [] } = requirements;
  const unmet = unmetRequirements(requirements);
  return [
    ...(version === undefined ? [] : [["Version", version] as const]),
    ...(compatibility === undefined ? [] : [["Compatibility", compatibility] as const]),
    ...(programs.length === 0 ? [] : [["Programs", programs.join(", ")] as const]),
    ...(systems.length === 0 ? [] : [["Systems", systems.map(nameOf).join(", ")] as const]),
    ...(unmet.length === 0 ? [] : [["Not met", unmet.join("; ")] as const]),
  ];
}
