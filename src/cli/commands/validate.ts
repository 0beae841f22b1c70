import { validatePaths } from "../../app/validate/validate-paths.ts";
import type { Command } from "../command.ts";
import { badUsage, type Flags, parseFlags } from "../flags.ts";
import { renderValidation } from "../render/validation.ts";
import { JSON_FLAG } from "../shared-flags.ts";

export const flags = { ...JSON_FLAG } as const satisfies Flags;

/** `skills-mcp validate <path>…`: exit 1 when anything breaks the specification; advice alone is fine. */
export const command: Command = {
  async run(args, terminal) {
    const { flags: given, positionals } = parseFlags(args, flags);
    if (positionals.length === 0 || positionals.includes("")) {
      throw badUsage(
        "<path>",
        "validate needs a SKILL.md, a folder of skills or a library: skills-mcp validate <path>….",
      );
    }
    const files = await validatePaths(positionals, process.cwd());
    const valid = files.every((file) => file.findings.every((finding) => finding.severity !== "error"));
    terminal.print(
      given.json
        ? `${JSON.stringify({ valid, files }, null, 2)}\n`
        : renderValidation(files, process.cwd(), terminal.style),
    );
    return valid ? 0 : 1;
  },
};
