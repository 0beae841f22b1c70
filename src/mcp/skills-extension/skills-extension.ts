import type { CacheHint, McpServer } from "@modelcontextprotocol/server";
import { SkillsExtension } from "@modelcontextprotocol/server/ext/skills";
import { createPublisher } from "./publication.ts";
import { createSkillSource, type SourceDeps } from "./skill-source.ts";

interface Options extends Omit<SourceDeps, "publisher" | "onLeftOut"> {
  readonly cacheHint: CacheHint;
  readonly log: (line: string) => void;
}

const MOST_NAMED = 5;

/**
 * The Skills extension `io.modelcontextprotocol/skills` over our own skills, one for all sessions. The SDK calls its
 * `attach` experimental, so this is the only file that knows it.
 */
export function createSkillsExtension({ app, servedSkills, cacheHint, log }: Options): {
  readonly attach: (mcp: McpServer) => void;
} {
  let said = false;
  const sayOnce = (names: readonly string[]): void => {
    if (said || names.length === 0) return;
    said = true;
    log(leftOutLine(names));
  };
  const source = createSkillSource({ app, servedSkills, publisher: createPublisher(), onLeftOut: sayOnce });
  const extension = new SkillsExtension({
    source,
    cacheHint,
    // Whatever the SDK finds that our own checks did not is for us to look into.
    onWarning: ({ path, message }) => log(`${path}: ${message}`),
  });
  return { attach: (mcp) => extension.attach(mcp) };
}

function leftOutLine(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).join(", ");
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : "";
  const skills = names.length === 1 ? "1 skill is" : `${names.length} skills are`;
  return `${skills} not published through the Skills extension, which takes only what follows the specification strictly: ${shown}${more}. The tools serve them all the same; 'skills-mcp validate' says more.`;
}
