import { lookup } from "mrmime";

/** What `mrmime` does not know, or takes for something else: `.ts` is a video there and `.rs` an XML format. */
const OVERRIDES: ReadonlyMap<string, string> = new Map([
  ["ts", "text/typescript"],
  ["tsx", "text/typescript"],
  ["py", "text/x-python"],
  ["rs", "text/x-rust"],
  ["sh", "application/x-sh"],
  ["bash", "application/x-sh"],
  ["yaml", "application/yaml"],
  ["yml", "application/yaml"],
  ["xml", "application/xml"],
]);

/** The MIME type that a file's extension stands for; undefined when it has none, or an unknown one. */
export function mimeTypeOf(fileName: string): string | undefined {
  const name = fileName.slice(Math.max(fileName.lastIndexOf("/"), fileName.lastIndexOf("\\")) + 1);
  const dot = name.lastIndexOf(".");
  if (dot <= 0) return undefined;
  const extension = name.slice(dot + 1).toLowerCase();
  return OVERRIDES.get(extension) ?? lookup(extension);
}
