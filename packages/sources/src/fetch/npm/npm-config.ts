/** npm's own registry, which npm uses unless it is told otherwise. */
export const PUBLIC_REGISTRY = "https://registry.npmjs.org/";

/** Where a package is fetched from, and what is sent to that registry to be let in. */
export interface NpmRegistry {
  /** Ends with a slash. */
  readonly url: string;
  readonly authorization: string | undefined;
}

/** Settings of npm: the environment, then the project's file, then the user's. The texts are "" for missing files. */
export interface NpmSettings {
  readonly environment: NodeJS.ProcessEnv;
  readonly project: string;
  readonly user: string;
}

/** The registry that npm would use for a package. */
export function registryFor(name: string, settings: NpmSettings): NpmRegistry {
  const values = readSettings(settings);
  const scope = name.startsWith("@") ? name.slice(0, name.indexOf("/")) : undefined;
  const given = (scope === undefined ? undefined : values.get(`${scope}:registry`)) ?? values.get("registry");
  const text = given === undefined || !URL.canParse(given) ? PUBLIC_REGISTRY : given;
  const url = text.endsWith("/") ? text : `${text}/`;
  return { url, authorization: authorizationFor(url, values) };
}

function readSettings({ environment, project, user }: NpmSettings): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const text of [user, project]) readFile(text, environment, values);
  for (const [variable, value] of Object.entries(environment)) {
    const name = /^npm_config_(.+)$/i.exec(variable)?.[1];
    // npm itself writes scopes and hosts as they are; in plain names it takes `_` for `-`.
    if (name !== undefined && value !== undefined && value !== "")
      values.set(/^(?:@|\/\/)/.test(name) ? name : name.toLowerCase(), value);
  }
  return values;
}

/** Lines of the form `key = value`; `${NAME}` stands for a variable. */
function readFile(text: string, environment: NodeJS.ProcessEnv, values: Map<string, string>): void {
  for (const line of text.split(/\r?\n/)) {
    const [, key, value] = /^\s*([^\s#;=[][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (key === undefined || value === undefined) continue;
    const plain = value.replace(/^(["'])(.*)\1$/, "$2");
    values.set(
      key,
      plain.replaceAll(/\$\{([^}]+)\}/g, (whole, name: string) => environment[name] ?? whole),
    );
  }
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
