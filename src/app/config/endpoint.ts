/** What an endpoint must be, as the end of a sentence. */
export const ENDPOINT =
  "an http or https URL without a user name or password, such as https://example.com/events";

/** Whether events can be sent there. `fetch` refuses a URL that holds a password. */
export function isEndpoint(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === "" && password === "";
}
