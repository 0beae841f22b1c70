import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { type Command, defineCommand } from "../src/command.ts";
import { deriveFromCommands } from "../src/derive-from-commands.ts";

const SOURCES = path.resolve("packages/cli/src");

test("command table: is what the build derives from the files in commands/", async () => {
  const names = readdirSync(path.join(SOURCES, "commands")).map((file) => path.basename(file, ".ts"));
  const loaded = names.map(async (name): Promise<[string, Command]> => {
    const { command } = (await import(`../src/commands/${name}.ts`)) as { readonly command: Command };
    return [name, command];
  });
  const { table, bundles } = deriveFromCommands(Object.fromEntries(await Promise.all(loaded)));
  // After a change: node scripts/build.mjs
  expect(readFileSync(path.join(SOURCES, "command-table.ts"), "utf8")).toBe(table);
  expect(bundles).toMatchObject({ mcp: "server", list: "commands", ls: "commands", add: "manage" });
});

test("command table: lists commands by their order, then by name", () => {
  const { table } = deriveFromCommands({ b: named("b", 2), a: named("a", 2), c: named("c", 1) });
  expect(table.match(/^ {2}"\w+"/gm)).toEqual(['  "c"', '  "a"', '  "b"']);
});

test.each([
  ["a name that is not the one of its file", { x: named("y", 1) }, /commands\/x\.ts declares 'y'/],
  ["an alias that is another command's name", { a: named("a", 1), b: named("b", 2, ["a"]) }, /same name/],
])("command table: refuses %s", (_, files, message) => {
  expect(() => deriveFromCommands(files)).toThrow(message);
});

function named(name: string, order: number, aliases: readonly string[] = []): Command {
  return defineCommand({
    name,
    aliases,
    order,
    summary: "do nothing",
    bundle: "commands",
    flags: {},
    takes: "none",
    run: async () => 0,
  });
}
