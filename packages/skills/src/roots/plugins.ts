import path from "node:path";
import type { PluginFolder } from "#agents";
import { describeError, errorCode, realpath, withOpenFile } from "#util";
import { isRecord } from "#util/pure";
import type { Diagnostic } from "../skill/diagnostic.ts";
import { loadableName, type Plugin, pluginId } from "../skill/skill.ts";
import type { Root } from "./roots.ts";

export interface PluginOptions {
  /** `installed_plugins.json`. */
  readonly file: string;
  /** Relative install paths start here. */
  readonly root: string;
  /** Claude's `settings.json`, whose `enabledPlugins` can disable a plugin. */
  readonly settingsFile: string;
  /** The user named the file, so a missing one is reported. */
  readonly named: boolean;
}

interface PluginRoots {
  readonly roots: readonly Root[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A plugin that is installed but disabled. */
export interface PluginOff {
  readonly plugin: Plugin;
  readonly provider: string;
  /** The file that disables it. */
  readonly by: string;
  /** How to enable it: a whole sentence. */
  readonly wayOut: string;
}

/** The folders of Claude's enabled plugins, as lowest-priority roots. */
export async function readPluginRoots(
  options: PluginOptions,
): Promise<PluginRoots & { readonly off: readonly PluginOff[] }> {
  const installed = await readJson(options.file, "plugins-file");
  if (installed.missing && options.named) {
    const message = "This plugins file does not exist, so no plugin is served. Check --plugins-file.";
    return {
      roots: [],
      off: [],
      diagnostics: [{ severity: "error", code: "plugins-file", file: options.file, message }],
    };
  }
  const settings = installed.missing ? installed : await readJson(options.settingsFile, "settings-file");
  const off = pluginsTurnedOff(settings.value);
  const found = pluginRoots(installed.value, options, off);
  return {
    roots: found.roots,
    off: installedAmong(off, installed.value).map((plugin) => turnedOff(plugin, options.settingsFile)),
    diagnostics: [...installed.diagnostics, ...settings.diagnostics, ...found.diagnostics],
  };
}

function turnedOff(plugin: Plugin, by: string): PluginOff {
  const wayOut = `Set "${pluginId(plugin)}" to true under "enabledPlugins" there to serve its skills.`;
  return { plugin, provider: "claude", by, wayOut };
}

function installedAmong(ids: ReadonlySet<string>, installed: unknown): readonly Plugin[] {
  const plugins = isRecord(installed) ? installed["plugins"] : undefined;
  return [...ids].flatMap((id) => {
    const plugin = isRecord(plugins) && Object.hasOwn(plugins, id) ? parsePluginId(id) : undefined;
    return plugin === undefined ? [] : [plugin];
  });
}

/** Reads `{plugins: {"<plugin>@<marketplace>": entry | entry[]}}`; of an entry only `installPath` is required. */
export function pluginRoots(
  installed: unknown,
  { file, root }: Pick<PluginOptions, "file" | "root">,
  off: ReadonlySet<string>,
): PluginRoots {
  const roots: Root[] = [];
  const diagnostics: Diagnostic[] = [];
  const report = (message: string): void => {
    diagnostics.push({ severity: "error", code: "plugin-entry", file, message });
  };
  const plugins = isRecord(installed) ? installed["plugins"] : undefined;
  if (installed !== undefined && !isRecord(plugins)) {
    report('It has no "plugins" object, so no plugin is served.');
    return { roots, diagnostics };
  }
  for (const [id, value] of Object.entries(plugins ?? {})) {
    if (off.has(id)) continue;
    const plugin = parsePluginId(id);
    for (const entry of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
      const installPath = isRecord(entry) ? entry["installPath"] : undefined;
      if (plugin === undefined) report(`The plugin key '${id}' has no name.`);
      else if (typeof installPath !== "string" || installPath === "")
        report(`The plugin '${id}' has no installPath.`);
      else if (installPath.includes("\0"))
        report(`The installPath of the plugin '${id}' holds a NUL character.`);
      else roots.push(pluginRoot(path.resolve(root, installPath), plugin));
    }
  }
  return { roots, diagnostics };
}

/** The ids that `enabledPlugins` sets to `false`. A plugin that is not mentioned stays on. */
export function pluginsTurnedOff(settings: unknown): ReadonlySet<string> {
  const enabled = isRecord(settings) ? settings["enabledPlugins"] : undefined;
  if (!isRecord(enabled)) return new Set();
  return new Set(Object.keys(enabled).filter((id) => enabled[id] === false));
}

function pluginRoot(dir: string, plugin: Plugin): Root {
  return { dir, provider: "claude", location: "plugin", plugin, named: true };
}

function parsePluginId(id: string): Plugin | undefined {
  const at = id.lastIndexOf("@");
  // Skills are typed as `<plugin>:<name>`, so a scope such as `@team/tools` must not look like a path.
  const name = loadableName(at < 0 ? id : id.slice(0, at));
  const marketplace = id.slice(at + 1);
  if (name === "") return undefined;
  return at < 0 || marketplace === "" ? { name } : { name, marketplace };
}

/** Which plugins an agent's settings turn off. A plugin that is not mentioned is on. */
interface Disabling {
  /** The file, and how to enable the plugin; undefined when it is on. */
  readonly isOff: (plugin: Plugin) => { readonly by: string; readonly wayOut: string } | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the settings of the agent whose plugins are in a folder. An agent without such settings turns no plugin off. */
export async function readDisabling({ settings }: PluginFolder): Promise<Disabling> {
  if (settings === undefined) return { isOff: () => undefined, diagnostics: [] };
  const { file, format, howToEnable, agent, cwd } = settings;
  const { value, diagnostics } = await (format === "JSON"
    ? readJson(file, "settings-file")
    : readText(file, format, agent));
  const howToEnablePlugin = howToEnable(value);
  const isOff = (plugin: Plugin) => {
    const wayOut = howToEnablePlugin({ name: plugin.name, id: pluginId(plugin) }, cwd);
    return wayOut === undefined ? undefined : { by: file, wayOut };
  };
  return { isOff, diagnostics };
}

async function readText(
  file: string,
  format: string,
  agent: string,
): Promise<Pick<JsonFile, "value" | "diagnostics">> {
  try {
    return { value: await readSettings(file, format), diagnostics: [] };
  } catch (error) {
    const message = `It cannot be read: ${describeError(error)}. No plugin of ${agent} counts as turned off.`;
    const diagnostic = { severity: "error", code: "settings-file", file, message } as const;
    return { value: undefined, diagnostics: [diagnostic] };
  }
}

/** A JSON file of another tool: its value, unless it is missing or has a problem. */
interface JsonFile {
  readonly value: unknown;
  readonly missing: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** Such files are written by a tool and small; anything larger is not what it claims to be. */
const LARGEST_FILE = 8 * 1024 * 1024;

export async function readJson(file: string, code: Diagnostic["code"]): Promise<JsonFile> {
  const problem = (message: string): JsonFile => {
    return { value: undefined, missing: false, diagnostics: [{ severity: "error", code, file, message }] };
  };
  let text: string | undefined;
  try {
    text = await readSettings(file, "JSON");
  } catch (error) {
    return problem(`It cannot be read: ${describeError(error)}.`);
  }
  if (text === undefined) return { value: undefined, missing: true, diagnostics: [] };
  try {
    return { value: JSON.parse(text) as unknown, missing: false, diagnostics: [] };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return problem(`It is not valid JSON (${reason}), so it was ignored.`);
  }
}

/** The text of a file, without a byte order mark; undefined when there is none. */
async function readSettings(file: string, format: string): Promise<string | undefined> {
  try {
    // Dotfile managers link these files, so links are followed here.
    return await withOpenFile(await realpath(file), async ({ stats, readStart }) => {
      if (!stats.isFile() || stats.size > LARGEST_FILE)
        throw new Error(`it is not a ${format} file of at most 8 MiB`);
      return (await readStart(stats.size)).toString("utf8").replace(/^\uFEFF/, "");
    });
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
