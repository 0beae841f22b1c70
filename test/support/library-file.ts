import type { LibraryFile } from "#skills";

/** A library file with the defaults that an author gets. */
export function libraryFile(filePath: string, fields: Partial<LibraryFile> = {}): LibraryFile {
  const stem = filePath.replace(/\.md$/, "");
  return {
    keywords: [stem],
    description: `About ${stem}.`,
    inherit: true,
    priority: 0,
    assets: [],
    scripts: [],
    filePath,
    location: "project",
    file: `/shop/library/${filePath}`,
    realFile: `/shop/library/${filePath}`,
    resourceDir: `/shop/library/${stem}`,
    root: "/shop/library",
    ...fields,
  };
}
