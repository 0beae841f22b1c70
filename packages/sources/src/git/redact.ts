const HIDDEN = "***";
const LONGEST_LINE = 2_000;

/** The user name and password of every address in a text, replaced. A bare `git@host` stays: it is no secret. */
export function withoutUserInfo(text: string): string {
  return text.replaceAll(
    /\b([a-z][a-z0-9+.-]*:\/\/)([^/\s@'"]*@)+/gi,
    (whole, scheme: string, last: string) =>
      /^ssh/i.test(scheme) && !whole.slice(scheme.length, -1).includes(":")
        ? `${scheme}${last}`
        : `${scheme}${HIDDEN}@`,
  );
}

/** Makes a text safe for a log or an answer: one line, no control characters, and no secret in any form we sent it. */
export function createRedactor(token: string | undefined): (text: string) => string {
  const secrets = token === undefined || token === "" ? [] : formsOf(token);
  return (text) => {
    let line = text;
    for (const secret of secrets) line = line.replaceAll(secret, HIDDEN);
    line = withoutUserInfo(line).replaceAll(/(authorization:\s*)\S+(\s+\S+)?/gi, `$1${HIDDEN}`);
    return line
      .replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ")
      .trim()
      .slice(0, LONGEST_LINE);
  };
}

/** Longest first, so that no part of a longer form remains. */
function formsOf(token: string): readonly string[] {
  const plain = [
    token,
    encodeURIComponent(token),
    basicCredential(token),
    Buffer.from(token).toString("base64"),
  ];
  return [...new Set(plain)].sort((a, b) => b.length - a.length);
}

/** What follows `Authorization: Basic`. A token with a colon is a name and a password. */
export function basicCredential(token: string): string {
  return Buffer.from(token.includes(":") ? token : `x-access-token:${token}`).toString("base64");
}
