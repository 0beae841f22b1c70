import { HOST_FIELDS, INVOCATION_FIELDS, invocationFieldOf } from "#skills";
import { editDistance } from "#util/pure";

/** The fields that the Agent Skills specification defines. */
const SPECIFIED = ["name", "description", "license", "compatibility", "metadata", "allowed-tools"] as const;

/** Fields that the ranked search of skills-mcp reads. */
const SEARCH_FIELDS = "examples triggers prompts keywords tags aliases topics category".split(" ");

/** Fields that people give to skills of their own, and that mean nothing to a host: near misses of nothing. */
const FREE_FIELDS: ReadonlySet<string> = new Set(
  "version author title dependencies homepage repository type mode".split(" "),
);

const KNOWN: ReadonlySet<string> = new Set([
  ...SPECIFIED,
  ...INVOCATION_FIELDS,
  ...HOST_FIELDS,
  ...SEARCH_FIELDS,
]);
const FROM_HOSTS: ReadonlySet<string> = new Set(
  [...INVOCATION_FIELDS, ...HOST_FIELDS].filter((field) => field !== "allowed-tools"),
);
/** What a misspelled field may have been meant to be. */
const MEANT: readonly string[] = [...SPECIFIED, ...FROM_HOSTS];

/** Added to a finding that `--fix` leaves to a person. */
export const NOT_FIXED =
  "`--fix` does not change it: agents would start to act on a field that may grant them tools, run hooks or choose a model. Correct it by hand if that is what you want.";

/** Every field that means something to somebody, by who reads it: for the reference page. */
export function knownFields(): Readonly<
  Record<"specification" | "invocation" | "hosts" | "search", readonly string[]>
> {
  return {
    specification: SPECIFIED,
    invocation: INVOCATION_FIELDS,
    hosts: HOST_FIELDS,
    search: SEARCH_FIELDS,
  };
}

export function isKnownField(field: string): boolean {
  return KNOWN.has(field);
}

/** The fields of a front matter that the specification does not have, and some hosts act on. */
export function hostFields(fields: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(fields).filter((field) => FROM_HOSTS.has(field));
}

/** The one field that an unknown one is a misspelling of; undefined when it may be several, or none. */
export function meantField(field: string): string | undefined {
  if (isKnownField(field) || FREE_FIELDS.has(field)) return undefined;
  const otherSpelling = invocationFieldOf(field);
  if (otherSpelling !== undefined) return otherSpelling;
  const folded = fold(field);
  // Short words are a letter away from many others.
  const allowed = folded.length < 7 ? 1 : 2;
  const near = MEANT.map((known) => ({ known, distance: editDistance(folded, fold(known), allowed) }))
    .filter(({ distance }) => distance <= allowed)
    .sort((a, b) => a.distance - b.distance);
  const [best, second] = near;
  return best === undefined || second?.distance === best.distance ? undefined : best.known;
}

function fold(field: string): string {
  return field.toLowerCase().replace(/[-_ ]/g, "");
}
