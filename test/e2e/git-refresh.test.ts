import { describe, expect, test } from "vitest";
import { ERAS } from "../support/client.ts";
import { connectInProcess as connect } from "../support/in-process.ts";
import {
  ask,
  connectInProcessTo,
  createServedLocalTeam,
  createServedTeam,
  createTeam,
  refreshed,
  textFor,
  topic,
} from "../support/team-library.ts";
import { waitUntil } from "../support/wait-until.ts";

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe("refresh_skills over git", () => {
  test("answers with the commit, what changed and how many skills there are", async () => {
    const { sandbox, origin, url } = await createTeam();
    const one = origin.commit({ "a.md": topic("login", "One."), "b.md": topic("cart", "Cart.") });
    const connection = await connectInProcessTo(sandbox, url);
    expect(await textFor(connection, "login")).toBe("One.");
    expect(await ask(connection, "refresh_skills")).toEqual({
      success: true,
      commit_hash: one,
      files_changed: 0,
      skills_reindexed: 2,
      last_sync: ISO,
    });
    const two = origin.commit({ "a.md": topic("login", "Two."), "c.md": topic("mail", "Mail.") });
    const before = Date.now();
    const answer = await ask(connection, "refresh_skills");
    expect(answer).toEqual({
      success: true,
      commit_hash: two,
      files_changed: 3,
      skills_reindexed: 2,
      last_sync: ISO,
    });
    expect(Date.parse(String(answer["last_sync"]))).toBeGreaterThanOrEqual(before);
    expect(await textFor(connection, "login")).toBe("Two.");
    expect(await textFor(connection, "cart")).toBe("No skill matches the given context.");
  });

  test("is one at a time: while one waits for the remote, others are turned away at once, and calls go on", async () => {
    const { sandbox, origin, server, url } = await createServedTeam({ "a.md": topic("login", "One.") });
    const connection = await connectInProcessTo(sandbox, url);
    await refreshed(connection);
    const next = origin.commit({ "a.md": topic("login", "Two.") });
    let go = (): void => {};
    server.hold = new Promise((resolve) => {
      go = resolve;
    });
    const asked = server.requests.length;
    const first = ask(connection, "refresh_skills");
    await waitUntil("git asks", () => server.requests.length > asked);
    expect(await ask(connection, "refresh_skills")).toEqual({
      success: false,
      message: "A refresh is already running.",
    });
    expect(await textFor(connection, "login")).toBe("One.");
    go();
    expect(await first).toMatchObject({ success: true, commit_hash: next });
    expect(await textFor(connection, "login")).toBe("Two.");
  });

  test("waits for the fetch that the start began, which nobody asked for", async () => {
    const { sandbox, origin, server, url } = await createServedTeam({ "a.md": topic("login", "One.") });
    const next = origin.commit({ "a.md": topic("login", "Two.") });
    let go = (): void => {};
    server.hold = new Promise((resolve) => {
      go = resolve;
    });
    const asked = server.requests.length;
    const connection = await connectInProcessTo(sandbox, url);
    await waitUntil("git asks", () => server.requests.length > asked);
    const answer = ask(connection, "refresh_skills");
    expect(await textFor(connection, "login")).toBe("One.");
    go();
    expect(await answer).toMatchObject({ success: true, commit_hash: next, files_changed: 1 });
    expect(await textFor(connection, "login")).toBe("Two.");
  });

  test.each(ERAS)("tells a %s client that something changed, and only then", async (era) => {
    const { sandbox, origin, url } = await createServedLocalTeam({ "a.md": topic("login", "One.") });
    const connection = await connect(sandbox, { era, env: { SKILLS_REPO: url } });
    expect(await refreshed(connection)).toMatchObject({ success: true, files_changed: 0 });
    // A text is read when it is asked for: no list shows it.
    origin.commit({ "a.md": topic("login", "Two.") });
    await ask(connection, "refresh_skills");
    expect(await textFor(connection, "login")).toBe("Two.");
    expect(connection.announced()).toBe(0);
    origin.commit({ "a.md": topic("login", "Two."), "b.md": topic("cart", "Cart.") });
    await ask(connection, "refresh_skills");
    await waitUntil("the new skill is announced", () => connection.announced() > 0);
  });
});
