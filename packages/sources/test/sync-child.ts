import { logTo } from "../../../test/support/log.ts";
import { parseRepoUrl } from "../src/git/repo-address.ts";
import { createGitSource } from "../src/git-source.ts";

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
