// Figures about all parts together.
import { exportedIn, withoutComments } from "./read-sources.mjs";
import { partOf } from "./rules.mjs";

/** Type names that are declared in more than one file. */
export function repeatedTypes(sources) {
  const files = new Map();
  for (const { file, text } of sources)
    for (const [, name] of text.matchAll(/(?:^|\n)(?:export )?(?:interface|type|(?:abstract )?class) (\w+)/g))
      files.set(name, [...(files.get(name) ?? []), file]);
  return [...files].filter(([, declared]) => new Set(declared).size > 1);
}

/** Interfaces with their optional fields, those with most first. */
export function optionalFields(sources) {
  return sources
    .flatMap(({ file, text }) =>
      [...withoutComments(text).matchAll(/\n(?:export )?interface (\w+)[^{]*\{\n([\s\S]*?)\n\}/g)].map(
        ([, name, body]) => ({
          file,
          name,
          count: [...body.matchAll(/^ {2}(?:readonly )?[\w"-]+\?[:(]/gm)].length,
        }),
      ),
    )
    .toSorted((a, b) => b.count - a.count);
}

/** The names that each entry exports. */
export function publicSymbols(sources, entries) {
  return entries.map(({ specifier, file }) => ({
    specifier,
    names: exportedIn(sources.find((source) => source.file === file)?.text ?? ""),
  }));
}

export function linesOf(sources) {
  return sources
    .filter(({ file }) => partOf(file) !== "web")
    .reduce((sum, { text }) => sum + text.split("\n").length - 1, 0);
}
