import type { Library, LibrarySkill } from "#skills";

/** A library skill in a library at `/shop`, with a folder for its files unless told otherwise. */
export function librarySkill(path: string, more: Partial<LibrarySkill> = {}): LibrarySkill {
  return {
    path,
    filePath: `${path}.md`,
    parent: undefined,
    location: "project",
    file: `/shop/${path}.md`,
    realFile: `/shop/${path}.md`,
    resourceDir: `/shop/${path}`,
    root: "/shop",
    keywords: [path],
    description: `Does ${path}.`,
    inherit: true,
    priority: 0,
    assets: [],
    scripts: [],
    ...more,
  };
}

export function libraryOf(...skills: readonly LibrarySkill[]): Library {
  return { skills: new Map(skills.map((skill) => [skill.path, skill])) };
}

export function asset(file: string, description = ""): LibrarySkill["assets"][number] {
  return { file, description, type: "other" };
}

export function script(file: string, description = ""): LibrarySkill["scripts"][number] {
  return { file, description, execution: "claude", args: [] };
}
