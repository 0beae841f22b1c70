import type { FoundFile } from "../../catalog/library/skill-files.ts";
import type { LibraryPath } from "../../system/open-inside.ts";

/** Where a declared file lies. Only what the front matter says becomes a path, never what a client sent. */
export function libraryPathOf({ skill, declaration, kind }: FoundFile): LibraryPath {
  return {
    // Only skills that have a folder for their files offer any.
    folder: skill.resourceDir ?? skill.root,
    file: declaration.file,
    root: skill.root,
    label: `The ${kind} "${declaration.file}" of "${skill.path}"`,
  };
}
