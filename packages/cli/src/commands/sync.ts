import { syncSkills, targetOf } from "#install";
import { defineCommand } from "../command.ts";
import { flag } from "../flags.ts";
import { DRY_RUN_FLAG, INSTALL_FLAGS, installPlaces } from "../install/install-flags.ts";
import { planPrinter, showResult } from "../install/show-result.ts";
import { NOTHING_ASKED_FLAG } from "../shared-flags.ts";

/** `skills-mcp sync`: installs the skills that skills-lock.json lists and the disk lacks. */
export const command = defineCommand({
  name: "sync",
  summary: "install what skills-lock.json lists",
  order: 130,
  bundle: "manage",
  examples: ["sync"],
  flags: {
    ...INSTALL_FLAGS,
    frozen: flag.switch(
      "install exactly what the lock says; if a skill differs from it, change nothing and exit 1",
    ),
    ...DRY_RUN_FLAG,
    ...NOTHING_ASKED_FLAG,
  },
  takes: "none",
  async run({ given, terminal, log }) {
    const places = installPlaces(given, log);
    const target = await targetOf(given.global ? "user" : "project", places);
    const { frozen, json } = given;
    const onPlan = planPrinter(json, terminal);
    const result = await syncSkills(target, { frozen, dryRun: given["dry-run"], onPlan }, places);
    if (!json && result.plan.length === 0)
      terminal.print(`Nothing to install: ${target.lock.file} has no skills.\n`);
    return showResult(result, { json, terminal, allOrNothing: frozen });
  },
});
