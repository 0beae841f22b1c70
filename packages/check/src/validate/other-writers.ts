import { existsSync, type Stats } from "node:fs";
import { readFile, stat, statfs } from "node:fs/promises";
import os from "node:os";

/** Who reads files. */
export interface Reader {
  readonly uid: number;
  /** The group that has nobody else in it, as most Linux systems make one for each user. */
  readonly privateGid?: number | undefined;
  /** In a container, users are numbers that mean nothing outside, and files belong to whoever mounted them. */
  readonly isContained: boolean;
}

/** Who else may write a file or folder. */
export type OtherWriter =
  | { readonly who: "everyone" }
  | { readonly who: "group"; readonly gid: number }
  | { readonly who: "owner"; readonly uid: number };

type Permissions = Pick<Stats, "uid" | "gid" | "mode" | "isDirectory">;

const ROOT = 0;
/** What the system shows for a user that this namespace does not know. */
const UNKNOWN = 65_534;
const STICKY = 0o1000;

/**
 * The widest reason for which someone else may write it. The administrator may write everything anyway, so what belongs to
 * root is as root wants it, unless everyone may write it. In a folder with the sticky bit only owners replace files.
 */
export function otherWriterOf(file: Permissions, reader: Reader): OtherWriter | undefined {
  const { uid, gid, mode } = file;
  const isSticky = file.isDirectory() && (mode & STICKY) !== 0;
  if ((mode & 0o002) !== 0 && !isSticky) return { who: "everyone" };
  if (uid === ROOT) return undefined;
  const isForeign = uid !== reader.uid && uid !== UNKNOWN && !reader.isContained;
  if (isForeign) return { who: "owner", uid };
  const isPrivate = gid === uid || gid === ROOT || (uid === reader.uid && gid === reader.privateGid);
  return (mode & 0o020) === 0 || isSticky || isPrivate ? undefined : { who: "group", gid };
}

/** File systems that know no permissions, and show the same for all files: FAT, NTFS, those of Windows below WSL, SMB and FUSE. */
const WITHOUT_PERMISSIONS: ReadonlySet<number> = new Set([
  0x4d44, 0x2011bab0, 0x5346544e, 0x7366746e, 0x01021997, 0x517b, 0xff534d42, 0xfe534d42, 0x65735546,
]);

/** Who else may write the file or folder at a real path; undefined also where nobody can tell, such as on Windows. */
export async function otherWriterAt(
  realPath: string,
  currentReader: () => Promise<Reader | undefined> = readerOfProcess,
): Promise<OtherWriter | undefined> {
  try {
    const stats = await stat(realPath);
    // Most are the user's own and closed to others, whoever exactly the user is.
    if ((stats.mode & 0o022) === 0 && (stats.uid === ROOT || stats.uid === process.getuid?.()))
      return undefined;
    const reader = await currentReader();
    const writer = reader && otherWriterOf(stats, reader);
    const isReal = writer !== undefined && !WITHOUT_PERMISSIONS.has((await statfs(realPath)).type);
    return isReal ? writer : undefined;
  } catch {
    return undefined;
  }
}

/** The user of this process; undefined where users have no numbers. */
async function readerOfProcess(): Promise<Reader | undefined> {
  const uid = process.getuid?.();
  return uid === undefined
    ? undefined
    : { uid, privateGid: await privateGroup(), isContained: isInContainer() };
}

function isInContainer(): boolean {
  return (
    existsSync("/.dockerenv") ||
    existsSync("/run/.containerenv") ||
    process.env["container"] !== undefined ||
    process.env["KUBERNETES_SERVICE_HOST"] !== undefined
  );
}

/** The user's first group, if it has the user's name. */
async function privateGroup(): Promise<number | undefined> {
  try {
    const { username, gid } = os.userInfo();
    const groups = await readFile("/etc/group", "utf8");
    const isOwn = groups.split("\n").some((line) => {
      const [name, , number] = line.split(":");
      return name === username && number === String(gid);
    });
    return isOwn ? gid : undefined;
  } catch {
    return undefined;
  }
}
