import type { Mount } from "./mounts.ts";

/** Programs, libraries and what they read when they start. None contains user data. */
const SYSTEM = [
  "/System",
  "/usr",
  "/bin",
  "/sbin",
  "/Library/Developer/CommandLineTools",
  "/Library/Apple",
  "/private/etc/ssl",
  "/private/etc/localtime",
  "/private/var/db/timezone",
  "/private/var/db/dyld",
  "/private/var/select",
] as const;

const DEVICES = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/dtracehelper"] as const;

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

/** The profile for `sandbox-exec -p`: it allows only what it lists. A run may write to its `own` folder. */
export function seatbeltProfile(mounts: readonly Mount[], own: string, network: boolean): string {
  const readable = [...SYSTEM, ...mounts.map((mount) => mount.path), own];
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
    '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))',
    // Every path is resolved from the root, and metadata alone reveals little.
    "(allow file-read-metadata)",
    `(allow file-read* (literal "/") ${readable.map(below).join(" ")})`,
    `(allow file-read* ${DEVICES.map((device) => `(literal ${quote(device)})`).join(" ")})`,
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
