/** The views and their titles. */
export const VIEWS = {
  overview: "Overview",
  skills: "Skills",
  seen: "Seen by",
  model: "What the model sees",
  try: "Try it",
  sources: "Sources",
  usage: "Usage",
  health: "Health",
} as const;
export type View = keyof typeof VIEWS;

/** The page state that a link restores. */
export interface Route {
  readonly view: View;
  readonly params: URLSearchParams;
}

export type Changes = Readonly<Record<string, string | undefined>>;

/** Views that are a part of another one now: links to them keep working. */
const MOVED: Readonly<Record<string, { readonly view: View; readonly part: string }>> = {
  review: { view: "sources", part: "review" },
};

export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const params = new URLSearchParams(query);
  const moved = Object.hasOwn(MOVED, path) ? MOVED[path] : undefined;
  if (moved !== undefined) {
    params.set("part", moved.part);
    return { view: moved.view, params };
  }
  return { view: Object.hasOwn(VIEWS, path) ? (path as View) : "overview", params };
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

/** The key of a library skill: its path may equal the name of another skill. */
export function libraryKey(path: string): string {
  return `library:${path}`;
}

/** The unique key of a search result. */
export function foundKey({
  name,
  skill_path,
}: {
  readonly name: string;
  readonly skill_path?: string;
}): string {
  return skill_path === undefined ? name : libraryKey(skill_path);
}
