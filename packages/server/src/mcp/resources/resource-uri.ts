import type { Skill } from "#skills";
import { mimeTypeOf } from "#util";

export const SKILL_SCHEME = "skill:";
export const LIBRARY_SCHEME = "library:";

/** What the file of every skill is called in URIs: hosts accept no other spelling. */
export const SKILL_FILE = "SKILL.md";

/** Marks the first part of a plugin skill's URI; no provider ends with it. */
const PLUGIN_MARK = "-plugin";

export interface ResourceAddress {
  readonly scheme: typeof SKILL_SCHEME | typeof LIBRARY_SCHEME;
  /** Decoded; at least one. */
  readonly parts: readonly string[];
}

/**
 * `skill://claude/pdf`, or `skill://claude-plugin/example-skills/pdf` for a plugin's: made of the skill's identity
 * alone, so it stays the same wherever the skill is and whatever other skills exist. Undefined for a name that cannot be
 * written in a URI.
 */
export function skillRootUri({ provider, plugin, name }: Skill): string | undefined {
  const parts = plugin === undefined ? [provider, name] : [`${provider}${PLUGIN_MARK}`, plugin.name, name];
  return resourceUri(SKILL_SCHEME, parts);
}

/** Joins parts to a URI; undefined when a part cannot be written in one. */
export function resourceUri(scheme: ResourceAddress["scheme"], parts: readonly string[]): string | undefined {
  const encoded = parts.map(encodePart);
  if (encoded.includes(undefined)) return undefined;
  const uri = `${scheme}//${encoded.join("/")}`;
  // A part such as `..` would be resolved away by a URI parser.
  return URL.canParse(uri) && new URL(uri).href === uri ? uri : undefined;
}

/** Below a URI that `skillRootUri` gave. */
export function uriBelow(root: string, names: readonly string[]): string | undefined {
  const encoded = names.map(encodePart);
  return encoded.includes(undefined) ? undefined : [root, ...encoded].join("/");
}

/** The URI of a file of a skill. The skill's own file is `SKILL.md` there, however the disk spells it. */
export function skillFileUri(root: string, skill: Skill, names: readonly string[]): string | undefined {
  return uriBelow(root, isSkillFile(skill, names) ? [SKILL_FILE] : names);
}

/** The names on the disk of what a URI names below a skill. */
export function namesOnDisk({ fileName }: Skill, names: readonly string[]): readonly string[] {
  return names.length === 1 && names[0] === SKILL_FILE ? [fileName] : names;
}

export function isSkillFile({ fileName }: Skill, names: readonly string[]): boolean {
  return names.length === 1 && names[0] === fileName;
}

/** Accepts any spelling; undefined for a URI of another scheme. */
export function parseResourceUri(uri: string): ResourceAddress | undefined {
  if (!URL.canParse(uri)) return undefined;
  const { protocol, host, pathname, search } = new URL(uri);
  if ((protocol !== SKILL_SCHEME && protocol !== LIBRARY_SCHEME) || host === "" || search !== "")
    return undefined;
  const path = pathname.replace(/^\//, "");
  try {
    const parts = [host, ...(path === "" ? [] : path.split("/"))].map(decodeURIComponent);
    return { scheme: protocol, parts };
  } catch {
    return undefined;
  }
}

/** Where the skill ends and the file begins. */
export function splitSkillAddress({ parts }: ResourceAddress): {
  readonly root: string | undefined;
  readonly names: readonly string[];
} {
  const length = parts[0]?.endsWith(PLUGIN_MARK) === true ? 3 : 2;
  if (parts.length < length) return { root: undefined, names: [] };
  return { root: resourceUri(SKILL_SCHEME, parts.slice(0, length)), names: parts.slice(length) };
}

function encodePart(part: string): string | undefined {
  try {
    return part === "" ? undefined : encodeURIComponent(part);
  } catch {
    // A lone surrogate: the file name is not valid text.
    return undefined;
  }
}

export const MARKDOWN = "text/markdown";
export const FOLDER = "inode/directory";

/** By the extension alone, so that a list and a read agree. */
export function resourceTypeOf(fileName: string): string {
  return mimeTypeOf(fileName) ?? "application/octet-stream";
}
