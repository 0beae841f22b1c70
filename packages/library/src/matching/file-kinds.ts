/** Whether an asset is served as base64. Decided by the extension alone, so the same file always comes the same way. */
export function isBinary(file: string): boolean {
  return BINARY.has(extensionOf(file));
}

/** `.png` for `a/b.PNG`; empty when the name has no dot. */
export function extensionOf(file: string): string {
  const name = file.slice(file.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "" : name.slice(dot).toLowerCase();
}

const BINARY: ReadonlySet<string> = new Set(
  ".png .jpg .jpeg .gif .svg .ico .webp .pdf .zip .woff .woff2".split(" "),
);
