import { useDashboard } from "../state/context.ts";

/** A path of the server's machine, with `~` for the home folder; the whole of it where it is pointed at. */
export function Path({ path, line }: { readonly path: string; readonly line?: number | undefined }) {
  const shown = shortPath(path, useDashboard().session?.home);
  return (
    <code class="path" title={path}>
      {line === undefined ? shown : `${shown}:${line}`}
    </code>
  );
}

function shortPath(path: string, home = ""): string {
  const rest = home !== "" && path.startsWith(home) ? path.slice(home.length) : undefined;
  return rest === "" || rest?.startsWith("/") === true || rest?.startsWith("\\") === true ? `~${rest}` : path;
}
