import { parseRepoUrl } from "../../src/sources/git/repo-address.ts";
import { createGitSource } from "../../src/sources/git-source.ts";
import { logTo } from "../support/log.ts";

/** A server's git source in a process of its own, which refreshes until it is killed. */
const [url = "", contentFolder = ""] = process.argv.slice(2);
const source = createGitSource({
  repo: parseRepoUrl(url),
  branch: "main",
  token: undefined,
  contentFolder,
  environment: process.env,
  log: logTo((line) => process.stderr.write(`${line}\n`)),
  now: Date.now,
});
for (;;) await source.refresh();
