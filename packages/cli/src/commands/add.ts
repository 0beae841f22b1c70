import { addSkills } from "#install";
import { agentFlag, agentsNamed } from "../agent-flag.ts";
import { surroundingsFor } from "../change-agents.ts";
import { defineCommand } from "../command.ts";
import { badUsage, flag } from "../flags.ts";
import { skillPicker } from "../install/choose-skills.ts";
import { DRY_RUN_FLAG, INSTALL_FLAGS, installPlaces, SKILL_FLAG } from "../install/install-flags.ts";
import { planPrinter, showResult } from "../install/show-result.ts";
import { whoSees } from "../install/who-sees.ts";
import { renderLeftOut } from "../render/install/left-out.ts";
import { printable } from "../render/text.ts";
import { YES_FLAG } from "../shared-flags.ts";

/** `skills-mcp add`: installs skills of a source and records the source in skills-lock.json. */
export const command = defineCommand({
  name: "add",
  aliases: ["a"],
  usage: "<source> [skill…]",
  summary: "install skills from a repository, folder, archive or site",
  order: 90,
  bundle: "manage",
  examples: ["add anthropics/skills pdf", "add ./my-skills --all"],
  flags: {
    ...INSTALL_FLAGS,
    ...SKILL_FLAG,
    ...agentFlag("also link it into the folders of these agents"),
    link: flag.switch("link it into agents' folders (the default)"),
    copy: flag.switch("copy it into agents' folders instead of linking it"),
    all: flag.switch("all skills of the source"),
    list: flag.switch("show the skills of the source and install none", "l"),
    yes: { ...YES_FLAG.yes, help: "do not ask; without names, install all skills" },
    replace: flag.switch(
      "replace a skill of the same name from another source; the old one goes to the trash",
    ),
    ...DRY_RUN_FLAG,
  },
  takes: "any",
  async run({ given, positionals: [source, ...more], terminal, log }) {
    if (source === undefined)
      throw badUsage("<source>", "add takes a source: skills-mcp add <source> [skill…], such as owner/repo.");
    if (given.link && given.copy)
      throw badUsage("--copy", "--link and --copy contradict each other: pass one of them.");
    const surroundings = surroundingsFor(given);
    const agents = await agentsNamed(given.agent, surroundings);
    const isAsked = !given.yes && !given.json && !given["dry-run"];
    const choose = isAsked ? skillPicker(terminal, `Which skills of ${printable(source)}?`) : undefined;
    const result = await addSkills(
      {
        source,
        names: [...more, ...given.skill],
        all: given.all || given.yes,
        list: given.list,
        scope: given.global ? "user" : "project",
        agents,
        asCopies: given.copy,
        replace: given.replace,
        dryRun: given["dry-run"] || given.list,
        onPlan: planPrinter(given.json, terminal),
        ...(choose === undefined ? {} : { choose }),
      },
      installPlaces(given, log),
    );
    if (!given.json) terminal.print(renderLeftOut(result.leftOut, source));
    const isAdded = result.plan.some(({ action }) => action === "add");
    const seenBy = isAdded && !result.dryRun ? await whoSees(result.scope, agents, surroundings) : undefined;
    return showResult(result, { json: given.json, terminal, seenBy });
  },
});
