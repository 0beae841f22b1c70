import { expect, test } from "vitest";
import { createApp } from "#server";
import { createSandbox, skillText } from "../../../test/support/sandbox.ts";

test("an approved skill whose file is broken by a change is served as it was approved, in its place", async () => {
  const sandbox = createSandbox();
  sandbox.write("home/.skills-mcp/trust.yaml", `review: [${sandbox.path("vendor")}]\n`);
  sandbox.write("vendor/pdf/SKILL.md", skillText("pdf", "Approved.", "Body\n"));
  sandbox.write("home/.claude/skills/pdf/SKILL.md", skillText("pdf", "Of the user.", "Body\n"));
  const { app, close } = createApp({
    cwd: sandbox.project,
    userDir: sandbox.home,
    folders: { first: [sandbox.path("vendor")] },
  });
  const review = await app.review();
  await review.approve(await review.plan(["pdf"]), "anna");
  const descriptions = async (): Promise<readonly string[]> =>
    (await app.refresh()).catalog.entries.map(({ skill }) => skill.description);
  const before = await descriptions();

  sandbox.write("vendor/pdf/SKILL.md", "---\nname: [pdf\n---\nBroken\n");
  expect(await descriptions()).toEqual(before);
  expect(before[0]).toBe("Approved.");
  expect(await review.list()).toMatchObject([
    { name: "pdf", state: "changed", problem: expect.stringContaining("SKILL.md:2: ") as string },
  ]);
  await expect(review.plan(["pdf"])).rejects.toThrow("cannot be served, so it cannot be approved");
  expect(await review.plan("all")).toEqual([]);

  sandbox.write("vendor/pdf/SKILL.md", skillText("pdf", "Mended.", "Body\n"));
  expect(await descriptions()).toEqual(before);
  await review.approve(await review.plan(["pdf"]), "anna");
  expect(await descriptions()).toContain("Mended.");
  await close();
});
