import { type Log, type Platform, platform, spawnGroup } from "#util";

/** Opens an address in the user's browser. Where that does not work, a line says so; the address is printed anyway. */
export function openBrowser(address: string, log: Log, { programs }: Platform = platform): void {
  const openers = programs.browsers(address).values();
  const tryNext = (before: string): void => {
    const { value } = openers.next();
    if (value === undefined) {
      log.warn(`cannot open a browser: ${before}; open the address of the dashboard yourself`);
      return;
    }
    const [command, ...args] = value;
    const child = spawnGroup(command, args, { stdio: "ignore" });
    child.once("error", ({ message }) => tryNext(message));
    child.once("exit", (code) => {
      if (code !== 0 && code !== null) tryNext(`${command} ended with ${code}`);
    });
    child.unref();
  };
  tryNext("no program for it is known");
}
