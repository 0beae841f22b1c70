import { describe, expect, test } from "vitest";
import { planMounts } from "../../src/sandbox/mounts.ts";

describe("what a script in a sandbox sees", () => {
  const plan = (
    cwd: string,
    cwdWritable: boolean,
    library: readonly string[],
    program: readonly string[] = [],
    root = "/lib",
  ) =>
    planMounts({
      library: library.map((path) => ({ path })),
      root: { path: root },
      program,
      cwd: { path: cwd },
      cwdWritable,
      protectedPaths: cwdWritable ? [{ path: `${cwd}/.git` }] : [],
      pinned: [],
    })
      .map((mount) => `${mount.access} ${mount.path}`)
      .filter((line) => !line.endsWith(".git"));

  test.each<[string, readonly string[], readonly string[]]>([
    [
      "its folder to read, its cwd to write to",
      plan("/shop", true, ["/lib/skill"]),
      ["write /shop", "read /lib/skill"],
    ],
    ["its cwd to read only", plan("/shop", false, ["/lib/skill"]), ["read /shop", "read /lib/skill"]],
    ["a cwd that is its folder, once", plan("/lib/skill", false, ["/lib/skill"]), ["read /lib/skill"]],
    ["a cwd that is its folder read-only", plan("/lib/skill", true, ["/lib/skill"]), ["read /lib/skill"]],
    [
      "a cwd in its folder read-only",
      plan("/lib/skill/out", true, ["/lib/skill"]),
      ["read /lib/skill", "read /lib/skill/out"],
    ],
    [
      "a library in its cwd read-only",
      plan("/shop", true, ["/shop/lib/skill"]),
      ["write /shop", "read /shop/lib/skill"],
    ],
    [
      "a neighbour by name as another folder",
      plan("/lib/skill-2", true, ["/lib/skill"]),
      ["read /lib/skill", "write /lib/skill-2"],
    ],
    [
      "a program in its cwd read-only",
      plan("/shop", true, ["/lib"], ["/shop/node_modules"]),
      ["read /lib", "write /shop", "read /shop/node_modules"],
    ],
    [
      "its cwd in a program's folder to write to",
      plan("/opt/node/work", true, ["/lib"], ["/opt/node"]),
      ["read /lib", "read /opt/node", "write /opt/node/work"],
    ],
    [
      "its cwd to write to though a program is there",
      plan("/opt/node", true, ["/lib"], ["/opt/node"]),
      ["read /lib", "write /opt/node"],
    ],
  ])("is %s", (_what, mounts, expected) => {
    expect([...mounts].sort()).toEqual([...expected].sort());
    const depths = mounts.map((mount) => mount.split("/").length);
    expect(depths).toEqual([...depths].sort((a, b) => a - b));
  });
});
