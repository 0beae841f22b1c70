import { expect, test } from "vitest";
import { mimeTypeOf } from "../../src/files/mime-types.ts";

test.each([
  ["a.md", "text/markdown"],
  ["a/b.PNG", "image/png"],
  ["a\\b.jpeg", "image/jpeg"],
  ["a.ts", "text/typescript"],
  ["a.py", "text/x-python"],
  ["a.sh", "application/x-sh"],
  ["a.yml", "application/yaml"],
  ["a.xml", "application/xml"],
  ["a.js", "text/javascript"],
  ["a.json", "application/json"],
  ["a.tar.zip", "application/zip"],
  ["a.woff2", "font/woff2"],
  ["a.unheard-of", undefined],
  ["README", undefined],
  ["a.d/README", undefined],
  [".env", undefined],
  ["a.", undefined],
  ["", undefined],
])("the type of %j is %s", (file, type) => {
  expect(mimeTypeOf(file)).toBe(type);
});
