import { spawnSync } from "node:child_process";
import { closeSync, ftruncateSync, mkdirSync, openSync, symlinkSync } from "node:fs";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { RACE_MS, raceWithSwaps } from "../../../../test/support/race.ts";
import { createSandbox, type Sandbox } from "../../../../test/support/sandbox.ts";
import { NotOpened, readInside } from "../../src/files/open-inside.ts";
import { PLATFORMS, platform } from "../../src/platform/this-platform.ts";

function wanted(sandbox: Sandbox, file: string) {
  return { root: sandbox.path("library"), folder: sandbox.path("library/auth"), file };
}

async function read(sandbox: Sandbox, file: string, max = 1000): Promise<string> {
  try {
    return (await readInside(wanted(sandbox, file), max)).toString();
  } catch (error) {
    if (error instanceof NotOpened) return `refused: ${error.reason}`;
    throw error;
  }
}

describe("reading a file inside of a folder", () => {
  test("readInside gives the bytes of a file", async () => {
    const sandbox = createSandbox();
    sandbox.write("library/auth/assets/a.txt", "héllo");
    expect(await read(sandbox, "assets/a.txt")).toBe("héllo");
  });

  test("a link that stays in the library is followed; one that leads out is refused", async () => {
    const sandbox = createSandbox();
    sandbox.write("library/shared/a.txt", "shared");
    sandbox.write("secret.txt", "secret");
    mkdirSync(sandbox.path("library/auth"));
    symlinkSync("../shared/a.txt", sandbox.path("library/auth/in.txt"));
    symlinkSync("../../secret.txt", sandbox.path("library/auth/out.txt"));
    symlinkSync("../..", sandbox.path("library/auth/up"));
    symlinkSync("loop.txt", sandbox.path("library/auth/loop.txt"));
    expect(await read(sandbox, "in.txt")).toBe("shared");
    expect(await read(sandbox, "out.txt")).toBe("refused: outside");
    expect(await read(sandbox, "up/secret.txt")).toBe("refused: outside");
    expect(await read(sandbox, "loop.txt")).toBe("refused: unreadable");
  });

  test("a file of a sibling folder whose name begins like the root is refused", async () => {
    const sandbox = createSandbox();
    sandbox.write("library-private/a.txt", "secret");
    mkdirSync(sandbox.path("library/auth"), { recursive: true });
    symlinkSync("../../library-private/a.txt", sandbox.path("library/auth/a.txt"));
    expect(await read(sandbox, "a.txt")).toBe("refused: outside");
  });

  test("what is missing, a folder or a FIFO is refused at once", async () => {
    const sandbox = createSandbox();
    sandbox.write("library/auth/folder/x", "");
    spawnSync("mkfifo", [sandbox.path("library/auth/pipe.txt")]);
    expect(await read(sandbox, "gone.txt")).toBe("refused: missing");
    expect(await read(sandbox, "folder")).toBe("refused: not-a-file");
    expect(await read(sandbox, "pipe.txt")).toBe("refused: not-a-file");
  });

  test("a sparse file of 1.5 GB is refused by its size", async () => {
    const sandbox = createSandbox();
    const file = sandbox.write("library/auth/big.txt", "");
    const fd = openSync(file, "r+");
    ftruncateSync(fd, 1_500_000_000);
    closeSync(fd);
    await expect(readInside(wanted(sandbox, "big.txt"), 1_048_576)).rejects.toMatchObject({
      reason: "too-large",
      size: 1_500_000_000,
    });
  });

  test("a hidden file is refused, also below a hidden folder and behind a visible link", async () => {
    const sandbox = createSandbox();
    for (const file of [".env", ".git/config", "sub/.secret", "a.b/..c"]) {
      sandbox.write(`library/auth/${file}`, "SECRET");
    }
    sandbox.write("library/.private/a.txt", "SECRET");
    sandbox.write("library/auth/a.b/visible", "fine");
    symlinkSync(".env", sandbox.path("library/auth/visible.txt"));
    symlinkSync(".git", sandbox.path("library/auth/git"));
    symlinkSync("../.private/a.txt", sandbox.path("library/auth/private.txt"));
    for (const file of [
      ...[".env", ".git/config", "sub/.secret", "a.b/..c", "sub/../.env"],
      ...["visible.txt", "git/config", "private.txt"],
    ]) {
      expect([file, await read(sandbox, file)]).toEqual([file, "refused: hidden"]);
    }
    expect(await read(sandbox, "a.b/visible")).toBe("fine");
  });

  test("a hidden folder above the one that the file is named in does not count", async () => {
    const sandbox = createSandbox();
    sandbox.write("library/.team/auth/a.txt", "fine");
    const root = sandbox.path("library");
    const folder = sandbox.path("library/.team/auth");
    expect((await readInside({ root, folder, file: "a.txt" }, 100)).toString()).toBe("fine");
  });

  test("the one exception is read, wherever it lies", async () => {
    const sandbox = createSandbox();
    const except = sandbox.write("elsewhere/.SKILL.md", "fine");
    mkdirSync(sandbox.path("library"));
    const wanted = { root: sandbox.path("library"), file: except };
    expect((await readInside({ ...wanted, except }, 100)).toString()).toBe("fine");
    await expect(readInside(wanted, 100)).rejects.toMatchObject({ reason: "hidden" });
  });

  test("a file of exactly the limit is read", async () => {
    const sandbox = createSandbox();
    sandbox.write("library/auth/a.txt", "x".repeat(10));
    expect(await read(sandbox, "a.txt", 10)).toHaveLength(10);
    expect(await read(sandbox, "a.txt", 9)).toBe("refused: too-large");
  });
});

test.each(["linux", "darwin"] as const)("on %s the open file is checked, too", async (name) => {
  const { linkOfOpen } = PLATFORMS[name].files;
  const spy = vi.spyOn(platform.files, "linkOfOpen").mockImplementation(linkOfOpen);
  onTestFinished(() => spy.mockRestore());
  const sandbox = createSandbox();
  sandbox.write("library/auth/a.txt", "fine");
  sandbox.write("library/auth/.env", "SECRET");
  sandbox.write("secret.txt", "SECRET");
  symlinkSync("../../secret.txt", sandbox.path("library/auth/out.txt"));
  expect(await read(sandbox, "a.txt")).toBe("fine");
  expect(await read(sandbox, ".env")).toBe("refused: hidden");
  expect(await read(sandbox, "out.txt")).toBe("refused: outside");
});

test(
  "an asset that is swapped for a link while it is read never leaks what the link leads to",
  async () => {
    const sandbox = createSandbox();
    sandbox.write("outside/a.txt", "SECRET");
    sandbox.write("library/auth/assets/a.txt", "fine");
    const folder = sandbox.path("library/auth/assets");
    const seen = await raceWithSwaps({ folder, outside: sandbox.path("outside"), usual: "fine" }, () =>
      read(sandbox, "assets/a.txt"),
    );
    expect(seen).not.toContain("SECRET");
  },
  RACE_MS + 40_000,
);
