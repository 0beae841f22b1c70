import type { Resource } from "@modelcontextprotocol/server";
import { ownFiles } from "#library";
import type { Library } from "#skills";
import { memoizeWeak } from "#util/pure";
import { compareKeys } from "../server/paging.ts";
import { LIBRARY_SCHEME, MARKDOWN, resourceTypeOf, resourceUri } from "./resource-uri.ts";

/** What a library URI refers to. */
export type LibraryTarget =
  | { readonly kind: "skill"; readonly skillPath: string }
  /** A file that the skill may declare or inherit. */
  | { readonly kind: "asset"; readonly skillPath: string; readonly file: string };

/** `library://ui/react/auth` is a skill; what follows the path of one is a file of it. Skills take precedence. */
export function libraryTarget({ skills }: Library, parts: readonly string[]): LibraryTarget | undefined {
  const whole = parts.join("/");
  if (skills.has(whole)) return { kind: "skill", skillPath: whole };
  for (let length = parts.length - 1; length > 0; length--) {
    const skillPath = parts.slice(0, length).join("/");
    if (skills.has(skillPath)) return { kind: "asset", skillPath, file: parts.slice(length).join("/") };
  }
  return undefined;
}

export function librarySkillUri(skillPath: string): string | undefined {
  return resourceUri(LIBRARY_SCHEME, skillPath.split("/"));
}

/** Every skill of a library and the files that it declares itself, in the order of their URIs. */
export const libraryResources = memoizeWeak((library: Library): readonly Resource[] => {
  const byUri = new Map<string, Resource>();
  const add = (uri: string | undefined, resource: Omit<Resource, "uri">): void => {
    if (uri !== undefined && !byUri.has(uri)) byUri.set(uri, { uri, ...resource });
  };
  for (const { path, description } of library.skills.values()) {
    add(librarySkillUri(path), { name: path, description, mimeType: MARKDOWN });
  }
  for (const skill of library.skills.values()) {
    const { assets, scripts } = ownFiles(skill);
    for (const { file, description } of [...assets, ...scripts]) {
      const uri = resourceUri(LIBRARY_SCHEME, [...skill.path.split("/"), ...file.split("/")]);
      add(uri, { name: `${skill.path}/${file}`, description, mimeType: resourceTypeOf(file) });
    }
  }
  return [...byUri.values()].sort((a, b) => compareKeys(a.uri, b.uri));
});
