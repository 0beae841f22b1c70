import { describeError } from "#util";
import { isRecord } from "#util/pure";
import type { Diagnostic } from "../skill/diagnostic.ts";
import { type Plugin, pluginId } from "../skill/skill.ts";
import { readJson, readSettings } from "./json-file.ts";

/** Which plugins an agent's settings turn off. A plugin that is not mentioned is on. */
interface Disabling {
  /** The file, and how to enable the plugin; undefined when it is on. */
  readonly isOff: (plugin: Plugin) => { readonly by: string; readonly wayOut: string } | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export const NO_PLUGINS_OFF: Disabling = { isOff: () => undefined, diagnostics: [] };

export function readDisabling(
  provider: string,
  { file, cwd }: { readonly file: string; readonly cwd: string },
): Promise<Disabling> {
  return provider === "codex" ? readCodexConfig(file) : readGeminiEnablement(file, cwd);
}

async function readCodexConfig(file: string): Promise<Disabling> {
  try {
    const off = offInToml((await readSettings(file, "TOML")) ?? "");
    const isOff = (plugin: Plugin) => {
      const id = pluginId(plugin);
      const wayOut = `Set \`enabled = true\` under \`[plugins."${id}"]\` there to serve its skills.`;
      return off.has(id) ? { by: file, wayOut } : undefined;
    };
    return { isOff, diagnostics: [] };
  } catch (error) {
    const message = `It cannot be read: ${describeError(error)}. No plugin of Codex counts as turned off.`;
    return { ...NO_PLUGINS_OFF, diagnostics: [{ severity: "error", code: "settings-file", file, message }] };
  }
}

/** The ids of `[plugins."<id>"]` with `enabled = false`, as Codex writes them. The rest of the TOML does not matter here. */
export function offInToml(text: string): ReadonlySet<string> {
  const off = new Set<string>();
  let id: string | undefined;
  for (const line of text.split("\n").map((each) => each.trim())) {
    if (line.startsWith("[")) {
      const header = /^\[plugins\.(?:"([^"]*)"|'([^']*)'|([\w-]+))\]/.exec(line);
      id = header?.[1] ?? header?.[2] ?? header?.[3];
    } else if (id !== undefined && /^enabled *= *false\b/.test(line)) off.add(id);
  }
  return off;
}

async function readGeminiEnablement(file: string, cwd: string): Promise<Disabling> {
  const { value, diagnostics } = await readJson(file, "settings-file");
  const isOff = ({ name }: Plugin) =>
    isEnabledFor(value, name, cwd)
      ? undefined
      : { by: file, wayOut: `Run \`gemini extensions enable ${name}\` to serve its skills.` };
  return { isOff, diagnostics };
}

/** `{<name>: {overrides: ["/a/*", "!/a/b/"]}}`: the last rule for a folder wins, `!` turns off, `*` is everything below. */
export function isEnabledFor(enablement: unknown, name: string, cwd: string): boolean {
  const entry = isRecord(enablement) && Object.hasOwn(enablement, name) ? enablement[name] : undefined;
  const overrides = isRecord(entry) ? entry["overrides"] : undefined;
  if (!Array.isArray(overrides)) return true;
  const rules = overrides.filter((rule) => typeof rule === "string");
  const place = `/${cwd.replaceAll("\\", "/").replace(/^\/+|\/+$/g, "")}/`;
  const last = rules.findLast((rule) => {
    const folder = rule.replace(/^!/, "");
    return folder.endsWith("*") ? place.startsWith(folder.slice(0, -1)) : place === folder;
  });
  return last === undefined || !last.startsWith("!");
}
