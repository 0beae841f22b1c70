import { renameSync, rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ERAS } from "../support/client.ts";
import { page, SAMPLE, serveLibraryInProcess as serveLibrary, shareLibrary } from "../support/library.ts";
import { createSandbox } from "../support/sandbox.ts";
import { waitUntil } from "../support/wait-until.ts";

interface Tree {
  readonly tree: { readonly children: readonly { readonly name: string; readonly description: string }[] };
}

describe.each(ERAS)("seed 004 §4.6: index rebuild, protocol %s", (era) => {
  test("new, edited and removed files are seen and announced without a restart", async () => {
    const sandbox = createSandbox();
    const server = await serveLibrary(sandbox, SAMPLE, { era, args: ["mcp", "--no-refresh"] });
    const { call } = server;
    const servedPath = async (context: string) => (await call("get_skill", { context }))["skill_path"];
    await server.client.listTools();
    expect(await servedPath("kubernetes")).toBeUndefined();

    const file = "project/library/ops/kube.md";
    sandbox.write(file, page("kubernetes", "Clusters"));
    await waitUntil("the new skill", async () => (await servedPath("kubernetes")) === "ops/kube");
    await waitUntil("it is announced", () => server.announced() === 1);
    // What follows is the same in both.
    if (era === "2026-07-28") return;

    sandbox.write(file, page("helm", "Charts", "", "New text.\n"));
    await waitUntil("the new keyword", async () => (await servedPath("helm")) === "ops/kube");
    expect((await call("get_skill", { context: "helm" }))["content"]).toContain("New text.");
    expect(await servedPath("kubernetes")).toBeUndefined();
    await waitUntil("that is announced", () => server.announced() === 2);

    rmSync(sandbox.path(file));
    await waitUntil("it is gone", async () => (await servedPath("helm")) === undefined);
    await waitUntil("that is announced too", () => server.announced() === 3);
  });
});

describe("seed 004 §4.6: searches operate on a consistent snapshot", () => {
  test("while files change, every answer is of one state of the library", async () => {
    const sandbox = createSandbox();
    // The same word is in every file; each state of the library gives all of them one description.
    const state = (version: number, name: string) => page(`word, ${name}`, `version ${version}`);
    const names = Array.from({ length: 12 }, (_, index) => `skill-${index}`);
    const files = Object.fromEntries(names.map((name) => [`${name}.md`, state(0, name)]));
    const server = await serveLibrary(sandbox, files, {
      args: ["mcp", "--refresh-interval", "5", "--no-watch"],
    });
    let reading = true;
    const writer = (async () => {
      for (let version = 1; reading; version++) {
        // Saved as editors do it, so that no half of a file is ever there.
        for (const name of names) {
          const temporary = sandbox.write("project/tmp.md", state(version, name));
          renameSync(temporary, sandbox.path("project/library", `${name}.md`));
          await new Promise(setImmediate);
        }
      }
    })();
    for (let round = 0; round < 40; round++) {
      const { tree } = (await server.call("list_skills")) as unknown as Tree;
      expect(tree.children.map(({ name }) => name)).toEqual([...names].sort());
      expect((await server.call("get_skill", { skill_path: "skill-7" })).error).toBeUndefined();
    }
    reading = false;
    await writer;
    for (const name of names) sandbox.write(`project/library/${name}.md`, state(-1, name));
    await server.call("refresh_skills");
    const { tree } = (await server.call("list_skills")) as unknown as Tree;
    expect(new Set(tree.children.map(({ description }) => description))).toEqual(new Set(["version -1"]));
  });
});

describe("seed 004 §8.6: refresh_skills", () => {
  test("response (local mode), and the change is there at once", async () => {
    const sandbox = createSandbox();
    const server = await serveLibrary(sandbox, SAMPLE, { args: ["mcp", "--no-refresh", "--no-watch"] });
    const answer = {
      success: true,
      mode: "local",
      skills_reindexed: 6,
      message: "Reindexed from local directory (no git sync configured).",
    };
    expect(await server.call("refresh_skills")).toEqual(answer);
    sandbox.write("project/library/late.md", page("late", "Written while it runs"));
    expect(await server.call("get_skill", { context: "late" })).toMatchObject({ no_match: true });
    expect(await server.call("refresh_skills")).toEqual({ ...answer, skills_reindexed: 7 });
    expect(await server.call("get_skill", { context: "late" })).toMatchObject({ skill_path: "late" });
  });

  const large = shareLibrary(
    Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`s${index}.md`, page("word", "d")])),
  );
  test("§13: concurrent refresh attempts, the second returns { success: false } immediately", async () => {
    const order: number[] = [];
    const answers = await Promise.all(
      [0, 1].map(async (index) => {
        const answer = await large().call("refresh_skills");
        order.push(index);
        return answer;
      }),
    );
    expect(answers[0]).toMatchObject({ success: true, skills_reindexed: 300 });
    expect(answers[1]).toMatchObject({ success: false });
    expect(order).toEqual([1, 0]);
    // And the next one works again.
    expect(await large().call("refresh_skills")).toMatchObject({ success: true });
  });
});
