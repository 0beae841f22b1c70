import type { Mount } from "./mounts.ts";

export interface SeatbeltProfile {
  readonly mounts: readonly Mount[];
  /** The run's own folder, which it may write to. */
  readonly own: string;
}

/** Programs, libraries and what they read at their start. No user's data is below any of them. */
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

/** The profile for `sandbox-exec -p`: nothing is allowed but what it names, and the network is not named. */
export function seatbeltProfile({ mounts, own }: SeatbeltProfile): string {
  const readable = [...SYSTEM, ...mounts.map((mount) => mount.path), own];
  // A later rule wins, so a read-only folder inside the writable one is named after it.
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
    // Every path is looked up from the root, and a name alone tells little.
    "(allow file-read-metadata)",
    `(allow file-read* (literal "/") ${readable.map(below).join(" ")})`,
    `(allow file-read* ${DEVICES.map((device) => `(literal ${quote(device)})`).join(" ")})`,
    ...writing,
    `(allow file-write* ${below(own)})`,
    '(allow file-write-data (literal "/dev/null") (literal "/dev/zero"))',
    "",
  ].join("\n");
}

const below = (place: string): string => `(subpath ${quote(place)})`;

/** A string of the profile's language: a quote or a backslash in a folder's name must not end it. */
const quote = (text: string): string => `"${text.replace(/[\\"]/g, (character) => `\\${character}`)}"`;
