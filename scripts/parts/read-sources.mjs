// The sources of all parts as data: each file with the names that it imports.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** All TypeScript files below a folder, named from the root of the repository with `/`. */
export function sourcesIn(root, folder) {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => path.posix.join(folder, name.split(path.sep).join("/")))
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => ({ file, text: readFileSync(path.join(root, file), "utf8") }));
}

/** Every import and re-export of a text: `{ specifier, values }`; `values` are the imported names that are not types. */
export function importsIn(text) {
  const statements = text.matchAll(/(?:^|\n)\s*(?:import|export)\s+(type\s)?([^;]*?)\s*from\s+"([^"]+)"/g);
  const bare = text.matchAll(/(?:^|\n)import\s+"([^"]+)"/g);
  const dynamic = text.matchAll(/\bimport\(\s*"([^"]+)"\s*,?\s*\)/g);
  return [
    ...[...statements].map(([, type, what, specifier]) => ({
      specifier,
      values: type === undefined ? valuesIn(what) : [],
    })),
    ...[...bare, ...dynamic].map(([, specifier]) => ({ specifier, values: ["*"] })),
  ];
}

/** The names in `fs, { a, b as c, type D }` that are not types. */
function valuesIn(what) {
  const [, before = what, inBraces = ""] = /^([^{]*)\{([^}]*)\}/.exec(what) ?? [];
  return [...before.split(","), ...inBraces.split(",")]
    .map((name) => name.trim())
    .filter((name) => name !== "" && !name.startsWith("type "))
    .map((name) => (name.startsWith("*") ? "*" : name.split(" ")[0]));
}

/** The names that an index.ts exports. */
export function exportedIn(text) {
  return [...text.matchAll(/(?:^|\n)export (?:type )?\{([^}]*)\}/g)].flatMap(([, names]) =>
    names
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
  );
}

/** The code of a text, without comments. */
export function withoutComments(text) {
  return text.replace(/\/\*[\s\S]*?\*\/|(?<![:"'`])\/\/.*/g, "");
}
