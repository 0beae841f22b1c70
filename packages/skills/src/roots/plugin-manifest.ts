import path from "node:path";
import type { PluginLayout } from "#agents";
import { isInside } from "#util";
import { isRecord, readJson } from "./json-file.ts";

/** What a plugin says of itself. */
export interface Manifest {
  /** The file that was read, or the first one that is missing. */
  readonly file: string;
  readonly missing: boolean;
  readonly name?: string;
  /** Folders of skills, relative to the plugin. */
  readonly skills: readonly string[];
  /** Why the plugin cannot be served: a whole sentence. */
  readonly problem?: string;
}

const SKILLS: readonly string[] = ["skills"];

export async function readManifest(dir: string, layout: PluginLayout): Promise<Manifest> {
  for (const candidate of layout.manifests) {
    const file = path.join(dir, candidate);
    const { value, missing, diagnostics } = await readJson(file, "plugin-entry");
    if (missing) continue;
    const problem = diagnostics[0]?.message;
    return problem === undefined
      ? { file, ...parseManifest(value, layout) }
      : { file, missing: false, skills: SKILLS, problem };
  }
  const file = path.join(dir, layout.manifests[0] ?? "");
  if (layout.needsManifest !== true) return { file, missing: true, skills: SKILLS };
  const problem = "It does not exist, so this folder is no plugin and its skills are not served.";
  return { file, missing: true, skills: SKILLS, problem };
}

/** Reads `{name, skills?: folder | folder[]}`; everything else is for others. */
export function parseManifest(
  value: unknown,
  layout: Pick<PluginLayout, "needsManifest" | "namesFolders">,
): Omit<Manifest, "file"> {
  const refused = (problem: string) => ({ missing: false, skills: SKILLS, problem });
  if (!isRecord(value)) return refused("It is not a JSON object, so the plugin is not served.");
  const { name, skills, $schema } = value;
  if (layout.needsManifest === true) {
    const problem = agentPluginProblem($schema, name);
    if (problem !== undefined) return refused(problem);
  }
  const named = typeof name === "string" && name.trim() !== "" ? { name: name.trim() } : {};
  if (layout.namesFolders !== true || skills === undefined)
    return { missing: false, skills: SKILLS, ...named };
  const folders = (Array.isArray(skills) ? skills : [skills]) as readonly unknown[];
  const usable = folders.filter((folder) => typeof folder === "string").filter(staysInside);
  if (usable.length < folders.length)
    return refused("`skills` must be a folder in the plugin, or a list of them. The plugin is not served.");
  return { missing: false, skills: usable, ...named };
}

const ANYWHERE = path.resolve("/plugin");

function staysInside(folder: string): boolean {
  return folder !== "" && !folder.includes("\0") && isInside(ANYWHERE, path.resolve(ANYWHERE, folder));
}

const SCHEMA = /^https:\/\/agent-plugins\.org\/schemas\/1\.\d+\.\d+\/plugin\.schema\.json$/;
const NAME = /^[a-z0-9](?:[a-z0-9.-]{0,62}[a-z0-9])?$/;

/** The two fields that every Agent Plugins 1.x manifest has. */
function agentPluginProblem(schema: unknown, name: unknown): string | undefined {
  if (typeof schema !== "string" || !SCHEMA.test(schema)) {
    return "Its `$schema` is not that of Agent Plugins 1.0.0 (https://agent-plugins.org/schemas/1.0.0/plugin.schema.json), so the plugin is not served.";
  }
  if (typeof name === "string" && NAME.test(name) && !/--|\.\./.test(name)) return undefined;
  return "Its `name` must have 1 to 64 characters of a-z, 0-9, `-` and `.`, begin and end with a letter or digit, and repeat neither `-` nor `.`. The plugin is not served.";
}

/** The real folder of a plugin, which a file in a linked one names. */
export async function readLink(dir: string, { linkFile }: PluginLayout): Promise<string> {
  if (linkFile === undefined) return dir;
  const { value } = await readJson(path.join(dir, linkFile), "plugin-entry");
  if (!isRecord(value) || value["type"] !== "link") return dir;
  const { source } = value;
  return typeof source === "string" && path.isAbsolute(source) && !source.includes("\0") ? source : dir;
}
