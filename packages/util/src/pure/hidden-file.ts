/** Whether a path leads through a hidden name, such as `.env` or `.git/config`. Hidden files are never served. */
export function isHidden(file: string): boolean {
  return file.split(/[/\\]/).some((name) => name.startsWith(".") && name !== "." && name !== "..");
}
