import type { SettingsKind } from "./listing.ts";

/** A skill file, by the two paths that its folder has. */
export interface FoundFile {
  readonly dir: string;
  readonly realDir: string;
  readonly fileName: string;
  readonly isLink: boolean;
  /** How many folders lie between it and its root. */
  readonly depth: number;
  /** What lies where its companion folder is expected. */
  readonly companion?: "folder" | "link";
  /** How a host's settings lie beside it, if there are any. */
  readonly settings?: SettingsKind;
  /** Its folder, or that of its settings, was listed in this scan; in the others nothing changed since the last one. */
  readonly isListed: boolean;
}

/** Nearest to the root first, then by path. */
export function byDepthThenPath(a: FoundFile, b: FoundFile): number {
  if (a.depth !== b.depth) return a.depth - b.depth;
  if (a.dir !== b.dir) return a.dir < b.dir ? -1 : 1;
  return a.fileName < b.fileName ? -1 : 1;
}
