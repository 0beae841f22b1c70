/** Words that say nothing about what is asked. */
const EMPTY: ReadonlySet<string> = new Set(
  "a an and at by can could for from how i in into it me my of on or our please some that the their these this those to us we with you your".split(
    " ",
  ),
);

const LONGEST_NAME = 40;

/** A name for the skill that a request lacks: its first words that say something. */
export function proposedName(request: string): string {
  const words = request
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "" && !EMPTY.has(word));
  const name = words.slice(0, 4).join("-").slice(0, LONGEST_NAME);
  return name.replace(/-$/, "") || "new-skill";
}

/** A description to start from, with the words that people used. */
export function proposedDescription(requests: readonly string[]): string {
  const [first = "", ...others] = requests.slice(0, 4);
  const what = `${first.charAt(0).toUpperCase()}${first.slice(1)}`.replace(/[.\s]+$/, "");
  const like =
    others.length === 0 ? "" : ` Also for requests such as ${others.map((one) => `"${one}"`).join(", ")}.`;
  return `${what}. Use when someone asks to ${first.replace(/[.\s]+$/, "")}.${like}`;
}
