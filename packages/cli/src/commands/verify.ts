import { type VerifiedSkill, verifySkills } from "#install";
import { defineCommand, printJson } from "../command.ts";
import { flag } from "../flags.ts";
import { chosenTarget, INSTALL_FLAGS, installPlaces } from "../install/install-flags.ts";
import { renderVerified } from "../render/install/installed.ts";

const AS_EXPECTED: ReadonlySet<VerifiedSkill["state"]> = new Set(["as-locked", "disabled", "unknown-origin"]);

/** `skills-mcp verify`: compares every installed skill with the lock; exit code 1 if one is not as locked. */
export const command = defineCommand({
  name: "verify",
  summary: "compare installed skills with skills-lock.json",
  order: 140,
  bundle: "manage",
  examples: ["verify"],
  flags: { ...INSTALL_FLAGS, remote: flag.switch("ask the sources for updates too (uses the network)") },
  takes: "none",
  async run({ given, terminal, log }) {
    const places = installPlaces(given, log);
    const target = await chosenTarget(given, [], places);
    const skills = await verifySkills(target, { remote: given.remote }, places);
    if (given.json) printJson(terminal, { scope: target.scope, lock: target.lock.file, skills });
    else if (skills.length === 0) terminal.print(`No installed skills in ${target.skillsDir}.\n`);
    else terminal.print(renderVerified(skills, terminal));
    return skills.every(({ state }) => AS_EXPECTED.has(state)) ? 0 : 1;
  },
});
