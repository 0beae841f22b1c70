import type { RepoRefresh } from "#sources";
import { count, printable, type Style } from "./text.ts";

/** What `refresh` prints for people: a line for each repository. */
export function renderRefresh(refreshed: readonly RepoRefresh[] | undefined, style: Style): string {
  if (refreshed === undefined) return "The server has no repositories; it has scanned its folders again.\n";
  return refreshed.map((one) => `${lineOf(one, style)}\n`).join("");
}

function lineOf(refresh: RepoRefresh, style: Style): string {
  const { repository, success, commit_hash, files_changed = 0, message = "" } = refresh;
  if (!success) return `${style.red("failed")}     ${printable(`${repository}: ${message}`)}`;
  const state = files_changed === 0 ? "unchanged" : style.green("updated");
  const gap = files_changed === 0 ? "  " : "    ";
  const changed = files_changed === 0 ? "" : `, ${count(files_changed, "file")} changed`;
  return `${state}${gap}${printable(`${repository}: commit ${commit_hash?.slice(0, 12) ?? "unknown"}`)}${changed}`;
}
