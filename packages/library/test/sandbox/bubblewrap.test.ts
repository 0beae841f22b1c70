import { describe, expect, test } from "vitest";
import {
  bubblewrapArguments,
  parseBubblewrapReport,
  passedDescriptors,
} from "../../src/sandbox/bubblewrap.ts";
import type { BubblewrapLayer } from "../../src/sandbox/sandbox-layer.ts";

const LAYER = {
  kind: "bubblewrap",
  program: "/usr/bin/bwrap",
  system: [
    { kind: "real", path: "/usr" },
    { kind: "link", path: "/bin", target: "usr/bin" },
  ],
  sizes: true,
  bindsDescriptors: true,
  disablesUsers: true,
  seccomp: Buffer.from("program"),
  prlimit: "/usr/bin/prlimit",
} as const;

const REQUEST = {
  mounts: [
    { path: "/opt/node", access: "read" },
    { path: "/shop", access: "write", descriptor: 20 },
    { path: "/library/pdf", access: "read", descriptor: 21 },
    { path: "/library/pdf/x.sh", access: "read", from: "/tmp/run/etc/script" },
  ],
  cwd: "/shop",
  folder: {
    path: "/tmp/run",
    home: "/tmp/run/home",
    temp: "/tmp/run/tmp",
    files: [{ at: "/etc/passwd", from: "/tmp/run/etc/passwd" }],
    script: "/tmp/run/etc/script",
    seccomp: 30,
  },
  command: ["/usr/bin/bash", "/library/pdf/x.sh"],
  cpuSeconds: 60,
  network: false,
} as const;

const argumentLine = (layer: BubblewrapLayer, isRoot = false): string =>
  bubblewrapArguments(layer, REQUEST, isRoot).join(" ");

describe("the arguments of bubblewrap", () => {
  test("take away everything first, and give back what the script needs", () => {
    expect(argumentLine(LAYER)).toBe(
      [
        "--json-status-fd 3",
        "--unshare-all --die-with-parent --new-session --cap-drop ALL",
        "--unshare-user --disable-userns",
        "--ro-bind /usr /usr --symlink usr/bin /bin",
        "--ro-bind /tmp/run/etc/passwd /etc/passwd",
        "--proc /proc --ro-bind /proc/sys /proc/sys",
        "--dev /dev --size 67108864 --tmpfs /dev/shm --remount-ro /dev",
        "--size 268435456 --tmpfs /tmp",
        "--ro-bind /opt/node /opt/node --bind-fd 4 /shop --ro-bind-fd 5 /library/pdf",
        "--ro-bind /tmp/run/etc/script /library/pdf/x.sh",
        "--size 268435456 --tmpfs /tmp/run --dir /tmp/run/home --dir /tmp/run/tmp",
        "--remount-ro /",
        "--chdir /shop",
        "--seccomp 6",
        "--",
        "/usr/bin/prlimit --data=1073741824 --fsize=67108864 --nofile=256 --cpu=60 --nproc=128 --",
        "/usr/bin/bash /library/pdf/x.sh",
      ].join(" "),
    );
  });

  test("share the network and how hosts are named, where the script has it", () => {
    const line = bubblewrapArguments(LAYER, { ...REQUEST, network: true }, false).join(" ");
    expect(line).toContain("--unshare-all --share-net --die-with-parent");
    expect(line).toMatch(/--ro-bind-try \S+ \/etc\/resolv\.conf /);
    expect(argumentLine(LAYER)).not.toMatch(/--share-net|resolv\.conf/);
  });

  test("do without what an older bubblewrap does not have, and then have no shared memory", () => {
    const less = { sizes: false, bindsDescriptors: false, disablesUsers: false, seccomp: undefined };
    const line = argumentLine({ ...LAYER, ...less, prlimit: undefined });
    expect(line).not.toMatch(/--size|userns|-fd \d+ \/|seccomp|\/dev\/shm/);
    expect(line).toContain("--bind /shop /shop --ro-bind /library/pdf /library/pdf");
    expect(line.endsWith("--chdir /shop -- /usr/bin/bash /library/pdf/x.sh")).toBe(true);
  });

  test("name descriptors in the order in which they are passed", () => {
    expect(passedDescriptors(LAYER, REQUEST, 30)).toEqual([20, 21, 30]);
    expect(passedDescriptors({ ...LAYER, bindsDescriptors: false }, REQUEST, undefined)).toEqual([]);
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
