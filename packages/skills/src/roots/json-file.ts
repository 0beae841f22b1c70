import { describeError, errorCode, realpath, withOpenFile } from "#util";
import type { Diagnostic } from "../skill/diagnostic.ts";

/** A JSON file of another tool: its value, unless it is missing or has a problem. */
export interface JsonFile {
  readonly value: unknown;
  readonly missing: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** Such files are written by a tool and small; anything larger is not what it claims to be. */
const LARGEST_FILE = 8 * 1024 * 1024;

export async function readJson(file: string, code: Diagnostic["code"]): Promise<JsonFile> {
  const problem = (message: string): JsonFile => {
    return { value: undefined, missing: false, diagnostics: [{ severity: "error", code, file, message }] };
  };
  let text: string | undefined;
  try {
    text = await readSettings(file, "JSON");
  } catch (error) {
    return problem(`It cannot be read: ${describeError(error)}.`);
  }
  if (text === undefined) return { value: undefined, missing: true, diagnostics: [] };
  try {
    return { value: JSON.parse(text) as unknown, missing: false, diagnostics: [] };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return problem(`It is not valid JSON (${reason}), so it was ignored.`);
  }
}

/** The text of a file, without a byte order mark; undefined when there is none. */
export async function readSettings(file: string, format: string): Promise<string | undefined> {
  try {
    // Dotfile managers link these files, so links are followed here.
    return await withOpenFile(await realpath(file), async ({ stats, readStart }) => {
      if (!stats.isFile() || stats.size > LARGEST_FILE)
        throw new Error(`it is not a ${format} file of at most 8 MiB`);
      return (await readStart(stats.size)).toString("utf8").replace(/^\uFEFF/, "");
    });
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
