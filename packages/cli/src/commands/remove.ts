import { lockedIn, removeSkills } from "#install";
import { agentFlag, agentsNamed } from "../agent-flag.ts";
import { surroundingsFor } from "../change-agents.ts";
import { defineCommand } from "../command.ts";
import { badUsage, flag } from "../flags.ts";
import { skillPicker } from "../install/choose-skills.ts";
import {
  chosenTarget,
  DRY_RUN_FLAG,
  INSTALL_FLAGS,
  installPlaces,
  SKILL_FLAG,
} from "../install/install-flags.ts";
import { planPrinter, showResult } from "../install/show-result.ts";
import { NOTHING_ASKED_FLAG } from "../shared-flags.ts";

/** `skills-mcp remove`: moves installed skills to the trash. */
export const command = defineCommand({
  name: "remove",
  aliases: ["rm", "uninstall"],
  usage: "[name…]",
  summary: "remove installed skills",
  order: 100,
  bundle: "manage",
  examples: ["remove pdf"],
  flags: {
    ...INSTALL_FLAGS,
    ...SKILL_FLAG,
    ...agentFlag("only remove the links and copies in the folders of these agents"),
    all: flag.switch("all installed skills, of the project or with -g of the user"),
    ...DRY_RUN_FLAG,
    ...NOTHING_ASKED_FLAG,
  },
  takes: "any",
  async run({ given, positionals, terminal, log }) {
    const typed = [...positionals, ...given.skill];
    const isAll = given.all || typed.includes("*");
    if (given.all && typed.length > 0)
      throw badUsage("--all", "--all removes every installed skill: pass it or names, not both.");
    const places = installPlaces(given, log);
    // Without -g, all are those of the project: nobody means those of the user because the project has none.
    const target = await chosenTarget({ ...given, project: isAll && !given.global }, typed, places);
    const pick = given.yes || given.json ? undefined : skillPicker(terminal, "Which skills to remove?");
    const installed =
      typed.length > 0 || given.all
        ? []
        : (await lockedIn(target.scope, places)).map(({ locked: { name, source } }) => {
            return { name, description: source };
          });
    if (typed.length === 0 && !given.all && (pick === undefined || installed.length === 0))
      throw badUsage("<name>", "remove takes one or more skill names: skills-mcp remove <name>…, or --all.");
    const chosen = installed.length === 0 ? typed : ((await pick?.(installed)) ?? []).map(({ name }) => name);
    const options = {
      names: isAll ? [] : chosen,
      agents: await agentsNamed(given.agent, surroundingsFor(given)),
      dryRun: given["dry-run"],
      onPlan: planPrinter(given.json, terminal),
    };
    const result = await removeSkills(target, options, places);
    if (!given.json && result.plan.length === 0)
      terminal.print(`No installed skills: ${target.lock.file} has none.\n`);
    return showResult(result, { json: given.json, terminal });
  },
});
