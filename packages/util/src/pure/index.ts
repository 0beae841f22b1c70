export { commandText } from "./command-text.ts";
export { cutText, oneLine } from "./cut-text.ts";
export { defined } from "./defined.ts";
export { editDistance } from "./edit-distance.ts";
export { EXAMPLE_LABEL } from "./example-label.ts";
export { fnv1a, shortHash } from "./hash.ts";
export { isHidden } from "./hidden-file.ts";
export {
  escapeHiddenCharacters,
  findHiddenCharacters,
  type HiddenCharacter,
  visibleLine,
} from "./hidden-unicode.ts";
export { isRecord, parseJson } from "./json.ts";
export { memoizeWeak } from "./memoize.ts";
export { compareText, nameKey } from "./name-key.ts";
export { once, onFirstUse } from "./once.ts";
export { type FetchReason, type LibraryReason, Refusal, type RefusalDetail } from "./refusal.ts";
export { suggestNames } from "./suggest.ts";
