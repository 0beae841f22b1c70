import { expect, test } from "vitest";
import { printFigures } from "../support/figures.ts";
import type { GitServerMode } from "../support/git-server.ts";
import { ask, connectInProcessTo, createTeam, textFor, topic } from "../support/team-library.ts";
import { waitUntil } from "../support/wait-until.ts";

/** `node scripts/check-sync.mjs` waits as long as users do; otherwise this machine's own git settings ask for less. */
const HAS_PATIENCE = process.env["SKILLS_MCP_SYNC_PATIENCE"] !== undefined;

/** Text that does not compress, so that a pack is too long for one piece. */
const noise = Array.from({ length: 30_000 }, (_, at) => ((at * 2_654_435_761) >>> 7).toString(36)).join("");

test("a remote that hangs: its last content is served all the time, the refresh says so in the end, and the next one heals", async () => {
  await hangAndHeal({ kind: "hang" }, "ls-remote");
  await hangAndHeal({ kind: "stall", bytes: 20_000 }, "fetch");
});

async function hangAndHeal(mode: GitServerMode, command: string): Promise<void> {
  const { sandbox, origin, server, url } = await createTeam();
  if (!HAS_PATIENCE) sandbox.write("home/.gitconfig", `[http "${server.origin}/"]\n\tlowSpeedTime = 1\n`);
  const good = origin.commit({ "login.md": topic("login", "Good.") });
  const connection = await connectInProcessTo(sandbox, url);
  expect(await textFor(connection, "login")).toBe("Good.");
  const { last_sync } = await ask(connection, "refresh_skills");

  const next = origin.commit({ "login.md": topic("login", "New."), "noise.bin": noise });
  server.mode = mode;
  const began = Date.now();
  const served = new Set<string>();
  let calls = 0;
  let isOver = false;
  const refresh = ask(connection, "refresh_skills").finally(() => {
    isOver = true;
  });
  const askMeanwhile = async (): Promise<boolean> => {
    served.add(await textFor(connection, "login"));
    calls++;
    return isOver;
  };
  await waitUntil("the refresh is over", askMeanwhile, 300_000);
  expect(await refresh).toEqual({
    success: false,
    commit_hash: good,
    skills_reindexed: 1,
    last_sync,
    failing_since: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    message: `${url} answered too slowly or not at all, so the transfer was ended. Commit ${good.slice(0, 12)} is still served.`,
  });
  expect([...served]).toEqual(["Good."]);
  expect(calls).toBeGreaterThan(1);
  if (HAS_PATIENCE)
    printFigures({ command: `git ${command}`, givenUpAfterMs: Date.now() - began, callsMeanwhile: calls });

  server.mode = { kind: "ok" };
  expect(await ask(connection, "refresh_skills")).toMatchObject({ success: true, commit_hash: next });
  expect(await textFor(connection, "login")).toBe("New.");
  await connection.close();
}
