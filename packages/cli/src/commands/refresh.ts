import { readFileSettings, refuseProblems } from "#config";
import { refreshServer } from "#server";
import { openGitLibraries, type RepoRefresh } from "#sources";
import type { Log } from "#util";
import { defineCommand, printJson } from "../command.ts";
import { reposIn } from "../file-flags.ts";
import { badUsage, flag } from "../flags.ts";
import { count, printable, type Style } from "../render/text.ts";
import { homeFor, JSON_FLAG, userFolder, VIEW_FLAGS } from "../shared-flags.ts";

/** `skills-mcp refresh`: makes a push visible at once. Exit 1 when a repository could not be fetched. */
export const command = defineCommand({
  name: "refresh",
  summary: "fetch the repositories now, here or on a running server",
  order: 80,
  bundle: "manage",
  examples: ["refresh", "refresh --url http://127.0.0.1:4700"],
  flags: {
    ...JSON_FLAG,
    url: flag.text("<url>", "ask a running server instead, such as http://127.0.0.1:4700"),
    token: flag.text(
      "<token>",
      "bearer token of that server, with the scope skills:admin (default: $SKILLS_MCP_TOKEN)",
    ),
    "user-dir": VIEW_FLAGS["user-dir"],
  },
  takes: "none",
  async run({ given, terminal, log }) {
    const { url } = given;
    if (url === undefined && given.token !== undefined)
      throw badUsage("--token", "--token is for a server: pass its --url too.");
    const userDir = given["user-dir"] === undefined ? undefined : userFolder(given["user-dir"]);
    const token = given.token ?? (process.env["SKILLS_MCP_TOKEN"]?.trim() || undefined);
    const home = homeFor(given["user-dir"]);
    const refreshed =
      url === undefined ? await refreshHere(home, userDir, log) : await refreshServer({ url, token, home });
    const repositories = refreshed ?? [];
    const success = repositories.every((one) => one.success);
    if (given.json) printJson(terminal, { success, repositories });
    else terminal.print(renderRefresh(refreshed, terminal.style));
    return success ? 0 : 1;
  },
});

/** Fetches without a server. A running server with the same home folder notices the new version by itself. */
async function refreshHere(
  home: string,
  userDir: string | undefined,
  log: Log,
): Promise<readonly RepoRefresh[]> {
  const files = await readFileSettings({ cwd: process.cwd(), home }, log);
  refuseProblems(files.problems);
  const repos = reposIn(files);
  const git = await openGitLibraries({ library: undefined, repos, userDir, environment: process.env, log });
  if (git === undefined)
    throw badUsage(
      "SKILLS_REPO",
      "No repository is configured: set SKILLS_REPO to its address, such as owner/repo, list it under repos: in ~/.skills-mcp/config.yaml, or pass the --url of a server.",
    );
  try {
    return await git.refresh();
  } finally {
    await git.close();
  }
}

/** What `refresh` prints for people: a line for each repository. */
function renderRefresh(refreshed: readonly RepoRefresh[] | undefined, style: Style): string {
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
