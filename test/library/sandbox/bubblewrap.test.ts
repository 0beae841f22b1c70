import { describe, expect, test } from "vitest";
import { bubblewrapArguments, parseBubblewrapReport } from "../../../src/library/sandbox/bubblewrap.ts";
import type { BubblewrapLayer } from "../../../src/library/sandbox/sandbox-layer.ts";

const LAYER = {
  kind: "bubblewrap",
  program: "/usr/bin/bwrap",
  system: [
    { kind: "real", path: "/usr" },
    { kind: "link", path: "/bin", target: "usr/bin" },
  ],
  sizes: true,
  prlimit: "/usr/bin/prlimit",
} as const;

const REQUEST = {
  mounts: [
    { path: "/shop", access: "write" },
    { path: "/library/pdf", access: "read" },
  ],
  cwd: "/shop",
  folder: {
    path: "/tmp/run",
    home: "/tmp/run/home",
    temp: "/tmp/run/tmp",
    files: [{ at: "/etc/passwd", from: "/tmp/run/etc/passwd" }],
  },
  command: ["/usr/bin/bash", "/library/pdf/x.sh"],
  cpuSeconds: 60,
} as const;

const argumentLine = (layer: BubblewrapLayer, isRoot = false): string =>
  bubblewrapArguments(layer, REQUEST, isRoot).join(" ");

describe("the arguments of bubblewrap", () => {
  test("take away everything first, and give back what the script needs", () => {
    expect(argumentLine(LAYER)).toBe(
      [
        "--json-status-fd 3",
        "--unshare-all --die-with-parent --new-session --cap-drop ALL",
        "--ro-bind /usr /usr --symlink usr/bin /bin",
        "--ro-bind /tmp/run/etc/passwd /etc/passwd",
        "--proc /proc --dev /dev",
        "--size 268435456 --tmpfs /tmp",
        "--bind /shop /shop --ro-bind /library/pdf /library/pdf",
        "--size 268435456 --tmpfs /tmp/run --dir /tmp/run/home --dir /tmp/run/tmp",
        "--remount-ro /",
        "--chdir /shop",
        "--",
        "/usr/bin/prlimit --data=1073741824 --fsize=67108864 --nofile=256 --cpu=60 --nproc=128 --",
        "/usr/bin/bash /library/pdf/x.sh",
      ].join(" "),
    );
  });

  test("do without sizes and limits where there are none", () => {
    const line = argumentLine({ ...LAYER, sizes: false, prlimit: undefined });
    expect(line).not.toContain("--size");
    expect(line.endsWith("--chdir /shop -- /usr/bin/bash /library/pdf/x.sh")).toBe(true);
  });

  test("leave out the limit that the system ignores for root", () => {
    expect(argumentLine(LAYER, true)).not.toContain("--nproc");
  });
});

describe("the report of bubblewrap", () => {
  test.each([
    ["nothing yet", "", { firstPid: undefined, scriptEnded: false }],
    ["half a line", '{ "child-p', { firstPid: undefined, scriptEnded: false }],
    [
      "a script that runs",
      '{ "child-pid": 42, "pid-namespace": 4026 }\n',
      { firstPid: 42, scriptEnded: false },
    ],
    ["a script that ended", '{ "child-pid": 42 }\n{ "exit-code": 0 }\n', { firstPid: 42, scriptEnded: true }],
  ])("is read: %s", (_what, text, report) => {
    expect(parseBubblewrapReport(text)).toEqual(report);
  });
});
