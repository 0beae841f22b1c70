/** Where a script may keep things: both are its own, and gone after the run. */
export interface ScriptPlaces {
  readonly home: string;
  readonly temp: string;
}

/** Without these, no program starts on Windows; none of them holds a secret. */
const WINDOWS_NEEDS: ReadonlySet<string> = new Set([
  "SYSTEMROOT",
  "SYSTEMDRIVE",
  "WINDIR",
  "COMSPEC",
  "PATHEXT",
  "NUMBER_OF_PROCESSORS",
  "PROCESSOR_ARCHITECTURE",
]);

const LOCALE = /^(?:LANG|LANGUAGE|LC_[A-Z]+)$/;
const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

/** All that a script learns of the server's environment: the way to programs, its places, the locale, its arguments. */
export function scriptEnvironment(
  server: NodeJS.ProcessEnv,
  places: ScriptPlaces,
  args: ReadonlyMap<string, string>,
  platform: NodeJS.Platform,
): Readonly<Record<string, string>> {
  const variables: Record<string, string> = {
    PATH: searchPath(server),
    HOME: places.home,
    TMPDIR: places.temp,
    TEMP: places.temp,
    TMP: places.temp,
  };
  for (const [name, value] of Object.entries(server)) {
    if (value === undefined) continue;
    const kept = LOCALE.test(name) || (platform === "win32" && WINDOWS_NEEDS.has(name.toUpperCase()));
    if (kept) variables[name] = value;
  }
  for (const [name, value] of args) variables[name] = value;
  return variables;
}

/** The folders programs are looked for in, as one string; Windows spells the variable `Path`. */
export function searchPath(server: NodeJS.ProcessEnv): string {
  return server["PATH"] ?? server["Path"] ?? DEFAULT_PATH;
}
