import { createKeywordIndex, type KeywordIndex } from "../../catalog/library/keyword-index.ts";
import type { Library } from "../../catalog/library/library.ts";

/** Makes the index of a library once. Keyed weakly, so a replaced library takes its index with it. */
export function createIndexKeeper(): (library: Library) => KeywordIndex {
  const indexes = new WeakMap<Library, KeywordIndex>();
  return (library) => {
    const known = indexes.get(library);
    if (known !== undefined) return known;
    const fresh = createKeywordIndex(library.skills.values());
    indexes.set(library, fresh);
    return fresh;
  };
}
