import { describe, expect, test } from "vitest";
import { bubblewrapArguments, parseBubblewrapReport } from "../../../src/library/sandbox/bubblewrap.ts";

const PROFILE = {
  system: [
    { kind: "real", path: "/usr" },
    { kind: "link", path: "/bin", target: "usr/bin" },
  ],
  mounts: [
    { path: "/shop", access: "write" },
    { path: "/library/pdf", access: "read" },
  ],
  cwd: "/shop",
  own: "/tmp/run",
  files: [{ at: "/etc/passwd", from: "/tmp/run/etc/passwd" }],
  memoryBytes: 1000,
  limits: { program: "/usr/bin/prlimit", cpuSeconds: 60, processes: 128 },
  command: ["/usr/bin/bash", "/library/pdf/x.sh"],
} as const;

describe("the arguments of bubblewrap", () => {
  test("take away everything first, and give back what the script needs", () => {
    expect(bubblewrapArguments(PROFILE).join(" ")).toBe(
      [
        "--json-status-fd 3",
        "--unshare-all --die-with-parent --new-session --cap-drop ALL",
        "--ro-bind /usr /usr --symlink usr/bin /bin",
        "--ro-bind /tmp/run/etc/passwd /etc/passwd",
        "--proc /proc --dev /dev",
        "--size 1000 --tmpfs /tmp",
        "--bind /shop /shop --ro-bind /library/pdf /library/pdf",
        "--size 1000 --tmpfs /tmp/run --dir /tmp/run/home --dir /tmp/run/tmp",
        "--remount-ro /",
        "--chdir /shop",
        "--",
        "/usr/bin/prlimit --data=1073741824 --fsize=67108864 --nofile=256 --cpu=60 --nproc=128 --",
        "/usr/bin/bash /library/pdf/x.sh",
      ].join(" "),
    );
  });

  test("do without sizes and limits where there are none", () => {
    const line = bubblewrapArguments({ ...PROFILE, memoryBytes: undefined, limits: undefined }).join(" ");
    expect(line).not.toContain("--size");
    expect(line.endsWith("--chdir /shop -- /usr/bin/bash /library/pdf/x.sh")).toBe(true);
  });

  test("leave out the limit that the system ignores for root", () => {
    const limits = { ...PROFILE.limits, processes: undefined };
    expect(bubblewrapArguments({ ...PROFILE, limits }).join(" ")).not.toContain("--nproc");
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
