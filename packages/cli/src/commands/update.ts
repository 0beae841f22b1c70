import { updateSkills } from "#install";
import { defineCommand } from "../command.ts";
import { badUsage, flag } from "../flags.ts";
import {
  chosenTarget,
  DRY_RUN_FLAG,
  INSTALL_FLAGS,
  installPlaces,
  SKILL_FLAG,
} from "../install/install-flags.ts";
import { planPrinter, showResult } from "../install/show-result.ts";
import { NOTHING_ASKED_FLAG } from "../shared-flags.ts";

/** `skills-mcp update`: brings installed skills to what their sources hold now, and keeps edits. */
export const command = defineCommand({
  name: "update",
  aliases: ["upgrade"],
  usage: "[name…]",
  summary: "update installed skills and keep local edits",
  order: 110,
  bundle: "manage",
  examples: ["update", "update pdf --dry-run"],
  flags: {
    ...INSTALL_FLAGS,
    project: flag.switch("only the project's skills, also if it has none", "p"),
    ...SKILL_FLAG,
    diff: flag.switch("show a diff of each file"),
    "keep-mine": flag.switch("on a conflict, keep the edited file"),
    force: flag.switch("discard local edits; edited skills go to the trash"),
    ...DRY_RUN_FLAG,
    ...NOTHING_ASKED_FLAG,
  },
  takes: "any",
  async run({ given, positionals, terminal, log }) {
    const typed = [...positionals, ...given.skill];
    const names = typed.includes("*") ? [] : typed;
    if (given.force && given["keep-mine"])
      throw badUsage("--force", "--force and --keep-mine contradict each other: pass one of them.");
    const places = installPlaces(given, log);
    const target = await chosenTarget(given, names, places);
    const result = await updateSkills(
      target,
      {
        names,
        withDiff: given.diff,
        prefer: given.force ? "theirs" : given["keep-mine"] ? "mine" : "neither",
        dryRun: given["dry-run"],
        onPlan: planPrinter(given.json, terminal),
      },
      places,
    );
    if (!given.json && result.plan.length === 0)
      terminal.print(`No installed skills: ${target.lock.file} has none.\n`);
    return showResult(result, { json: given.json, terminal });
  },
});
