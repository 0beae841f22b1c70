import { spawn } from "node:child_process";
import { readdirSync, statSync, utimesSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { NODE, spawnBin } from "../support/bin.ts";
import { connect } from "../support/client.ts";
import { printFigures } from "../support/figures.ts";
import { environments } from "../support/git-processes.ts";
import { connectInProcess } from "../support/in-process.ts";
import { createRandom } from "../support/random.ts";
import { MEMORY_FOLDER, type Sandbox } from "../support/sandbox.ts";
import { ask, createTeam, refreshed, type Team, topic } from "../support/team-library.ts";
import { waitUntil } from "../support/wait-until.ts";

/** `node scripts/check-sync.mjs` runs far more of them. */
const ROUNDS = Number(process.env["SKILLS_MCP_SYNC_ROUNDS"] ?? "4");
const SEED = Number(process.env["SKILLS_MCP_SYNC_SEED"] ?? Date.now() % 1_000_000);

test(`readers see whole commits while servers are killed in mid-sync, and it converges (seed ${SEED})`, {
  timeout: 60_000 + ROUNDS * 3_000,
}, async () => {
  const random = createRandom(SEED);
  const team = await createTeam(MEMORY_FOLDER);
  const { sandbox, url } = team;
  const commit = committer(team, random);
  commit();
  // It hardly ever fetches by itself after its start: what it serves is what the others bring.
  const live = await connect(sandbox, {
    era: "2025-11-25",
    args: ["mcp", "--refresh-interval", "200"],
    env: { SKILLS_REPO: url },
  });
  const asking = askAgainAndAgain(() => ask(live, "get_skill", { context: "", skill_path: "deep/leaf" }));
  await asking.first;
  const cache = cacheIn(sandbox);
  const reader = await startReader(path.join(cache, "current"));

  let rounds = 0;
  let withinMs = 200;
  const killed = { starting: 0, refreshing: 0, done: 0 };
  const killAgainAndAgain = async (): Promise<void> => {
    while (rounds++ < ROUNDS) {
      commit();
      const server = startServer(sandbox, url);
      // Most die in the fetch of their start, some in one that was asked for.
      const isAsked = random() < 0.25;
      await server.answered(isAsked ? 2 : 1);
      if (isAsked) {
        commit();
        server.refresh(3);
      }
      // Not a wait: the kill comes at a random moment.
      await new Promise((resolve) => setTimeout(resolve, random() * withinMs));
      const isDone = server.hasAnswered(isAsked ? 3 : 2);
      await server.kill();
      killed[isDone ? "done" : isAsked ? "refreshing" : "starting"]++;
      // However fast the machine is, a few come to the end and most do not.
      withinMs *= isDone ? 0.8 : 1.1;
      if (rounds % 4 === 0) age(cache);
    }
  };
  await Promise.all([killAgainAndAgain(), killAgainAndAgain()]);

  // One more, brought by a server that nobody kills, so that nothing of the others may be left.
  const { hash, mark } = commit();
  const last = await connectInProcess(sandbox, { era: "2025-11-25", env: { SKILLS_REPO: url } });
  expect(await refreshed(last)).toMatchObject({ success: true, commit_hash: hash });
  await waitUntil("the live server follows", () => asking.seen().last === mark);
  const answers = await asking.stop();
  const read = await reader.stop();
  expect(answers.torn).toEqual([]);
  expect(read.torn).toEqual([]);
  expect(read.last).toBe(mark);
  expect(answers.commits).toBeGreaterThan(1);
  expect(read.commits).toBeGreaterThan(1);

  await last.close();
  await live.close();
  const versions = readdirSync(path.join(cache, "v"));
  const left = [...readdirSync(cache), ...versions];
  expect(left.filter((name) => name.endsWith(".tmp") || name === "lock")).toEqual([]);
  expect(environments().filter((text) => text.includes(`GIT_DIR=${cache}`))).toEqual([]);
  if (process.env["SKILLS_MCP_SYNC_ROUNDS"] !== undefined) {
    const { reads, commits } = read;
    printFigures({
      rounds: ROUNDS,
      killed,
      reader: { reads, commits },
      live: answers,
      versions: versions.length,
    });
  }
});

/** Commits by number: every file carries it, and how many files there are. Some replace the whole history. */
function committer({ origin }: Team, random: () => number) {
  let number = 0;
  return () => {
    number++;
    const more = Array.from({ length: Math.floor(random() * 12) }, (_, at) =>
      at % 2 === 0 ? `s${at}/extra.md` : `${number % 5}-${at}.md`,
    );
    const names = ["_root.md", "deep/_index.md", "deep/leaf.md", ...more];
    const mark = `commit ${number} of ${names.length} files`;
    const files = Object.fromEntries(names.map((name) => [name, topic("login", mark)]));
    return { mark, hash: origin.commit(files, { orphan: random() < 0.4 }) };
  };
}

/** A server as an agent starts it. It fetches at its start, and is asked for a refresh that waits for that. */
function startServer(sandbox: Sandbox, url: string) {
  const { child, exit, stdout } = spawnBin(sandbox, ["mcp"], { SKILLS_REPO: url });
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await exit;
  };
  onTestFinished(kill);
  child.stdin.on("error", () => {});
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const refresh = (id: number) =>
    send({ id, method: "tools/call", params: { name: "refresh_skills", arguments: {} } });
  const clientInfo = { name: "test", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  send({ id: 1, method: "initialize", params });
  send({ method: "notifications/initialized" });
  refresh(2);
  const hasAnswered = (id: number): boolean => stdout().includes(`"id":${id}`);
  return {
    hasAnswered,
    answered: (id: number) => waitUntil(`the answer to ${id}`, () => hasAnswered(id)),
    refresh,
    kill,
  };
}

interface Seen {
  readonly reads: number;
  readonly commits: number;
  readonly last: string | undefined;
  readonly torn: readonly string[];
}

/** Asks all the time. An answer is whole if all of its parts, the rules from above too, are of one commit. */
function askAgainAndAgain(get: () => Promise<Record<string, unknown>>) {
  const torn: string[] = [];
  const commits = new Set<string>();
  let reads = 0;
  let last: string | undefined;
  let isOpen = true;
  const seen = (): Seen => ({ reads, commits: commits.size, last, torn });
  const once = async (): Promise<void> => {
    const answer = await get();
    reads++;
    const marks = String(answer["content"]).match(/^commit \d+ of \d+ files$/gm) ?? [];
    [last] = marks;
    if (last !== undefined) commits.add(last);
    if (marks.length !== 3 || new Set(marks).size !== 1) torn.push(JSON.stringify(answer));
  };
  const first = once();
  const untilStopped = async (): Promise<void> => {
    await first;
    while (isOpen) {
      await once();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const all = untilStopped();
  return {
    first,
    seen,
    async stop() {
      isOpen = false;
      await all;
      return seen();
    },
  };
}

/** A process that knows nothing of us and reads the files through the link. */
async function startReader(pointer: string) {
  const script = fileURLToPath(new URL("./pointer-reader.mjs", import.meta.url));
  const child = spawn(NODE, [script, pointer], { stdio: ["pipe", "pipe", "inherit"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
  onTestFinished(() => void child.kill("SIGKILL"));
  await waitUntil("the reader reads", () => output.includes("\n"));
  return {
    async stop(): Promise<Seen> {
      child.stdin.end();
      await ended;
      return JSON.parse(output.slice(output.indexOf("\n"))) as Seen;
    },
  };
}

function cacheIn({ home }: Sandbox): string {
  const content = path.join(home, ".skills-mcp", "content");
  const [only = "none"] = readdirSync(content);
  return path.join(content, only);
}

/** Makes every version an hour older, so that the next server removes those that nobody needs. */
function age(cache: string): void {
  const versions = path.join(cache, "v");
  for (const name of readdirSync(versions)) {
    if (!name.endsWith(".json")) continue;
    const file = path.join(versions, name);
    const { mtimeMs } = statSync(file);
    utimesSync(file, mtimeMs / 1000 - 3600, mtimeMs / 1000 - 3600);
  }
}
