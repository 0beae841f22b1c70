export { commandText } from "./command-text.ts";
export { EXAMPLE_LABEL } from "./example-label.ts";
export { fnv1a, shortHash } from "./hash.ts";
export { isHidden } from "./hidden-file.ts";
export { defined, isRecord, parseJson } from "./json.ts";
export { memoizeWeak } from "./memoize.ts";
export { type FetchReason, type LibraryReason, Refusal } from "./refusal.ts";
export {
  cutText,
  escapeInvisibleCharacters,
  findInvisibleCharacters,
  oneLine,
  visibleLine,
} from "./shown-text.ts";
export { compareText, editDistance, LONGEST_NAME, nameKey, suggestNames } from "./suggest.ts";
