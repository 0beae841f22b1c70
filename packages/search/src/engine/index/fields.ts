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
export const NAME_SHIFT = 14;
export const DESCRIPTION_SHIFT = 11;
export const KEYWORDS_SHIFT = 9;
export const EXAMPLES_SHIFT = 6;
export const BODY_MASK = 63;
const FIELD_SHIFT: readonly number[] = [NAME_SHIFT, DESCRIPTION_SHIFT, KEYWORDS_SHIFT, EXAMPLES_SHIFT, 0];
const FIELD_MOST: readonly number[] = [3, 7, 3, 7, BODY_MASK];

/** Everything above the body: the fields an author wrote to be found by. */
export const ABOVE_BODY = 0xffc0;

export const IN_DESCRIPTION = 7 << DESCRIPTION_SHIFT;

/** By field, then by document number: how many terms the field has. */
export type Lengths = readonly [Uint16Array, Uint16Array, Uint16Array, Uint16Array, Uint16Array];

/** The packed counts with one more occurrence in a field. */
export function withOccurrence(packed: number, field: number): number {
  const shift = FIELD_SHIFT[field] as number;
  const most = FIELD_MOST[field] as number;
  return ((packed >>> shift) & most) < most ? packed + (1 << shift) : packed;
}

/** By field: how much an occurrence counts, and how much a field longer than average takes from it (b). */
export const BM25F = {
  weights: [3, 2, 2, 2, 0.5],
  b: [0.75, 0.75, 0.75, 0.75, 0.75],
  /** How soon more occurrences of the same word stop counting. */
  k1: 1.5,
};
