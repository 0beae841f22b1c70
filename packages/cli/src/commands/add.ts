import { addSkills } from "#install";
import { defineCommand } from "../command.ts";
import { badUsage, flag } from "../flags.ts";
import { askForSkills } from "../install/choose-skills.ts";
import { DRY_RUN_FLAG, INSTALL_FLAGS, installPlaces } from "../install/install-flags.ts";
import { planPrinter, showResult } from "../install/show-result.ts";
import { renderLeftOut } from "../render/install/left-out.ts";

/** `skills-mcp add`: installs skills of a source and records the source in skills-lock.json. */
export const command = defineCommand({
  name: "add",
  aliases: ["i"],
  usage: "<source> [skill…]",
  summary: "install skills from a repository, folder, archive or site",
  order: 90,
  bundle: "manage",
  flags: {
    ...INSTALL_FLAGS,
    agent: flag.list(
      "<names>",
      "also link it into the folders of these agents (short: -a, comma-separated)",
      "a",
    ),
    link: flag.switch("link it into agents' folders (the default)"),
    copy: flag.switch("copy it into agents' folders instead of linking it"),
    all: flag.switch("all skills of the source"),
    yes: flag.switch("do not ask; without names, install all skills (short: -y)", "y"),
    replace: flag.switch(
      "replace a skill of the same name from another source; the old one goes to the trash",
    ),
    ...DRY_RUN_FLAG,
  },
  takes: "any",
  async run({ given, positionals: [source, ...names], terminal, log }) {
    if (source === undefined)
      throw badUsage("<source>", "add takes a source: skills-mcp add <source> [skill…], such as owner/repo.");
    if (given.link && given.copy)
      throw badUsage("--copy", "--link and --copy contradict each other: pass one of them.");
    const asks = !given.yes && !given.json && terminal.ask !== undefined;
    const result = await addSkills(
      {
        source,
        names,
        all: given.all || given.yes,
        scope: given.global ? "user" : "project",
        agents: given.agent.flatMap((list) => list.split(",")).filter((name) => name !== ""),
        asCopies: given.copy,
        replace: given.replace,
        dryRun: given["dry-run"],
        onPlan: planPrinter(given.json, terminal),
        ...(asks ? { choose: (skills) => askForSkills(skills, terminal) } : {}),
      },
      installPlaces(given, log),
    );
    if (!given.json) terminal.print(renderLeftOut(result.leftOut, source));
    return showResult(result, { json: given.json, terminal });
  },
});
