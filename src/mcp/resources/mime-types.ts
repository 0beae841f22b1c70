/** By the extension alone, so that a list and a reading agree. */
export function mimeTypeOf(file: string): string {
  const dot = file.lastIndexOf(".");
  return (
    (dot <= 0 ? undefined : MIME_TYPES.get(file.slice(dot + 1).toLowerCase())) ?? "application/octet-stream"
  );
}

export const MARKDOWN = "text/markdown";
export const FOLDER = "inode/directory";

const MIME_TYPES: ReadonlyMap<string, string> = new Map([
  ["md", MARKDOWN],
  ["markdown", MARKDOWN],
  ["txt", "text/plain"],
  ["csv", "text/csv"],
  ["html", "text/html"],
  ["css", "text/css"],
  ["js", "text/javascript"],
  ["mjs", "text/javascript"],
  ["ts", "text/typescript"],
  ["py", "text/x-python"],
  ["sh", "application/x-sh"],
  ["bash", "application/x-sh"],
  ["json", "application/json"],
  ["yaml", "application/yaml"],
  ["yml", "application/yaml"],
  ["toml", "application/toml"],
  ["xml", "application/xml"],
  ["xsd", "application/xml"],
  ["svg", "image/svg+xml"],
  ["png", "image/png"],
  ["jpg", "image/jpeg"],
  ["jpeg", "image/jpeg"],
  ["gif", "image/gif"],
  ["webp", "image/webp"],
  ["pdf", "application/pdf"],
  ["zip", "application/zip"],
  ["woff2", "font/woff2"],
]);
