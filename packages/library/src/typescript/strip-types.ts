import { transform } from "sucrase";

export interface Stripped {
  readonly code: string;
  readonly format: "module" | "commonjs";
}

/** JavaScript for the text of a TypeScript file, with the same lines. Enums work; namespaces with code do not. */
export function stripTypes(text: string, file: string): Stripped {
  const { code } = transform(text, {
    transforms: ["typescript"],
    disableESTransforms: true,
    filePath: file,
  });
  return { code, format: formatOf(text, file) };
}

const STATIC_SYNTAX = /^[ \t]*(?:import\b(?!\s*\()|export\b)/m;
const COMMONJS_SYNTAX = /\brequire\s*\(|\bmodule\.exports\b|\bexports\.\w/;

/** The extension decides; a `.ts` file is a module unless it is written as CommonJS. */
function formatOf(text: string, file: string): Stripped["format"] {
  if (file.endsWith(".mts")) return "module";
  if (file.endsWith(".cts")) return "commonjs";
  return !STATIC_SYNTAX.test(text) && COMMONJS_SYNTAX.test(text) ? "commonjs" : "module";
}
