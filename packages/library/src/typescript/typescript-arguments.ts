import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** How a Node runs TypeScript: its arguments, and a file of ours that it loads. */
export interface TypescriptArguments {
  readonly args: readonly string[];
  readonly file?: string;
}

const TRANSFORM = "--experimental-transform-types";
const STRIP = "--experimental-strip-types";
const NO_WARNING = "--disable-warning=ExperimentalWarning";

export interface NodeAbilities {
  /** Its command line options. */
  readonly options: ReadonlySet<string>;
  /** Whether it runs TypeScript without any of them. */
  readonly stripsTypes: boolean;
}

/** What a Node needs to run TypeScript: its own options where it can strip types, `register` otherwise. */
export function typescriptArguments(
  { options, stripsTypes }: NodeAbilities,
  register: string | undefined,
): TypescriptArguments | undefined {
  // Enums and parameter properties need more than stripping.
  const own = [TRANSFORM, STRIP].filter((option) => options.has(option)).slice(0, 1);
  if (own.length > 0 || stripsTypes) return { args: [...own, NO_WARNING] };
  return register === undefined
    ? undefined
    : { args: ["--import", pathToFileURL(register).href], file: register };
}

/** Beside the bundle, or in `dist/` when run from source. */
export function typescriptRegister(): string | undefined {
  const here = path.dirname(fileURLToPath(import.meta.url));
  const found = [".", "../../../../dist"]
    .map((relative) => path.join(here, relative, "typescript.mjs"))
    .find((file) => existsSync(file));
  return found === undefined ? undefined : realpathSync.native(found);
}

export function ownAbilities(): NodeAbilities {
  const features: Readonly<Record<string, unknown>> = { ...process.features };
  return { options: process.allowedNodeEnvironmentFlags, stripsTypes: Boolean(features["typescript"]) };
}
