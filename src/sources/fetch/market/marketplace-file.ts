import { isRecord, parseJson } from "../../../system/json.ts";

/** A plugin of a `marketplace.json`. */
export interface MarketPlugin {
  readonly name: string;
  readonly source: PluginSource;
  /** Folders of skills, below the plugin's; undefined if the plugin has the usual layout. */
  readonly skills: readonly string[] | undefined;
}

type PluginSource =
  /** A folder below that of the marketplace, "" for the whole. */
  | { readonly kind: "inside"; readonly path: string }
  /** Another source, as `add` takes it. */
  | { readonly kind: "elsewhere"; readonly address: string }
  | { readonly kind: "unknown" };

/** Parses a `marketplace.json` of Claude Code, Codex or Copilot; undefined if it is something else. */
export function parseMarketplace(text: string): readonly MarketPlugin[] | undefined {
  const file = parseJson(text);
  const plugins = isRecord(file) ? file["plugins"] : undefined;
  if (!isRecord(file) || !Array.isArray(plugins)) return undefined;
  const metadata = file["metadata"];
  const root = isRecord(metadata) ? metadata["pluginRoot"] : undefined;
  const base = typeof root === "string" ? plainFolder(root) : "";
  return (plugins as readonly unknown[]).filter(isRecord).map((plugin, at) => {
    const { name, source, skills } = plugin;
    return {
      name: typeof name === "string" && name !== "" ? name : `plugin ${at + 1}`,
      source: base === undefined ? { kind: "unknown" } : parseSource(source, base),
      skills: parseSkills(skills),
    };
  });
}

function parseSource(source: unknown, base: string): PluginSource {
  if (typeof source === "string") return insideSource(source, base);
  if (!isRecord(source)) return { kind: "unknown" };
  const { repo, url, path, ref, sha } = source;
  const pin = typeof sha === "string" ? `#${sha}` : typeof ref === "string" ? `#${ref}` : "";
  const narrowed = typeof path === "string" ? `:${plainFolder(path) ?? ""}` : "";
  if (source["source"] === "local" && typeof path === "string") return insideSource(path, "");
  if (source["source"] === "github" && typeof repo === "string")
    return { kind: "elsewhere", address: `${repo}${pin}` };
  if (source["source"] === "npm" && typeof source["package"] === "string") {
    const version = typeof source["version"] === "string" ? `@${source["version"]}` : "";
    return { kind: "elsewhere", address: `npm:${source["package"]}${version}` };
  }
  if (typeof url === "string")
    return { kind: "elsewhere", address: pin === "" ? `${url}${narrowed}` : `${url}${pin}${narrowed}` };
  return { kind: "unknown" };
}

function insideSource(text: string, base: string): PluginSource {
  const inside = plainFolder(text);
  if (inside === undefined) return { kind: "unknown" };
  return { kind: "inside", path: [base, inside].filter((part) => part !== "").join("/") };
}

function parseSkills(skills: unknown): readonly string[] | undefined {
  const given: readonly unknown[] =
    typeof skills === "string" ? [skills] : Array.isArray(skills) ? skills : [];
  const folders = given
    .map((each) => (typeof each === "string" ? plainFolder(each) : undefined))
    .filter((each) => each !== undefined);
  return folders.length === 0 ? undefined : folders;
}

/** `./a/b/` as `a/b`; undefined for a path that leads out or is absolute. */
function plainFolder(text: string): string | undefined {
  const parts = text.split("/").filter((part) => part !== "" && part !== ".");
  const isUnsafe = text.startsWith("/") || /[\\:\u0000-\u001f]/.test(text) || parts.includes("..");
  return isUnsafe ? undefined : parts.join("/");
}
