import { Icon } from "../icons/icon.tsx";
import { Menu } from "../parts/menu.tsx";
import { editorLink } from "./editor-link.ts";

/** Editors that open a file from an address. */
const EDITORS = [
  ["VS Code", "vscode"],
  ["VS Code Insiders", "vscode-insiders"],
  ["Cursor", "cursor"],
  ["Windsurf", "windsurf"],
  ["Zed", "zed"],
] as const;

/** Whether the files of the server are those of the machine in front of which somebody sits. */
function isHere(): boolean {
  return /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname);
}

/** Opens a file of this machine at a line. */
export function OpenInEditor({ file, line }: { readonly file: string; readonly line?: number | undefined }) {
  if (!isHere()) return null;
  const items = EDITORS.map(([label, scheme]) => ({
    label,
    onChoose: () => location.assign(editorLink(scheme, file, line)),
  }));
  return (
    <Menu label="Open in an editor" groups={[{ items }]} class="small">
      Open in …
      <Icon name="down" size={12} />
    </Menu>
  );
}
