import { isBinary } from "../../catalog/library/file-kinds.ts";
import type { Library, LibrarySkill } from "../../catalog/library/library.ts";
import { findFile } from "../../catalog/library/skill-files.ts";
import { readInside } from "../../system/open-inside.ts";
import { libraryPathOf } from "./library-path.ts";

/** Gives small text files their content, so that an agent need not ask for each of them. */
export function withInlineText(library: Library, skill: LibrarySkill, maxBytes: number) {
  return <T extends { readonly file: string; readonly from?: string }>(
    assets: readonly T[],
  ): Promise<readonly (T & { readonly content?: string })[]> =>
    Promise.all(
      assets.map(async (asset) => {
        const holder = asset.from === undefined ? skill : library.skills.get(asset.from);
        if (maxBytes === 0 || holder === undefined || isBinary(asset.file)) return asset;
        const found = findFile(library, holder, asset.file);
        if (found === undefined) return asset;
        // Whatever stands in the way is told when the file is asked for.
        const read = await readInside(libraryPathOf(found), maxBytes).catch(() => undefined);
        return read === undefined ? asset : { ...asset, content: read.bytes.toString("utf8") };
      }),
    );
}
