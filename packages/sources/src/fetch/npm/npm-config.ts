/** npm's own registry, which npm uses unless it is told otherwise. */
export const PUBLIC_REGISTRY = "https://registry.npmjs.org/";

/** Where a package is fetched from, and what is sent to that registry to be let in. */
export interface NpmRegistry {
  /** Ends with a slash. */
  readonly url: string;
  readonly authorization: string | undefined;
}

/**
 * Settings of npm: the environment, then the user's file, which is "" if it is missing. A project's file is content: it must
 * not choose which host gets the values of variables or a token.
 */
export interface NpmSettings {
  readonly environment: NodeJS.ProcessEnv;
  readonly user: string;
}

/** The registry that npm would use for a package. */
export function registryFor(name: string, settings: NpmSettings): NpmRegistry {
  const values = readSettings(settings);
  const given = registryKeys(name).flatMap((key) => values.get(key) ?? [])[0];
  const text = given === undefined || !URL.canParse(given) ? PUBLIC_REGISTRY : given;
  const url = text.endsWith("/") ? text : `${text}/`;
  return { url, authorization: authorizationFor(url, values) };
}

/** The keys of a project's file that npm would use for a package, and that are ignored because they say something else. */
export function ignoredKeys(name: string, project: string, { url }: NpmRegistry): readonly string[] {
  const { host } = new URL(url);
  return [...readFile(project)]
    .filter(([key, value]) =>
      registryKeys(name).includes(key)
        ? value.replace(/\/?$/, "/") !== url
        : key.startsWith(`//${host}/`) && /:_(?:authToken|auth|password)$/.test(key),
    )
    .map(([key]) => key);
}

/** The keys that name the registry of a package, the first one wins. */
function registryKeys(name: string): readonly string[] {
  return name.startsWith("@") ? [`${name.slice(0, name.indexOf("/"))}:registry`, "registry"] : ["registry"];
}

function readSettings({ environment, user }: NpmSettings): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [key, value] of readFile(user))
    values.set(
      key,
      value.replaceAll(/\$\{([^}]+)\}/g, (whole, variable: string) => environment[variable] ?? whole),
    );
  for (const [variable, value] of Object.entries(environment)) {
    const name = /^npm_config_(.+)$/i.exec(variable)?.[1];
    // npm itself writes scopes and hosts as they are; in plain names it takes `_` for `-`.
    if (name !== undefined && value !== undefined && value !== "")
      values.set(/^(?:@|\/\/)/.test(name) ? name : name.toLowerCase(), value);
  }
  return values;
}

/** Lines of the form `key = value`, as they are written. */
function readFile(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, key, value] = /^\s*([^\s#;=[][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (key === undefined || value === undefined) continue;
    values.set(key, value.replace(/^(["'])(.*)\1$/, "$2"));
  }
  return values;
}

/** Secrets belong to a host and a path: `//host/path/:_authToken`, with the longest path that fits. */
function authorizationFor(url: string, values: ReadonlyMap<string, string>): string | undefined {
  const { host, pathname } = new URL(url);
  const parts = pathname.split("/").filter((part) => part !== "");
  for (let length = parts.length; length >= 0; length--) {
    const place = `//${[host, ...parts.slice(0, length)].join("/")}/`;
    const token = values.get(`${place}:_authToken`);
    if (token !== undefined) return `Bearer ${token}`;
    const basic = values.get(`${place}:_auth`);
    if (basic !== undefined) return `Basic ${basic}`;
  }
  return undefined;
}
