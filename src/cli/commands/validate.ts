import { validatePaths } from "../../app/validate/validate-paths.ts";
import { defineCommand, printJson } from "../command.ts";
import { badUsage } from "../flags.ts";
import { renderValidation } from "../render/validation.ts";
import { JSON_FLAG } from "../shared-flags.ts";

/** `skills-mcp validate <path>…`: exit 1 when anything breaks the specification; advice alone is fine. */
export const command = defineCommand({
  name: "validate",
  flags: JSON_FLAG,
  takes: "any",
  async run({ given, positionals, terminal }) {
    if (positionals.length === 0 || positionals.includes("")) {
      throw badUsage(
        "<path>",
        "validate needs a SKILL.md, a folder of skills or a library: skills-mcp validate <path>….",
      );
    }
    const files = await validatePaths(positionals, process.cwd());
    const valid = files.every((file) => file.findings.every((finding) => finding.severity !== "error"));
    if (given.json) printJson(terminal, { valid, files });
    else terminal.print(renderValidation(files, process.cwd(), terminal.style));
    return valid ? 0 : 1;
  },
});
