import { describe, expect, test } from "vitest";
import { basicCredential, createRedactor } from "../../src/git/redact.ts";

describe("a redacted line", () => {
  const token = "ghp_canary/+ 1";
  const redact = createRedactor(token);
  test.each([
    [`fatal: ${token} is wrong`, "fatal: *** is wrong"],
    [`sent ${basicCredential(token)}`, "sent ***"],
    [`sent ${encodeURIComponent(token)}`, "sent ***"],
    [`sent ${Buffer.from(token).toString("base64")}`, "sent ***"],
    ["https://me:secret@example.com/x failed", "https://***@example.com/x failed"],
    ["https://secret@example.com/x", "https://***@example.com/x"],
    ["https://a@b:secret@example.com/x", "https://***@example.com/x"],
    ["ssh://git@example.com/x and git@example.com:x", "ssh://git@example.com/x and git@example.com:x"],
    ["ssh://git:secret@example.com/x", "ssh://***@example.com/x"],
    ["> Authorization: Basic c2VjcmV0", "> Authorization: ***"],
    ["one\r\ntwo\u001b[31m", "one two [31m"],
    ["plain", "plain"],
  ])("made of %j is %j", (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  test("redacted line: a long one is cut", () => {
    expect(redact("x".repeat(10_000))).toHaveLength(2_000);
  });

  test.each([undefined, ""])("without a token (%j) keeps its words", (none) => {
    expect(createRedactor(none)("a b")).toBe("a b");
  });
});
