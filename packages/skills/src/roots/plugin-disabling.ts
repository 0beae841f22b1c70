import type { PluginFolder } from "#agents";
import { describeError } from "#util";

import type { Diagnostic } from "../skill/diagnostic.ts";
import { type Plugin, pluginId } from "../skill/skill.ts";
import { type JsonFile, readJson, readSettings } from "./json-file.ts";

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
