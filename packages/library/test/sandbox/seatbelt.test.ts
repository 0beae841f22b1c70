import { describe, expect, test } from "vitest";
import { seatbeltProfile, selectedXcode } from "../../src/sandbox/seatbelt.ts";

const profile = seatbeltProfile(
  [
    { path: "/shop", access: "write" },
    { path: "/shop/library", access: "read" },
  ],
  "/private/tmp/run",
  false,
);

describe("the profile for macOS", () => {
  test("denies everything before it allows anything", () => {
    expect(profile.split("\n").slice(0, 2)).toEqual(["(version 1)", "(deny default)"]);
  });

  test("names the network only where the script has it, and then no sockets of other programs", () => {
    expect(profile).not.toContain("network");
    const open = seatbeltProfile([], "/run", true)
      .split("\n")
      .filter((line) => line.includes("(allow network"));
    expect(open).toEqual([
      "(allow network-outbound (remote ip))",
      "(allow network-inbound (local ip))",
      "(allow network-bind (local ip))",
      '(allow network-outbound (literal "/private/var/run/mDNSResponder"))',
    ]);
  });

  test("lets programs work inside: locks, shared memory and terminals of their own, and no service with secrets", () => {
    for (const rule of ["(allow ipc-posix-sem)", "(allow pseudo-tty)", '"com.apple.bsd.dirhelper"'])
      expect(profile).toContain(rule);
    expect(profile).toMatch(/ipc-posix-shm-write-create [^\n]*\(ipc-posix-name-regex #"\^\/\(psm_/);
    expect(profile).not.toMatch(/SecurityServer|securityd|cfprefsd|lsd\.|launchservices|pasteboard|tccd/);
    expect(profile).not.toMatch(/\(allow (?:mach-lookup|ipc-posix-shm\*?|iokit-open)\)/);
  });

  test.each([
    ["/Applications/Xcode-26.app/Contents/Developer", ["/Applications/Xcode-26.app"]],
    ["/Library/Developer/CommandLineTools", []],
    ["/Users/ann/Documents", []],
    ["/Applications/../Users/a.app/Contents/Developer", []],
    [undefined, []],
  ])("lets the script read the Xcode that is selected, at %s", (target, folders) => {
    expect(selectedXcode(target)).toEqual(folders);
    for (const folder of folders)
      expect(seatbeltProfile([], "/run", false, folders)).toContain(`(subpath "${folder}")`);
  });

  test("lets the script write to its own folder and a writable cwd only", () => {
    const writing = profile.split("\n").filter((line) => line.includes("file-write"));
    expect(writing).toEqual([
      expect.stringContaining('(literal "/dev/ptmx")'),
      expect.stringContaining('(extension "com.apple.sandbox.pty")'),
      '(allow file-write* (subpath "/shop"))',
      '(deny file-write* (subpath "/shop/library"))',
      '(allow file-write* (subpath "/private/tmp/run"))',
      '(allow file-write-data (literal "/dev/null") (literal "/dev/zero"))',
    ]);
  });

  test("lets the script read the system, its folders and its cwd, and no home folder", () => {
    const reading =
      profile.split("\n").find((line) => line.startsWith('(allow file-read* (literal "/")')) ?? "";
    for (const place of ["/usr", "/System", "/shop", "/shop/library", "/private/tmp/run"]) {
      expect(reading).toContain(`(subpath "${place}")`);
    }
    expect(profile).not.toContain("/Users");
    expect(reading).not.toContain('(subpath "/")');
  });

  test("keeps a folder's name inside its quotes", () => {
    const hostile = seatbeltProfile([{ path: '/a"))(allow default)\\', access: "read" }], "/run", false);
    expect(hostile).toContain('(subpath "/a\\"))(allow default)\\\\")');
  });

  test.skip("holds against the escapes of sandbox-escapes.test.ts (skipped: needs macOS, those tests run there)", () => {});
});
