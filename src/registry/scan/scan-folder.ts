import type { Diagnostic } from "../../skill/diagnostic.ts";
import { errorCode, stat } from "../../system/files/file-system.ts";
import { rootNotAFolder, unreadableFolder } from "./scan-problems.ts";
import type { ScanContext, Traversal, Traverse } from "./traverse.ts";

/** Traverses a root. One that is missing, a file or unreadable reports it and leaves the others alone. */
export async function scanFolder(
  dir: string,
  traverse: Traverse,
  ifMissing: readonly Diagnostic[],
  context: ScanContext,
): Promise<Traversal> {
  try {
    if (!(await stat(dir)).isDirectory()) return nothingIn(dir, [rootNotAFolder(dir)]);
    return await traverse(context);
  } catch (error) {
    const code = errorCode(error);
    const isMissing = code === "ENOENT" || code === "ENOTDIR";
    return nothingIn(dir, isMissing ? ifMissing : [unreadableFolder(dir, error)]);
  }
}

function nothingIn(dir: string, diagnostics: readonly Diagnostic[]): Traversal {
  return { realDir: dir, files: [], folders: new Set(), outside: [], awaited: [], listing: 0, diagnostics };
}
