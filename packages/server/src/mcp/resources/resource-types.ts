import { mimeTypeOf } from "#util";

export const MARKDOWN = "text/markdown";
export const FOLDER = "inode/directory";

/** By the extension alone, so that a list and a read agree. */
export function resourceTypeOf(fileName: string): string {
  return mimeTypeOf(fileName) ?? "application/octet-stream";
}
