import { expect, test } from "vitest";
import { commandText } from "../../src/pure/command-text.ts";

test.each([
  [["add", "my skill"], undefined, "skills-mcp add 'my skill'"],
  [["it's"], ["node", "/opt/cli.js"], "node /opt/cli.js 'it'\\''s'"],
  [["list"], ["node", "/my tools/$x/cli.js"], "node '/my tools/$x/cli.js' list"],
  [["list"], ["node", "C:\\tools\\cli.js"], "node C:/tools/cli.js list"],
  [["list"], ["node", "C:\\my tools\\cli.js"], 'node "C:/my tools/cli.js" list'],
])("command of %j by %j is %s", (args, program, text) => {
  expect(commandText(args, program)).toBe(text);
});
