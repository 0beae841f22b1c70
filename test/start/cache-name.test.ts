import { expect, test } from "vitest";
import { cacheNameOf } from "../../src/start/cache-name.ts";

test.each([
  [[], "mcp"],
  [["mcp"], "mcp"],
  [["mcp-server", "--root", "skills"], "mcp"],
  [["--skill-dir", "skills"], "mcp"],
  [["mcp", "--transport", "http"], "serve"],
  [["--transport", "sse"], "serve"],
  [["serve", "--port", "1"], "serve"],
  [["list", "--json"], "list"],
  [["enable", "pdf"], "other"],
  [["../../etc"], "other"],
])("the code of `skills-mcp %j` is kept as '%s'", (args, name) => {
  expect(cacheNameOf(args)).toBe(name);
});
