/** An address that opens a file of this machine in an editor. */
export function editorLink(scheme: string, file: string, line = 1): string {
  const path = encodeURI(file.replaceAll("\\", "/")).replaceAll("#", "%23").replaceAll("?", "%3F");
  return `${scheme}://file${path.startsWith("/") ? "" : "/"}${path}:${line}`;
}
