import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { createGitSource } from "../../src/sources/git-source.ts";
import { parseRepoUrls } from "../../src/sources/repo-address.ts";

/** A server's git source in a process of its own: `sync` refreshes until it is killed, `read` reads until stdin ends. */
const [mode = "", url = "", contentFolder = ""] = process.argv.slice(2);
const [repo] = parseRepoUrls(url);
if (repo === undefined) throw new Error("no repository");
const source = createGitSource({
  repo,
  branch: "main",
  token: undefined,
  contentFolder,
  environment: process.env,
  log: (line) => process.stderr.write(`${line}\n`),
  now: Date.now,
  // Short, so that old versions are removed while they are read.
  limits: { graceMs: 500 },
});

if (mode === "sync") {
  process.stdout.write("syncing\n");
  for (;;) await source.refresh();
}

let isOpen = true;
process.stdin.on("end", () => {
  isOpen = false;
});
process.stdin.resume();
const report = { reads: 0, commits: new Set<string>(), torn: [] as string[] };
while (isOpen) {
  const folder = await source.current();
  if (folder !== undefined) readOnce(folder);
  await new Promise((resolve) => setTimeout(resolve, 5));
}
await source.close();
process.stdout.write(JSON.stringify({ ...report, commits: report.commits.size }));

/** Every file holds the commit's number, and `count` how many files there are. */
function readOnce(folder: string): void {
  report.reads++;
  try {
    const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const texts = names.map((entry) => readFileSync(path.join(entry.parentPath, entry.name), "utf8"));
    const [first = ""] = texts;
    report.commits.add(first);
    const [, count] = first.split(" ");
    if (names.length !== Number(count) || texts.some((text) => text !== first))
      report.torn.push(`${folder}: ${names.length} files, ${[...new Set(texts)].join(" | ")}`);
  } catch (error) {
    report.torn.push(String(error));
  }
}
