import path from "node:path";
import { PARTS, writeNewSkill } from "#install";
import { plainName } from "#skills";
import { expandHome } from "#util";
import { defineCommand, printJson } from "../command.ts";
import { badUsage, didYouMean, flag } from "../flags.ts";
import { printable, type Style } from "../render/text.ts";
import { homeFor, JSON_FLAG, NOTHING_ASKED_FLAG } from "../shared-flags.ts";

const SKILLS_FOLDER = path.join(".agents", "skills");

/** `skills-mcp new <name>`: a skill that validates, in the folder that most agents read. */
export const command = defineCommand({
  name: "new",
  aliases: ["init"],
  usage: "<name>",
  summary: "create a skill from a template",
  order: 190,
  bundle: "manage",
  examples: ["new fill-forms", "new fill-forms --with scripts,evals"],
  completes: [],
  flags: {
    with: flag.list("<parts>", `also write ${PARTS.join(", ")} (comma-separated)`),
    description: flag.text("<text>", "what it does and when to use it, instead of a placeholder"),
    prompt: flag.list("<text>", "a prompt that should find it, for eval (repeatable)"),
    global: flag.switch("in ~/.agents/skills, for all projects", "g"),
    dir: flag.text("<dir>", "folder of skills to write it to (default .agents/skills)"),
    "user-dir": flag.text("<dir>", "use instead of the home folder"),
    ...JSON_FLAG,
    ...NOTHING_ASKED_FLAG,
  },
  takes: "one",
  async run({ given, positionals: [name = ""], terminal }) {
    refuseName(name);
    if (given.global && given.dir !== undefined) {
      throw badUsage("--dir", "--global and --dir contradict each other: pass one of them.");
    }
    const home = homeFor(given["user-dir"]);
    const folder = given.global
      ? path.join(home, SKILLS_FOLDER)
      : path.resolve(expandHome(given.dir ?? SKILLS_FOLDER, home));
    const written = await writeNewSkill(name, partsIn(given.with), folder, {
      ...(given.description === undefined ? {} : { description: given.description.trim() }),
      prompts: given.prompt,
    });
    if (given.json) printJson(terminal, written);
    else terminal.print(renderNew(written, process.cwd(), terminal.style));
    return 0;
  },
});

function refuseName(name: string): void {
  const better = plainName(name);
  if (name === better) return;
  const way = better === "" ? "Choose another name." : `Try '${better}'.`;
  throw badUsage(
    "<name>",
    `The name '${name}' may contain only a-z, 0-9 and single '-' between them, 64 at most. ${way}`,
  );
}

function partsIn(lists: readonly string[]): ReadonlySet<(typeof PARTS)[number]> {
  const given = lists.flatMap((list) => list.split(",")).map((part) => part.trim());
  const parts = given
    .filter((part) => part !== "")
    .map((part) => {
      const known = PARTS.find((each) => each === part);
      if (known !== undefined) return known;
      throw badUsage("--with", `--with takes ${PARTS.join(", ")}, not '${part}'.${didYouMean(part, PARTS)}`);
    });
  return new Set(parts);
}

function renderNew(
  { dir, files }: Awaited<ReturnType<typeof writeNewSkill>>,
  cwd: string,
  style: Style,
): string {
  const relative = path.relative(cwd, dir);
  const shown = relative.startsWith("..") || path.isAbsolute(relative) ? dir : relative;
  const lines = [
    `${style.green("Created")} ${printable(shown)}`,
    ...files.map((file) => `  ${file}`),
    "",
    "Next:",
    `  1. Edit ${printable(path.join(shown, "SKILL.md"))}: the description decides when agents use the skill.`,
    `  2. Check it: skills-mcp validate ${printable(quoted(shown))}`,
    "  3. Serve it: agents that are connected to skills-mcp see it without a restart; skills-mcp list shows it.",
  ];
  return `${lines.join("\n")}\n`;
}

function quoted(file: string): string {
  return /\s/.test(file) ? `"${file}"` : file;
}
