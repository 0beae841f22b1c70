import type { Mount } from "./mounts.ts";

/** Programs, libraries and what they read when they start. None contains user data. */
const SYSTEM = [
  "/System",
  "/usr",
  "/bin",
  "/sbin",
  "/Library/Developer/CommandLineTools",
  "/Applications/Xcode.app",
  "/Library/Apple",
  "/private/etc/ssl",
  "/private/etc/localtime",
  "/private/var/db/timezone",
  "/private/var/db/dyld",
  // Which of them `/usr/bin/python3` and `/usr/bin/git` start, and whether their licence was accepted.
  "/private/var/db/xcode_select_link",
  "/Library/Preferences/com.apple.dt.Xcode.plist",
  "/private/var/select",
] as const;

const DEVICES = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/dtracehelper"] as const;

/**
 * What programs ask of the system beside files, by the public profiles of Chromium, Codex and Claude Code. Left out of those:
 * the keychain, preferences, the list of programs to open files with, and everything that starts another program outside.
 */
const SERVICES = [
  "com.apple.system.opendirectoryd.libinfo",
  "com.apple.system.opendirectoryd.membership",
  "com.apple.system.notification_center",
  "com.apple.system.logger",
  "com.apple.logd",
  "com.apple.bsd.dirhelper",
  "com.apple.PowerManagement.control",
] as const;

/** Each with who needs it. */
const INSIDE = [
  // Python's multiprocessing: its locks, its shared memory, and that of OpenMP. Other names belong to other programs.
  "(allow ipc-posix-sem)",
  '(allow ipc-posix-shm-read-data ipc-posix-shm-write-create ipc-posix-shm-write-data ipc-posix-shm-write-unlink (ipc-posix-name-regex #"^/(psm_[0-9a-f]+|__KMP_REGISTERED_LIB_[0-9]+)$"))',
  '(allow ipc-posix-shm-read-data (ipc-posix-name "apple.shm.notification_center"))',
  // Node counts its threads, and Java asks for the kind of processor, by calls that count as writing.
  '(allow sysctl-write (sysctl-name "kern.tcsm_enable") (sysctl-name "kern.grade_cputype"))',
  // Terminals that the script itself opens.
  "(allow pseudo-tty)",
  '(allow file-read* file-write* file-ioctl (literal "/dev/ptmx"))',
  '(allow file-read* file-write* file-ioctl (require-all (regex #"^/dev/ttys[0-9]+$") (extension "com.apple.sandbox.pty")))',
] as const;

/** What a program needs to find the address of a host, to reach it and to check its certificate. No sockets of this machine's programs. */
const NETWORK = [
  "(allow system-socket)",
  "(allow network-outbound (remote ip))",
  "(allow network-inbound (local ip))",
  "(allow network-bind (local ip))",
  '(allow network-outbound (literal "/private/var/run/mDNSResponder"))',
  '(allow file-read* (literal "/private/etc/hosts") (literal "/private/etc/resolv.conf") (literal "/private/var/run/resolv.conf") (literal "/private/etc/services"))',
  '(allow mach-lookup (global-name "com.apple.SystemConfiguration.DNSConfiguration") (global-name "com.apple.SystemConfiguration.configd") (global-name "com.apple.networkd") (global-name "com.apple.trustd.agent"))',
] as const;

/**
 * The tools of the Xcode that is selected, which `/usr/bin/python3` needs, by the link to its developer folder; nothing where that
 * is one of the usual places or leads to anything else.
 */
export function selectedXcode(target: string | undefined): readonly string[] {
  const [, app] = /^(\/Applications\/[^/]+\.app)\/Contents\/Developer$/.exec(target ?? "") ?? [];
  return app === undefined ? [] : [app];
}

/** The profile for `sandbox-exec -p`: it allows only what it lists. A run may write to its `own` folder. */
export function seatbeltProfile(
  mounts: readonly Mount[],
  own: string,
  network: boolean,
  developer: readonly string[] = [],
): string {
  const readable = [...SYSTEM, ...developer, ...mounts.map((mount) => mount.path), own];
  // A later rule wins, so a read-only folder inside a writable one comes after it.
  const writing = mounts.map(
    (mount) => `(${mount.access === "write" ? "allow" : "deny"} file-write* ${below(mount.path)})`,
  );
  return [
    "(version 1)",
    "(deny default)",
    "(allow process-fork)",
    "(allow process-exec)",
    "(allow signal (target same-sandbox))",
    "(allow process-info* (target same-sandbox))",
    "(allow sysctl-read)",
    `(allow mach-lookup ${SERVICES.map((service) => `(global-name ${quote(service)})`).join(" ")})`,
    ...INSIDE,
    // Every path is resolved from the root, and metadata alone reveals little.
    "(allow file-read-metadata)",
    `(allow file-read* (literal "/") ${readable.map(below).join(" ")})`,
    `(allow file-read* file-ioctl ${DEVICES.map((device) => `(literal ${quote(device)})`).join(" ")})`,
    ...writing,
    `(allow file-write* ${below(own)})`,
    '(allow file-write-data (literal "/dev/null") (literal "/dev/zero"))',
    ...(network ? NETWORK : []),
    "",
  ].join("\n");
}

const below = (place: string): string => `(subpath ${quote(place)})`;

/** A string literal of the profile language, safe for quotes and backslashes in a folder's name. */
const quote = (text: string): string => `"${text.replace(/[\\"]/g, (character) => `\\${character}`)}"`;
