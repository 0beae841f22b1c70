import { isLoopbackHost } from "#util";
import { originOf, type RepoAddress } from "../git/repo-address.ts";
import type { FindToken, HostToken } from "./host-tokens.ts";

interface GitTokens {
  readonly tokenFor: FindToken;
  readonly environment: NodeJS.ProcessEnv;
  /** True: the operator named the address, so that GITHUB_TOKEN may also go to this machine. */
  readonly isOwn: boolean;
}

/**
 * The token of a repository's host, whatever the address is. GITHUB_TOKEN is for GitHub alone; GitHub's own runners name the
 * server of an enterprise in GITHUB_SERVER_URL.
 */
export async function gitTokenFor(
  repo: RepoAddress,
  { tokenFor, environment, isOwn }: GitTokens,
): Promise<HostToken | undefined> {
  const origin = originOf(repo);
  if (origin === undefined) return undefined;
  const url = new URL(origin);
  const own = await tokenFor(url);
  if (own !== undefined) return own;
  const token = environment["GITHUB_TOKEN"]?.trim();
  if (token === undefined || token === "") return undefined;
  const server = environment["GITHUB_SERVER_URL"] ?? "";
  const origins = ["https://github.com", URL.canParse(server) ? new URL(server).origin : ""];
  const isFor = origins.includes(origin) || (isOwn && isLoopbackHost(url.hostname));
  return isFor ? { token, from: "GITHUB_TOKEN" } : undefined;
}
