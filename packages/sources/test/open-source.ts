import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { onTestFinished } from "vitest";
import { logTo } from "../../../test/support/log.ts";
import type { Sandbox } from "../../../test/support/sandbox.ts";
import { parseRepoUrl, type RepoAddress } from "../src/git/repo-address.ts";
import { createGitSource, type GitSource, type GitSourceOptions } from "../src/git-source.ts";

/** A source in a sandbox, and what it logged. Closed when the test ends. */
export function openSource(
  sandbox: Sandbox,
  url: string,
  options: Partial<GitSourceOptions> = {},
): GitSource & { readonly logged: string[] } {
  const logged: string[] = [];
  const source = createGitSource({
    repo: repoAt(url),
    branch: "main",
    token: undefined,
    contentFolder: path.join(sandbox.home, ".skills-mcp", "content"),
    environment: { PATH: process.env["PATH"], HOME: sandbox.home },
    log: logTo((line) => logged.push(line)),
    now: Date.now,
    ...options,
  });
  onTestFinished(() => source.close());
  return { ...source, logged };
}

export const repoAt = (url: string): RepoAddress => parseRepoUrl(url);

/** Every file of the current version with its text, links shown as what they are. */
export async function contentOf(source: GitSource): Promise<Record<string, string>> {
  const folder = await source.current();
  if (folder === undefined) return {};
  const found: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(folder, file);
    if (entry.isFile()) found[name] = readFileSync(file, "utf8");
    else if (entry.isSymbolicLink()) found[name] = "(link)";
  }
  return found;
}

/** The cache's own folder: where the pointer is. */
export const cacheOf = (source: GitSource): string => path.dirname(source.pointer);
