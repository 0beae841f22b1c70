import { AGENTS } from "../../registry/agents.ts";
import type { FlagValues } from "../flags.ts";
import { libraryFolder, type VIEW_FLAGS } from "../shared-flags.ts";

/** What `list` says when it finds nothing: where it looked, and what to do next. */
export function renderEmptyView(flags: FlagValues<typeof VIEW_FLAGS>): string {
  const filtered = flags.include.length + flags.exclude.length > 0;
  if (filtered) return "No skill passes --include and --exclude.\n";
  const library = libraryFolder(flags.library);
  const searched = [
    ...(library === undefined ? [] : [`the library ${library}`]),
    ...flags["skill-dir"],
    ...(flags.root === undefined ? [] : [flags.root]),
    ...(flags["no-default-dirs"] ? [] : [defaultFolders()]),
  ];
  return `No skills found${searched.length === 0 ? "" : ` in ${searched.join(", ")}`}.

${library === undefined ? "" : LIBRARY_FILE}A skill is a folder with a SKILL.md. To make one:

  mkdir -p .agents/skills/hello
  printf -- '---\\nname: hello\\ndescription: Greets people. Use when someone says hello.\\n---\\n\\nGreet them by name.\\n' > .agents/skills/hello/SKILL.md
  skills-mcp list
`;
}

const LIBRARY_FILE = `A library is a folder of Markdown files that begin like this:

  ---
  keywords: [login, session]
  description: How people log in
  ---

`;

function defaultFolders(): string {
  const folders = AGENTS.flatMap((agent) => agent.project);
  return `${folders.slice(0, 4).join(", ")} and ${folders.length - 4} other agents' folders, here and in your home folder`;
}
