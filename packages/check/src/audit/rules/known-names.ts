import { editDistance } from "#util/pure";
import { foldName } from "../text/fold.ts";

/** Skills that many people install, whose names are worth imitating. */
const WELL_KNOWN: readonly string[] = [
  "algorithmic-art brand-guidelines canvas-design claude-api doc-coauthoring docx frontend-design",
  "internal-comms mcp-builder pdf pptx skill-creator slack-gif-creator theme-factory",
  "web-artifacts-builder webapp-testing xlsx brainstorming dispatching-parallel-agents executing-plans",
  "finishing-a-development-branch receiving-code-review requesting-code-review",
  "subagent-driven-development systematic-debugging test-driven-development using-git-worktrees",
  "using-superpowers verification-before-completion writing-plans writing-skills find-skills",
  "vercel-react-best-practices web-design-guidelines react-best-practices vercel-composition-patterns",
  "remotion-best-practices agent-browser browser-use ui-ux-pro-max supabase-postgres-best-practices",
  "better-auth-best-practices seo-audit copywriting notebooklm planning-with-files security-review",
  "playwright-cli stripe-best-practices terraform-style-guide",
].flatMap((names) => names.split(" "));

const KNOWN: ReadonlySet<string> = new Set(WELL_KNOWN);
const LETTERS: ReadonlyMap<string, string> = new Map(WELL_KNOWN.map((name) => [name, lettersOf(name)]));
/** One letter of a short name makes another word. */
const SHORTEST = 8;

/** The well-known skill that a name may be taken for; undefined for its own name and for one that is clearly another. */
export function likelyMeant(name: string): string | undefined {
  if (KNOWN.has(name)) return undefined;
  const plain = foldName(name);
  if (plain !== name.toLowerCase() && KNOWN.has(plain)) return plain;
  const letters = lettersOf(plain);
  return WELL_KNOWN.find((known) => {
    if (LETTERS.get(known) === letters && plain !== known)
      return known.length >= 4 || digitsSwapped(plain, known);
    return known.length >= SHORTEST && isSlip(plain, known);
  });
}

/** One slip of the fingers, and not just another number or a plural. */
function isSlip(name: string, known: string): boolean {
  if (editDistance(name, known, 1) !== 1) return false;
  return name !== `${known}s` && known !== `${name}s`;
}

/** A name without what looks like something else: `bui1der` and `builder`, `web-app` and `webapp`. */
function lettersOf(name: string): string {
  return name
    .replaceAll(/[-_. ]/g, "")
    .replaceAll("0", "o")
    .replaceAll(/[1|]/g, "l")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w")
    .replaceAll("5", "s")
    .replaceAll("3", "e");
}

function digitsSwapped(name: string, known: string): boolean {
  return name.length === known.length;
}
