// What a part exports is listed in its index.ts. A bundle must not load a whole part for one function of it, and a module that
// is imported on demand must stay one that runs on demand, so the build imports each name from the file that declares it.
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const repository = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const { imports } = JSON.parse(readFileSync(path.join(repository, "package.json"), "utf8"));
const STATEMENT = /((?:^|\n)(?:import|export)) (type )?\{([^}]*)\} from "(#[^"]+)";/g;
const ON_DEMAND = /(const \{([^}]*)\} = await import\()"(#[^"]+)"(\))/g;

/** The files that declare what a part exports, by name. */
const declared = Object.fromEntries(
  Object.entries(imports).map(([specifier, index]) => {
    const files = new Map();
    for (const [, , , names, from] of readFileSync(path.join(repository, index), "utf8").matchAll(
      /(^|\n)export (type )?\{([^}]*)\} from "(\.[^"]+)";/g,
    )) {
      const file = path.posix.join(path.posix.dirname(index), from);
      for (const name of listed(names)) files.set(name.exported, { file, name: name.local });
    }
    return [specifier, files];
  }),
);

/** The names in `a, type B, c as d`. */
function listed(names) {
  return names
    .split(",")
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .map((text) => {
      const isType = text.startsWith("type ");
      const [local, exported = local] = text.replace(/^type /, "").split(/\s+as\s+/);
      return { local, exported, isType };
    });
}

/** Where a part declares a name that it exports: `{ file, name }`, or undefined. */
export function declarationOf(specifier, name) {
  return declared[specifier]?.get(name);
}

function requiredDeclaration(specifier, name, file) {
  const found = declarationOf(specifier, name);
  if (found === undefined) throw new Error(`${file}: ${specifier} does not export ${name}.`);
  return found;
}

function relative(file, target) {
  const found = path.posix.relative(path.posix.dirname(file), target);
  return found.startsWith(".") ? found : `./${found}`;
}

/** The text of a source file, named from the root of the repository with `/`, without imports of whole parts. */
export function directImports(text, file) {
  return text
    .replace(STATEMENT, (_all, keyword, type = "", names, specifier) => {
      const byFile = new Map();
      for (const { local, exported, isType } of listed(names)) {
        const from = requiredDeclaration(specifier, local, file);
        const name = from.name === exported ? exported : `${from.name} as ${exported}`;
        byFile.set(from.file, [...(byFile.get(from.file) ?? []), isType ? `type ${name}` : name]);
      }
      // On one line, so that lines keep their numbers; the first keyword has the line break before it.
      const statements = [...byFile].map(
        ([target, list], index) =>
          `${index === 0 ? keyword : keyword.trim()} ${type}{ ${list.join(", ")} } from "${relative(file, target)}";`,
      );
      return statements.join(" ") + "\n".repeat(names.split("\n").length - 1);
    })
    .replace(ON_DEMAND, (_all, start, names, specifier, end) => {
      const files = new Set(
        names
          .split(",")
          .map((name) => name.trim().split(":")[0])
          .filter((name) => name !== "")
          .map((name) => requiredDeclaration(specifier, name, file).file),
      );
      if (files.size !== 1) throw new Error(`${file}: imports from several files of ${specifier} on demand.`);
      return `${start}"${relative(file, [...files][0])}"${end}`;
    });
}

/**
 * For esbuild. `root` is the folder of the repository. No module of a part does anything when it is loaded, so one of which nothing
 * is used is left out, with the packages that it imports.
 */
export function directImportsPlugin(root) {
  return {
    name: "direct-imports",
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^\.\.?\/.*\.tsx?$/ }, ({ path: file, resolveDir, kind }) =>
        kind === "import-statement" && path.relative(root, resolveDir).startsWith(`packages${path.sep}`)
          ? { path: path.join(resolveDir, file), sideEffects: false }
          : undefined,
      );
      onLoad({ filter: /[\\/]packages[\\/][^\\/]+[\\/]src[\\/].*\.tsx?$/ }, ({ path: file }) => {
        const name = path.relative(root, file).split(path.sep).join("/");
        return {
          contents: directImports(readFileSync(file, "utf8"), name),
          loader: file.endsWith("x") ? "tsx" : "ts",
        };
      });
    },
  };
}
