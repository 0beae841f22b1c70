import { stat } from "node:fs/promises";
import path from "node:path";
import { readFileSettings, readMachinePolicy, refuseProblems, withProject } from "#config";
import { openSources } from "#sources";
import { expandHome } from "#util";
import { defineCommand, printJson } from "../command.ts";
import { reposIn } from "../file-flags.ts";
import { flag } from "../flags.ts";
import { configJson, policyLine, renderConfig } from "../render/config.ts";
import { printable } from "../render/text.ts";
import { homeFor, JSON_FLAG, libraryFolder, userFolder, VIEW_FLAGS } from "../shared-flags.ts";

/** `skills-mcp config`: every setting, its effective value, and where it is set. */
export const command = defineCommand({
  name: "config",
  summary: "show all settings and where each is set",
  order: 270,
  bundle: "commands",
  examples: ["config"],
  flags: {
    all: flag.switch("on a terminal, also list the settings that have their default"),
    ...JSON_FLAG,
    library: { ...VIEW_FLAGS.library, help: "library whose config.yaml to read (default: $SKILLS_DIR)" },
    "user-dir": VIEW_FLAGS["user-dir"],
  },
  takes: "none",
  async run({ given, terminal, log }) {
    const userDir = given["user-dir"] === undefined ? undefined : userFolder(given["user-dir"]);
    const home = homeFor(given["user-dir"]);
    const library = libraryFolder(given.library);
    if (library !== undefined) {
      const dir = path.resolve(expandHome(library, home));
      const stats = await stat(dir).catch(() => undefined);
      if (stats?.isDirectory() !== true) log.warn(`${dir}: no such folder, so the library sets nothing`);
    }
    const files = await readFileSettings({ cwd: process.cwd(), home }, log);
    refuseProblems(files.problems);
    const repos = reposIn(files);
    const sources = await openSources({ library, repos, userDir, environment: process.env, log });
    const config = sources.settings();
    await sources.close();
    const { policy } = await readMachinePolicy();
    const limits = policy && { policy: { file: policy.file, limits: policy.limits } };
    if (given.json) printJson(terminal, { ...configJson(withProject(config, files)), ...limits });
    else {
      const all = given.all || terminal.width === undefined;
      terminal.print(renderConfig(withProject(config, files), terminal.style, { all }));
      if (policy !== undefined) terminal.print(`\n${printable(policyLine(policy))}\n`);
    }
    return 0;
  },
});
