import type { Diagnostic } from "../skill/diagnostic.ts";
import { describeError, errorCode, stat } from "./file-system.ts";
import { type Layout, type Walk, walkRoot } from "./walk.ts";

/** Walks a folder. One that is missing, a file, or closed to us says so and leaves the others alone. */
export async function tryWalk(
  dir: string,
  layout: Layout,
  ifMissing: readonly Diagnostic[],
  onFolder: ((realDir: string) => void) | undefined,
): Promise<Walk> {
  const none = { realDir: dir, files: [], folders: new Set<string>(), awaited: [], listing: 0 };
  try {
    const stats = await stat(dir);
    if (stats.isDirectory()) return await walkRoot(dir, layout, onFolder);
    const message = "It is not a folder, so no skills can be found in it.";
    const notAFolder: Diagnostic = { severity: "error", code: "root-not-a-folder", file: dir, message };
    return { ...none, diagnostics: [notAFolder] };
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return { ...none, diagnostics: ifMissing };
    const message = `This folder cannot be read: ${describeError(error)}.`;
    return { ...none, diagnostics: [{ severity: "error", code: "unreadable", file: dir, message }] };
  }
}
