import { mkdirSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  type Answer,
  markedProcesses,
  page,
  serveLibraryInProcess as serveLibrary,
  shareLibrary,
  withScripts,
} from "../support/library.ts";
import { createSandbox, DISK_FOLDER } from "../support/sandbox.ts";

const onLinux = process.platform === "linux";

describe.each(["preferred", "off"])("bad input: scripts that do not want to end, sandbox %s", (sandbox) => {
  const SCRIPTS = {
    "fork.sh": "sleep 300 &\nsleep 301 &\necho started\nwait\n",
    "double-fork.sh": "(sleep 302 & sleep 303 &) \necho started\nsleep 304\n",
    "setsid.sh": "setsid sleep 305 &\n(setsid bash -c 'sleep 306' &)\necho started\nsleep 307\n",
    // Ends in time, but leaves something behind that holds the pipes.
    "leave.sh": "setsid sleep 308 &\nsleep 309 &\necho left\n",
    ...(sandbox === "off"
      ? { "ignore.sh": "trap '' TERM\necho ignoring\nwhile :; do sleep 0.1; done\n" }
      : {}),
  };

  test.runIf(onLinux)(
    `${Object.keys(SCRIPTS).join(", ")}: each is ended whole, and what it wrote stays`,
    async () => {
      const { call } = await serveLibrary(
        createSandbox(DISK_FOLDER),
        withScripts(SCRIPTS, `scripts:\n  timeout_seconds: 1\n  sandbox: ${sandbox}\n`),
      );
      const mark = `ended-${sandbox}-${process.pid}-${Date.now()}`;
      // All at once: one of them is only ended by force, five seconds after it was asked.
      const answers = await Promise.all(
        Object.keys(SCRIPTS).map(
          async (file): Promise<[string, Answer]> => [
            file,
            await call("run_script", { skill_path: "s", file, args: { mark } }),
          ],
        ),
      );
      const { "leave.sh": left, ...others } = Object.fromEntries(answers);
      expect(left).toMatchObject({ success: true, exit_code: 0, stdout: "left\n" });
      for (const answer of Object.values(others)) {
        expect(answer).toMatchObject({ success: false, exit_code: 137 });
        expect(answer?.["stdout"]).toMatch(/^(started|ignoring)\n$/);
        expect(answer?.["stderr"]).toMatch(/\[skills-mcp\] Script killed: timeout exceeded\.$/);
      }
      expect(markedProcesses(mark)).toEqual([]);
    },
  );
});

describe("bad input: output and arguments", () => {
  const server = shareLibrary(
    withScripts(
      {
        "flood.sh": "yes | head -c 80000000; echo last >&2\n",
        "accents.js": "process.stdout.write('é'.repeat(70000))\n",
        "latin.sh": "printf 'a\\xff\\xfeb\\xc3'\n",
        "args.sh": "env | grep ^SKILL_ARG_ | sort\n",
      },
      "scripts:\n  max_output_bytes: 100000\n  timeout_seconds: 20\n",
    ),
  );
  const run = (file: string, args: Readonly<Record<string, string>> = {}) =>
    server().call("run_script", { skill_path: "s", file, args });

  test("seed 004 §8.4: output over 64 MiB is truncated and drained, and the script ends by itself", async () => {
    const answer = await run("flood.sh");
    expect(answer).toMatchObject({ success: true, exit_code: 0, stdout_truncated: true, stderr: "last\n" });
    expect(answer["stdout"]).toBe("y\n".repeat(50_000));
  });
  test("L3: output caps count bytes, and no character is cut in half", async () => {
    const { stdout } = (await run("accents.js")) as { stdout?: string };
    expect(stdout).toBe("é".repeat(50_000));
  });
  test("invalid UTF-8 in an output is replaced", async () => {
    expect((await run("latin.sh"))["stdout"]).toBe("a\ufffd\ufffdb\ufffd");
  });
  test.each([
    ["200 KB", { text: "x".repeat(200 * 1024) }, "has 204800 bytes"],
    ["a NUL", { text: "a\0b" }, "contains a NUL character"],
    ["colliding names", { "client-id": "1", client_id: "2" }, "would both become SKILL_ARG_CLIENT_ID"],
    ["an empty name", { "": "1" }, "has 0 characters; the limit is 1 to 128"],
  ])("%s in the arguments is an error", async (_what, args, message) => {
    expect((await run("args.sh", args)).message).toContain(message);
  });
});

describe("bad input: libraries", () => {
  test("10,000 keywords, a folder that links to itself and a keyword list that is a string do no harm", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    const many = Array.from({ length: 10_000 }, (_, index) => `x${index.toString(36)}`).join(", ");
    const tooMany = Array.from({ length: 10_000 }, (_, index) => `longer${index}`).join(", ");
    mkdirSync(sandbox.path("project/library/loop"), { recursive: true });
    symlinkSync("..", sandbox.path("project/library/loop/again"));
    symlinkSync("nowhere", sandbox.path("project/library/dead.md"));
    const { call, log } = await serveLibrary(sandbox, {
      "many.md": page(many, "Many"),
      "more.md": page(tooMany, "More than is read of a front matter"),
      "text.md": "---\nkeywords: just text\ndescription: d\n---\n",
      "loop/one.md": page("looped", "In the loop"),
      "number.md": page("70404, 3.14", "Numbers"),
    });
    expect(await call("get_skill", { context: "error 70404" })).toMatchObject({
      skill_path: "number",
      matched_keywords: ["70404"],
    });
    expect(await call("get_skill", { context: "looped" })).toMatchObject({ skill_path: "loop/one" });
    expect(await call("get_skill", { context: many })).toMatchObject({ skill_path: "many" });
    const { tree } = (await call("list_skills")) as unknown as { tree: { children: { path: string }[] } };
    expect(tree.children.map((child) => child.path)).toEqual(["loop/one", "many", "number"]);
    expect(log()).toMatch(/skipped: .*more\.md: Front matter exceeds the limit of/);
    expect(log()).toMatch(/text\.md.*`keywords` must be a list.*`keywords: \[just text\]`/);
  });
});
