import type { Problem } from "../problem.ts";
import { frontMatterLanguage } from "./refusals.ts";

export type Opening =
  | { readonly kind: "opens" }
  | { readonly kind: "none" }
  | { readonly kind: "refused"; readonly problem: Problem };

/**
 * Whether a line opens front matter. Some tools take `---js` as a request to run the block; here front matter
 * is data, and a file that asks for anything else is refused rather than misread.
 */
export function readOpening(line: string): Opening {
  if (!line.startsWith("---")) return NONE;
  const rest = line.slice(3).trim();
  if (rest === "" || YAML.test(rest) || (rest.startsWith("#") && /\s/.test(line.charAt(3))))
    return { kind: "opens" };
  return LANGUAGE.test(rest) ? { kind: "refused", problem: frontMatterLanguage(rest) } : NONE;
}

const NONE: Opening = { kind: "none" };
const YAML = /^ya?ml$/i;
const LANGUAGE = /^[A-Za-z][\w+#.-]{0,31}$/;
