const VIEWS = ["skills", "try", "health", "usage"] as const;
export type View = (typeof VIEWS)[number];

/** Where in the page we are: everything that a link should bring back. */
export interface Route {
  readonly view: View;
  readonly params: URLSearchParams;
}

export type Changes = Readonly<Record<string, string | undefined>>;

export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const view = VIEWS.find((name) => name === path) ?? "skills";
  return { view, params: new URLSearchParams(query) };
}

export function routeHash(view: View, params: Changes | URLSearchParams = {}): string {
  const pairs = params instanceof URLSearchParams ? [...params] : Object.entries(params);
  const query = new URLSearchParams(
    pairs.filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== ""),
  ).toString();
  return `#/${view}${query === "" ? "" : `?${query}`}`;
}

export function skillHash(skill: { readonly name: string } | { readonly file: string }): string {
  return routeHash("skills", "file" in skill ? { file: skill.file } : { open: skill.name });
}

/** A library's skill by its path, which may be the name of another skill too. */
export function libraryKey(path: string): string {
  return `library:${path}`;
}

/** What a search found, by the name that means it alone. */
export function foundKey({
  name,
  skill_path,
}: {
  readonly name: string;
  readonly skill_path?: string;
}): string {
  return skill_path === undefined ? name : libraryKey(skill_path);
}
