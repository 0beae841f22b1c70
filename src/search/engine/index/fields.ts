/** The fields of a document, in the order in which every per-field array is laid out. */
export const FIELD_COUNT = 5;
export const NAME = 0;
export const DESCRIPTION = 1;
export const KEYWORDS = 2;
export const EXAMPLES = 3;
export const BODY = 4;

/**
 * How often a term occurs in each field of one document, in 16 bits: name 2, description 3, keywords 2, examples 3,
 * body 6. More occurrences than fit count as the most that fit: BM25 is nearly flat there.
 */
export const FIELD_SHIFT: readonly number[] = [14, 11, 9, 6, 0];
export const FIELD_MOST: readonly number[] = [3, 7, 3, 7, 63];

/** Everything above the body: the fields an author wrote to be found by. */
export const ABOVE_BODY = 0xffc0;

export const NAME_SHIFT = 14;
export const DESCRIPTION_SHIFT = 11;
export const KEYWORDS_SHIFT = 9;
export const EXAMPLES_SHIFT = 6;
export const BODY_MASK = 63;
