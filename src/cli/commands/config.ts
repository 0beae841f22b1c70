import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { loadConfig, ownConfigFile } from "../../app/config/load-config.ts";
import { expandHome } from "../../registry/roots.ts";
import type { Command } from "../command.ts";
import { type Flags, parseFlags, refusePositionals } from "../flags.ts";
import { printable } from "../render/columns.ts";
import { configJson, renderConfig } from "../render/config.ts";
import { JSON_FLAG } from "../shared-flags.ts";

export const flags = {
  ...JSON_FLAG,
  library: {
    kind: "text",
    value: "<dir>",
    help: "the library whose config.yaml counts (default: $SKILLS_DIR)",
  },
  "user-dir": { kind: "text", value: "<dir>", help: "stands in for the home folder" },
} as const satisfies Flags;

/** `skills-mcp config`: every setting, its effective value, and where it came from. */
export const command: Command = {
  async run(args, terminal) {
    const { flags: given, positionals } = parseFlags(args, flags);
    refusePositionals("config", positionals);
    const say = (line: string) => terminal.say(printable(line));
    const home = path.resolve(given["user-dir"] ?? homedir());
    const library = given.library ?? process.env["SKILLS_DIR"] ?? "";
    const dir = library === "" ? undefined : path.resolve(expandHome(library, home));
    if (dir !== undefined && !(await isFolder(dir))) {
      say(`warning: ${dir}: There is no such folder, so the library sets nothing.`);
    }
    const config = await loadConfig({
      libraryFiles: dir === undefined ? [] : [{ file: path.join(dir, "config.yaml"), fromGit: false }],
      ownFile: ownConfigFile(home),
      environment: process.env,
      log: (line) => say(`warning: ${line}`),
    });
    terminal.print(
      given.json ? `${JSON.stringify(configJson(config), null, 2)}\n` : renderConfig(config, terminal.style),
    );
    return 0;
  },
};

async function isFolder(dir: string): Promise<boolean> {
  return stat(dir).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
