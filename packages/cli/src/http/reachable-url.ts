import { type NetworkInterfaceInfo, networkInterfaces } from "node:os";

/** The network interfaces of a machine, as `os.networkInterfaces` lists them. */
type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

/** Listening on these means on every address of the machine. No client can connect to them. */
const EVERY_ADDRESS: ReadonlySet<string> = new Set(["0.0.0.0", "[::]"]);

/** A server's URL as clients use it: one that listens on every address has the first that other machines can reach. */
export function reachableUrl(url: string, interfaces: Interfaces = networkInterfaces()): string {
  const { hostname, port, protocol } = new URL(url);
  if (!EVERY_ADDRESS.has(hostname)) return url;
  const others = Object.values(interfaces).flatMap((all) => all?.filter(({ internal }) => !internal) ?? []);
  const v4 = others.find(({ family }) => family === "IPv4")?.address;
  // A link-local address works on one network only, and needs the name of the interface.
  const v6 = others.find(({ family, address }) => family === "IPv6" && !address.startsWith("fe80"))?.address;
  const host = v4 ?? (hostname === "[::]" && v6 !== undefined ? `[${v6}]` : "127.0.0.1");
  return `${protocol}//${host}:${port}`;
}
