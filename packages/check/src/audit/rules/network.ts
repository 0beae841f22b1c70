import { parseLibrarySkill } from "#skills";
import type { RuleInfo } from "../rule.ts";
import type { SkillParts } from "../skill-parts.ts";

/** A script of a library that the server runs and that asks for the network. */
export const SCRIPT_NETWORK = {
  id: "script-network",
  category: "executables",
  severity: "low",
  title: "a script that the server runs with the network",
  why: "It declares `network: true`, so the script may send what it reads to any address, where `scripts.network` allows it.",
  fix: "Read the script before you allow it; without `network: true` it runs without a network.",
  check({ own, skillFile }: SkillParts) {
    const read = parseLibrarySkill(own);
    if (!read.ok) return [];
    const lines = own.split("\n");
    return read.skill.frontMatter.scripts
      .filter(({ execution, network }) => execution === "server" && network === true)
      .map(({ file }) => {
        const line = lines.findIndex((text) => text.includes(file)) + 1;
        return { file: skillFile, ...(line === 0 ? {} : { line }), found: `${file}: network: true` };
      });
  },
} as const satisfies RuleInfo & { readonly check: unknown };
