import { outdatedSkills } from "#install";
import { defineCommand, printJson } from "../command.ts";
import { chosenTarget, INSTALL_FLAGS, installPlaces } from "../install/install-flags.ts";
import { renderOutdated } from "../render/install/installed.ts";

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
    const skills = await outdatedSkills(target, places);
    if (given.json) printJson(terminal, { scope: target.scope, skills });
    else if (skills.length === 0) terminal.print(`No installed skills: ${target.lock.file} has none.\n`);
    else terminal.print(renderOutdated(skills, terminal));
    return 0;
  },
});
