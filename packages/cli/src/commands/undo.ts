import { undoLast } from "#install";
import { defineCommand } from "../command.ts";
import { DRY_RUN_FLAG, INSTALL_FLAGS, installPlaces } from "../install/install-flags.ts";
import { planPrinter, showResult } from "../install/show-result.ts";
import { NOTHING_ASKED_FLAG } from "../shared-flags.ts";

const { global: _, ...FLAGS } = INSTALL_FLAGS;

/** `skills-mcp undo`: takes back the last change of installed skills. */
export const command = defineCommand({
  name: "undo",
  summary: "undo the last change to installed skills",
  order: 150,
  bundle: "manage",
  examples: ["undo"],
  flags: { ...FLAGS, ...DRY_RUN_FLAG, ...NOTHING_ASKED_FLAG },
  takes: "none",
  async run({ given, terminal, log }) {
    const onPlan = planPrinter(given.json, terminal);
    const result = await undoLast({ dryRun: given["dry-run"], onPlan }, installPlaces(given, log));
    return showResult(result, { json: given.json, terminal, isUndo: true });
  },
});
