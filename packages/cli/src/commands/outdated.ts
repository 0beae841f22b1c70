import { outdatedSkills } from "#install";
import { resolvePlaces } from "#skills";
import { stalePlugins } from "#sources";
import { defineCommand, printJson } from "../command.ts";
import { chosenTarget, INSTALL_FLAGS, installPlaces } from "../install/install-flags.ts";
import { renderOutdated } from "../render/install/installed.ts";
import { printable } from "../render/text.ts";

/** `skills-mcp outdated`: asks the sources of installed skills for their newest commits. */
export const command = defineCommand({
  name: "outdated",
  aliases: ["check"],
  summary: "list installed skills that have updates",
  order: 120,
  bundle: "manage",
  examples: ["outdated"],
  flags: INSTALL_FLAGS,
  takes: "none",
  async run({ given, terminal, log }) {
    const places = installPlaces(given, log);
    const target = await chosenTarget(given, [], places);
    const view = resolvePlaces({ cwd: places.cwd, userDir: places.home, folders: { moved: places.moved } });
    const [skills, plugins] = await Promise.all([outdatedSkills(target, places), stalePlugins(view)]);
    if (given.json) {
      printJson(terminal, { scope: target.scope, skills, plugins });
      return 0;
    }
    if (skills.length === 0) terminal.print(`No installed skills: ${target.lock.file} has none.\n`);
    else terminal.print(renderOutdated(skills, terminal));
    for (const { message } of plugins) terminal.print(`${printable(message)}\n`);
    return 0;
  },
});
