import type { Agent } from "./agent.ts";
import { ALL_AGENTS } from "./all-agents.ts";
import { type ClientInfo, type ClientTraits, CODING_AGENT, UNKNOWN } from "./client-traits.ts";

interface Known {
  readonly pattern: RegExp;
  /** The first version that this is true of. */
  readonly since?: string;
  readonly traits: ClientTraits;
}

/** Every measured client. The first entry whose name and version match counts, so newer versions come first. */
const KNOWN: readonly Known[] = ALL_AGENTS.flatMap(({ title, client }): readonly Known[] => {
  if (client?.measured === undefined) return [];
  const { pattern, traits: own, since = [] } = client.measured;
  const traits = { ...CODING_AGENT, title, ...own };
  return [
    ...since.map(([version, more]) => ({ pattern, since: version, traits: { ...traits, ...more } })),
    { pattern, traits },
  ];
});

/** What is known of a client; an unknown one gets what is safe everywhere. */
export function traitsOf(client: ClientInfo | undefined): ClientTraits {
  if (client === undefined) return UNKNOWN;
  const known = KNOWN.find(
    ({ pattern, since }) =>
      pattern.test(client.name) && (since === undefined || isAtLeast(client.version, since)),
  );
  return known?.traits ?? UNKNOWN;
}

/** What an agent reads from disk: as it was measured, else as its documentation says. */
export function readingTraits({ client, folders }: Agent): ClientTraits {
  if (client?.measured !== undefined) return traitsOf(client);
  return { ...UNKNOWN, reads: folders ?? UNKNOWN.reads };
}

/** The first versions of what changed in a client, the newest first. */
export function versionsOf(client: string): readonly string[] {
  return KNOWN.flatMap(({ pattern, since }) => (since !== undefined && pattern.test(client) ? [since] : []));
}

export function isKnown(client: ClientInfo): boolean {
  return traitsOf(client) !== UNKNOWN;
}

/** A version that cannot be read counts as an old one. */
function isAtLeast(version: string | undefined, least: string): boolean {
  const [ours, theirs] = [numbersOf(version ?? ""), numbersOf(least)];
  if (ours.length === 0) return false;
  for (const [index, number] of theirs.entries()) {
    const own = ours[index] ?? 0;
    if (own !== number) return own > number;
  }
  return true;
}

function numbersOf(version: string): readonly number[] {
  const found = /^\D{0,2}(\d{1,9}(?:\.\d{1,9})*)/.exec(version)?.[1];
  return found === undefined ? [] : found.split(".").map(Number);
}
