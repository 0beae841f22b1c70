import { execFile } from "node:child_process";
import { expect } from "vitest";
import { BIN, environmentOf, NODE, type Ran } from "./bin.ts";
import { type Connection, connect, type ProcessConnection } from "./client.ts";
import { type GitServer, startGitServer } from "./git-server.ts";
import { connectInProcess, RUNS_BIN, runCommand } from "./in-process.ts";
import { createOrigin, type Origin } from "./origin.ts";
import { createSandbox, MEMORY_FOLDER, type Sandbox } from "./sandbox.ts";
import { waitUntil } from "./wait-until.ts";

/** A skill of a library: it is found by its keyword, and says its text. */
export function topic(keyword: string, text: string, more = ""): string {
  return `---\nkeywords: [${keyword}]\ndescription: About ${keyword}\n${more}---\n${text}\n`;
}

/** A team's repository behind the real git server, and a machine that has seen nothing of it. */
export interface Team extends LocalTeam {
  readonly server: GitServer;
}

export interface LocalTeam {
  readonly sandbox: Sandbox;
  readonly origin: Origin;
  readonly url: string;
}

type TeamFiles = Readonly<Record<string, string>>;

/** Scripts need the `base` on the disk. */
export async function createTeam(base = MEMORY_FOLDER): Promise<Team> {
  const sandbox = createSandbox(base);
  const origin = createOrigin(sandbox.path());
  const server = await startGitServer(sandbox.path());
  return { sandbox, origin, server, url: server.url("team-skills.git") };
}

/** A server over repositories, as an agent's config starts it. */
export function connectTo(
  sandbox: Sandbox,
  repo: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ProcessConnection> {
  return connect(sandbox, { era: "2025-11-25", env: { SKILLS_REPO: repo, ...env } });
}

/** The same in this process, for tests of what it answers. */
export function connectInProcessTo(
  sandbox: Sandbox,
  repo: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Connection> {
  return connectInProcess(sandbox, { era: "2025-11-25", env: { SKILLS_REPO: repo, ...env } });
}

/** What a tool answers: JSON, the same as text and as data. */
export async function ask(
  { client }: Connection,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
): Promise<Record<string, unknown>> {
  const result = await client.callTool({ name, arguments: args });
  const [first] = result.content as readonly { readonly text: string }[];
  const answer = JSON.parse(first?.text ?? "null") as Record<string, unknown>;
  expect(result.structuredContent).toEqual(answer);
  expect(result.isError === true).toBe(answer["error"] === true);
  return answer;
}

/** The text of the skill that a task leads to, without its heading; or why there is none. */
export async function textFor(connection: Connection, context: string): Promise<string> {
  const answer = await ask(connection, "get_skill", { context });
  if (typeof answer["content"] !== "string") return String(answer["message"]);
  return answer["content"].replace(/^=== .* ===\n+/, "").trim();
}

/** `refresh_skills`, asked again for as long as the fetch that a start begins is under way. */
export async function refreshed(connection: Connection): Promise<Record<string, unknown>> {
  let answer: Record<string, unknown> = {};
  await waitUntil("no other refresh is running", async () => {
    answer = await ask(connection, "refresh_skills");
    return !/\balready\b/.test(String(answer["message"]));
  });
  return answer;
}

/** The same with the repository on this machine, which takes half of the processes: for tests that need no network. */
export function createLocalTeam(base = MEMORY_FOLDER): LocalTeam {
  const sandbox = createSandbox(base);
  const origin = createOrigin(sandbox.path());
  return { sandbox, origin, url: origin.fileUrl };
}

/** A machine on which the repository's content already is. */
export async function createServedTeam(files: TeamFiles, base = MEMORY_FOLDER): Promise<Team> {
  return serveOnce(await createTeam(base), files);
}

export function createServedLocalTeam(files: TeamFiles, base = MEMORY_FOLDER): Promise<LocalTeam> {
  return serveOnce(createLocalTeam(base), files);
}

async function serveOnce<T extends LocalTeam>(team: T, files: TeamFiles): Promise<T> {
  team.origin.commit(files);
  const connection = await connectInProcessTo(team.sandbox, team.url);
  await ask(connection, "list_skills");
  await connection.close();
  return team;
}

/** Runs a command to its end, while this process goes on to serve the repository. */
export function runBeside(
  sandbox: Sandbox,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  if (!RUNS_BIN) return runCommand(sandbox, args, { env });
  return new Promise((resolve) => {
    const options = { cwd: sandbox.project, env: { ...environmentOf(sandbox), ...env } };
    execFile(NODE, [BIN, ...args], options, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    ).stdin?.end();
  });
}
