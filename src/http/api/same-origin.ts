/** A header that no page of another origin can send without asking first, which we never grant. */
const PAGE_HEADER = "x-skills-mcp";

/** Whether a request that changes something comes from our own page, or from a program that is none. */
export function isFromOurPage(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): boolean {
  if (headers[PAGE_HEADER] === undefined) return false;
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin") return false;
  const { origin, host } = headers;
  if (origin === undefined) return true;
  return typeof origin === "string" && URL.canParse(origin) && new URL(origin).host === host;
}
