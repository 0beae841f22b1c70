import type { UpdatesAnswer } from "#server/wire";

const NAME = "skills-mcp-updates";

/** The answer of the last check for updates in this tab: asking again would use the network. */
export function readUpdates(): UpdatesAnswer | undefined {
  try {
    const text = sessionStorage.getItem(NAME);
    return text === null ? undefined : (JSON.parse(text) as UpdatesAnswer);
  } catch {
    return undefined;
  }
}

export function saveUpdates(answer: UpdatesAnswer): void {
  try {
    sessionStorage.setItem(NAME, JSON.stringify(answer));
  } catch {
    // Without storage the next view asks again.
  }
}
