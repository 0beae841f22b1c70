import { stat } from "node:fs/promises";
import path from "node:path";
import { openSources } from "../../app/library/open-sources.ts";
import { expandHome, homeFolder } from "../../system/home-folder.ts";
import { createLog } from "../../system/log.ts";
import type { Command } from "../command.ts";
import { type Flags, parseFlags, refusePositionals } from "../flags.ts";
import { printable } from "../render/columns.ts";
import { configJson, renderConfig } from "../render/config.ts";
import { JSON_FLAG, libraryFolder, userFolder } from "../shared-flags.ts";

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
    const userDir = given["user-dir"] === undefined ? undefined : userFolder(given["user-dir"]);
    const library = libraryFolder(given.library);
    if (library !== undefined) {
      const dir = path.resolve(expandHome(library, path.resolve(userDir ?? homeFolder())));
      if (!(await isFolder(dir))) {
        say(`warning: ${dir}: There is no such folder, so the library sets nothing.`);
      }
    }
    const log = createLog((_level, message) => say(`warning: ${message}`));
    const sources = await openSources({ library, userDir, environment: process.env, log });
    const config = sources.settings();
    await sources.close();
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
