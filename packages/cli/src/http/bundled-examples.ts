import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { createApp } from "#server";
import { hasLibrary } from "#sources";
import type { FlagValues } from "../flags.ts";
import type { ServeOptions } from "../plan-server.ts";
import { type VIEW_FLAGS, viewOptions } from "../shared-flags.ts";

interface Examples {
  readonly view: NonNullable<ServeOptions["view"]>;
  /** Served because no other skills were found. */
  readonly isFallback: boolean;
}

const NO_EXAMPLES: Examples = { view: {}, isFallback: false };

/** The bundled examples, when they are asked for or there is nothing else to serve. */
export async function chooseExamples(
  given: FlagValues<typeof VIEW_FLAGS> & { readonly examples: boolean },
): Promise<Examples> {
  const folder = examplesFolder();
  const options = viewOptions(given);
  const isLibraryNamed = hasLibrary(options, process.env);
  if (folder === undefined) return NO_EXAMPLES;
  if (!given.examples) {
    // Whoever names what to serve gets that, even if there is nothing in it.
    if (isLibraryNamed || namesFolders(given)) return NO_EXAMPLES;
    // Without filters: excluded skills exist too.
    const { app, close } = createApp({ ...options, filter: { narrowTo: options.filter?.narrowTo } });
    try {
      if ((await app.snapshot()).catalog.entries.length > 0) return NO_EXAMPLES;
    } finally {
      await close();
    }
  }
  const library = isLibraryNamed ? {} : { library: path.join(folder, "library") };
  // Lowest priority: an example never shadows a skill of yours.
  const folders = { last: [path.join(folder, "skills")] };
  return { view: { folders, ...library }, isFallback: !given.examples };
}

function namesFolders(given: FlagValues<typeof VIEW_FLAGS>): boolean {
  return given["skill-dir"].length > 0 || given.root !== undefined || given["no-default-dirs"];
}

/** Beside package.json: the code is not as deep in `dist/` as in `packages/`. */
function examplesFolder(): string | undefined {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const examples = path.join(folder, "examples");
    if (existsSync(path.join(folder, "package.json")) && existsSync(examples)) return examples;
    const parent = path.dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
}
