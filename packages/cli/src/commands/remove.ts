import { removeSkills } from "#install";
import { defineCommand } from "../command.ts";
import { badUsage, flag } from "../flags.ts";
import { chosenTarget, DRY_RUN_FLAG, INSTALL_FLAGS, installPlaces } from "../install/install-flags.ts";
import { planPrinter, showResult } from "../install/show-result.ts";

/** `skills-mcp remove`: moves installed skills to the trash. */
export const command = defineCommand({
  name: "remove",
  aliases: ["rm"],
  usage: "<name>…",
  summary: "remove installed skills",
  order: 100,
  bundle: "manage",
  flags: {
    ...INSTALL_FLAGS,
    ...DRY_RUN_FLAG,
    yes: flag.switch("accepted for scripts; nothing is asked (short: -y)", "y"),
  },
  takes: "any",
  async run({ given, positionals: names, terminal, log }) {
    if (names.length === 0)
      throw badUsage("<name>", "remove takes one or more skill names: skills-mcp remove <name>….");
    const places = installPlaces(given, log);
    const target = await chosenTarget(given, names, places);
    const onPlan = planPrinter(given.json, terminal);
    const result = await removeSkills(target, { names, dryRun: given["dry-run"], onPlan }, places);
    return showResult(result, { json: given.json, terminal });
  },
});
