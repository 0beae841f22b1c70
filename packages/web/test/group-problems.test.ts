import { expect, test } from "vitest";
import { ownMessage, sharedMessage } from "../src/health/group-problems.ts";

const asked = (...messages: readonly string[]) => {
  const shared = sharedMessage(messages.map((message) => ({ message })));
  return [shared, messages.map((message) => ownMessage(message, shared))];
};

test.each([
  ["one finding says it itself", ["Remove it. Found: a"], ["", ["Remove it. Found: a"]]],
  ["the same twice is said once", ["No front matter.", "No front matter."], ["No front matter.", ["", ""]]],
  [
    "what was found stays with its place",
    ["Remove it. Found: a", "Remove it. Found: b"],
    ["Remove it.", ["Found: a", "Found: b"]],
  ],
  [
    "different ones stay as they are",
    ["The link 'a'", "The link 'b'"],
    ["", ["The link 'a'", "The link 'b'"]],
  ],
])("%s", (_what, messages, expected) => {
  expect(asked(...messages)).toEqual(expected);
});
