import { spawn } from "node:child_process";
import type { Log } from "#util";

/** Opens an address in the user's browser. Where that does not work, a line says so; the address is printed anyway. */
export function openBrowser(address: string, log: Log): void {
  const [command, ...args] = openerOf(process.platform);
  const child = spawn(command, [...args, address], { stdio: "ignore", detached: true });
  const warn = (reason: string): void =>
    log.warn(`cannot open a browser: ${reason}; open the address of the dashboard yourself`);
  child.once("error", ({ message }) => warn(message));
  child.once("exit", (code) => {
    if (code !== 0 && code !== null) warn(`${command} ended with ${code}`);
  });
  child.unref();
}

/** What opens an address on each system. `start` of Windows takes its first quoted argument for a title. */
function openerOf(platform: NodeJS.Platform): readonly [string, ...string[]] {
  if (platform === "darwin") return ["open"];
  return platform === "win32" ? ["cmd", "/c", "start", ""] : ["xdg-open"];
}
