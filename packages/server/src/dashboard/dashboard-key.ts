import path from "node:path";
import { ownFolderIn, ownSecret, readOwnSecret } from "#util";

/** Too many to guess, and short enough to copy by hand. */
const BYTES = 16;

/**
 * The key that changes need on a server without tokens: `serve` prints it as part of an address, and commands of the same
 * user read it. The same for all servers of a user, so that an open page survives a restart; deleting the file makes a new one.
 */
function keyFile(home: string): string {
  return path.join(ownFolderIn(home), "dashboard-key");
}

export function openDashboardKey(home: string): Promise<string> {
  return ownSecret(keyFile(home), BYTES);
}

/** Undefined when no server has made one. */
export function readDashboardKey(home: string): Promise<string | undefined> {
  return readOwnSecret(keyFile(home));
}
