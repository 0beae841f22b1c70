import { posix } from "node:path";
import { type MachinePolicy, readMachinePolicy, refuseProblems } from "#config";
import { parseGitAddress, type SourceAddress } from "./source-address.ts";

/** Refuses content from a source on the net that the administrator of this machine does not list. */
export async function refuseForeignSource(address: SourceAddress): Promise<void> {
  refuseOthers([address], await limitingPolicy());
}

/** Refuses repositories that would be served, by the same list. */
export async function refuseForeignRepos(addresses: readonly string[]): Promise<void> {
  const policy = await limitingPolicy();
  // An address that means nothing is refused by its reader, which knows where it stands.
  if (policy !== undefined)
    refuseOthers(
      addresses.map((address) => parseGitAddress(address)),
      policy,
    );
}

async function limitingPolicy(): Promise<MachinePolicy | undefined> {
  const { policy, problems } = await readMachinePolicy();
  refuseProblems(problems);
  return policy?.sources === undefined ? undefined : policy;
}

function refuseOthers(addresses: readonly SourceAddress[], policy: MachinePolicy | undefined): void {
  if (policy === undefined) return;
  const { file, sources = [] } = policy;
  const places = addresses.flatMap((address) => placeOf(address) ?? []);
  const other = places.find((place) => !isAllowed(place, sources));
  if (other === undefined) return;
  const message = `${other} is not among the sources that this machine allows: ${sources.join(", ")}. Ask its administrator.`;
  refuseProblems([{ place: file, message }]);
}

/** Undefined for what is on this machine already. */
function placeOf(address: SourceAddress): string | undefined {
  switch (address.kind) {
    case "git":
      return /^file:/i.test(address.repo.url) ? undefined : address.repo.url;
    case "npm":
      return `npm:${address.name}`;
    case "site":
      return address.url;
    case "folder":
      return undefined;
    default:
      return address.isRemote ? address.place : undefined;
  }
}

/** Whether an address is a listed one, or lies below it. */
function isAllowed(place: string, allowed: readonly string[]): boolean {
  const wanted = plain(place);
  return allowed.some((one) => wanted === plain(one) || wanted.startsWith(`${plain(one)}/`));
}

/** `https://git@GitHub.com/acme/../skills.git` and `git@github.com:skills` are both `github.com/skills`. */
function plain(address: string): string {
  if (address.startsWith("npm:")) return address.toLowerCase().replace(/\/+$/, "");
  const text = address
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, "")
    .replace(/^[^/@]*@/, "")
    .replace(/^([^/:]+):(?!\d+(?:\/|$))/, "$1/")
    .replace(/[?#].*$/, "");
  return posix
    .normalize(decoded(text))
    .toLowerCase()
    .replace(/\/+$/, "")
    .replace(/\.git$/, "");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
