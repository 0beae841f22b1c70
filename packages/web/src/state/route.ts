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
  activity: "Activity",
  review: "Review",
} as const;
export type View = keyof typeof VIEWS;

/** The page state that a link restores. */
export interface Route {
  readonly view: View;
  /** What the address names, if that is no view. */
  readonly unknown?: string;
  readonly params: URLSearchParams;
}

export type Changes = Readonly<Record<string, string | undefined>>;

export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const params = new URLSearchParams(query);
  // A part of Sources before it was a view: links to it keep working.
  if (path === "sources" && params.get("part") === "review") return { view: "review", params };
  if (path === "") return { view: "overview", params };
  return Object.hasOwn(VIEWS, path)
    ? { view: path as View, params }
    : { view: "overview", unknown: path, params };
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
