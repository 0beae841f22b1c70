import { loadableName } from "#skills";
import { isRecord } from "#util/pure";

/** A `marketplace.json` of Claude Code, Codex or Copilot. */
export interface Marketplace {
  /** "" if it has none. */
  readonly name: string;
  readonly plugins: readonly MarketPlugin[];
  /** A sentence for each entry that is ignored. */
  readonly problems: readonly string[];
}

/** Paths start from the folder that the marketplace is for, "" for that folder itself, and never lead out of it. */
export interface MarketPlugin {
  readonly name: string;
  readonly source: PluginSource;
  /** The folders that it lists as its skills, or as holding them; undefined if it lists none and has the usual layout. */
  readonly skills: readonly string[] | undefined;
}

type PluginSource =
  | { readonly kind: "inside"; readonly path: string }
  /** A path that leads out, as it is written. */
  | { readonly kind: "outside"; readonly path: string }
  /** Another source, as `add` takes it. */
  | { readonly kind: "elsewhere"; readonly address: string }
  | { readonly kind: "unknown" };

/**
 * Parses a marketplace; undefined if it has no list of plugins. An entry that is no object or has no name is ignored with
 * a problem. A plugin without `source` is the whole folder, as with `./`: hosts require a source, and authors of a
 * repository with one plugin forget it.
 */
export function parseMarketplace(file: unknown): Marketplace | undefined {
  if (!isRecord(file) || !Array.isArray(file["plugins"])) return undefined;
  const { name, metadata } = file;
  const root = isRecord(metadata) ? metadata["pluginRoot"] : undefined;
  const base = typeof root === "string" ? `${root}/` : "";
  const plugins: MarketPlugin[] = [];
  const problems: string[] = [];
  for (const entry of file["plugins"] as readonly unknown[]) {
    if (!isRecord(entry)) {
      problems.push("An entry of its list is no object, so it is ignored.");
      continue;
    }
    const plugin = nameOf(entry["name"]);
    if (plugin === "") {
      problems.push("A plugin without a name is ignored.");
      continue;
    }
    const source = parseSource(entry["source"], base);
    const skills = source.kind === "inside" ? listedSkills(entry["skills"], source.path) : undefined;
    plugins.push({ name: plugin, source, skills });
  }
  return { name: nameOf(name), plugins, problems };
}

function parseSource(source: unknown, base: string): PluginSource {
  if (source === undefined) return insideSource("./", "");
  if (typeof source === "string")
    return isAddress(source) ? { kind: "elsewhere", address: source } : insideSource(source, base);
  if (!isRecord(source)) return { kind: "unknown" };
  const { source: kind, repo, url, path, ref, sha, package: pack, version } = source;
  if (kind === "local" && typeof path === "string") return insideSource(path, base);
  const pin = typeof sha === "string" ? `#${sha}` : typeof ref === "string" ? `#${ref}` : "";
  if (kind === "github" && typeof repo === "string") return { kind: "elsewhere", address: `${repo}${pin}` };
  if (kind === "npm" && typeof pack === "string") {
    const pinned = typeof version === "string" ? `@${version}` : "";
    return { kind: "elsewhere", address: `npm:${pack}${pinned}` };
  }
  if (typeof url !== "string") return { kind: "unknown" };
  const folder = typeof path === "string" ? `:${folderBelow("", path) ?? ""}` : "";
  return { kind: "elsewhere", address: `${url}${pin}${folder}` };
}

/** A URL, or an address of git over SSH. A single letter is a drive of Windows. */
function isAddress(text: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]+:|git@)/i.test(text);
}

function insideSource(text: string, base: string): PluginSource {
  const path = folderBelow("", text.startsWith("/") ? text : `${base}${text}`);
  return path === undefined ? { kind: "outside", path: text } : { kind: "inside", path };
}

function listedSkills(skills: unknown, plugin: string): readonly string[] | undefined {
  const given: readonly unknown[] =
    typeof skills === "string" ? [skills] : Array.isArray(skills) ? skills : [];
  if (given.length === 0) return undefined;
  return given.flatMap((each) => (typeof each === "string" ? (folderBelow(plugin, each) ?? []) : []));
}

/** `./a/../b/` below `base` as `base/b`; undefined for a path that is absolute or leads out of everything. */
function folderBelow(base: string, text: string): string | undefined {
  if (text.startsWith("/") || /[\\:\u0000-\u001f]/.test(text)) return undefined;
  const parts: string[] = [];
  for (const part of `${base}/${text}`.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}

function nameOf(value: unknown): string {
  return typeof value === "string" ? loadableName(value) : "";
}
