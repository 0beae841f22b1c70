const NAME = "skills-mcp-key";

/** The key that changes need, for as long as this tab is open. */
export function readKey(): string | null {
  try {
    return sessionStorage.getItem(NAME);
  } catch {
    return null;
  }
}

/** The key in an address that `serve` printed, or in what somebody pasted: the address, its end, or the key alone. */
export function keyIn(text: string): string | undefined {
  return /^(?:[^#]*#)?(?:key=)?([0-9a-f]{32,})$/.exec(text.trim())?.[1];
}

export function saveKey(key: string): void {
  try {
    sessionStorage.setItem(NAME, key);
  } catch {
    // Without storage, this tab stays read-only.
  }
}

/** Takes the key out of the page's address, so that it is not shared with a link. True if there was one. */
export function takeKeyFromAddress(): boolean {
  const key = location.hash.startsWith("#key=") ? keyIn(location.hash) : undefined;
  if (key === undefined) return false;
  saveKey(key);
  history.replaceState(null, "", location.pathname + location.search);
  return true;
}
