import { mkdir, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { parseJson } from "#util/pure";
import { unpackArchive } from "../../archive/unpack.ts";
import { cannotFetch, type FetchContext, type FetchedContent } from "../fetch-context.ts";
import { createWebClient } from "../web-client.ts";
import { ignoredKeys, type NpmRegistry, PUBLIC_REGISTRY, registryFor } from "./npm-config.ts";
import { findVersion, matchesIntegrity, type NpmVersion } from "./npm-package.ts";

interface NpmAddress {
  readonly name: string;
  readonly version?: string;
}

/** All that is needed to fetch, and a tenth of the whole. */
const SHORT_FORM = "application/vnd.npm.install-v1+json, application/json;q=0.9";

/** Fetches a package from the registry that npm is set to and unpacks it. Nothing of it is run. */
export async function fetchNpm(
  address: NpmAddress,
  work: string,
  context: FetchContext,
): Promise<FetchedContent> {
  const { registry, found } = await lookUp(address, context);
  const url = tarballUrl(found.tarball, registry, context);
  context.progress(`downloading ${context.source}@${found.version}`);
  const { bytes } = await createWebClient(context).get({
    url,
    what: `The package ${address.name}@${found.version}`,
    maxBytes: context.limits.archiveBytes,
    authorization: registry.authorization,
  });
  if (!matchesIntegrity(bytes, found.integrity))
    throw cannotFetch(
      context.source,
      "broken",
      `${address.name}@${found.version} is not what the registry says: its checksum differs. ` +
        "It was changed on the way; try again later, or check the registry.",
    );
  const tree = path.join(work, "tree");
  await mkdir(tree);
  await unpackArchive(bytes, tree, context.limits, context.signal);
  return { folder: await packageFolder(tree), version: found.version };
}

/** The version that the address names now. */
export async function newestNpmVersion(address: NpmAddress, context: FetchContext): Promise<string> {
  return (await lookUp(address, context)).found.version;
}

async function lookUp(
  { name, version }: NpmAddress,
  context: FetchContext,
): Promise<{ readonly registry: NpmRegistry; readonly found: NpmVersion }> {
  const { source, limits } = context;
  const registry = await findRegistry(name, context);
  context.progress(`asking ${registry.url} for ${name}`);
  const { status, bytes } = await createWebClient(context).get({
    url: new URL(name.replace("/", "%2f"), registry.url).href,
    what: `The package ${name}`,
    maxBytes: limits.indexBytes,
    accept: SHORT_FORM,
    authorization: registry.authorization,
    allowed: new Set([404]),
  });
  if (status === 404)
    throw cannotFetch(source, "not-found", `${registry.url} has no package '${name}'; check its name.`);
  const found = findVersion(parseJson(bytes.toString("utf8")), version);
  if (typeof found === "string") throw cannotFetch(source, "not-found", `The package ${name} ${found}.`);
  return { registry, found };
}

async function findRegistry(
  name: string,
  { cwd, home, environment, log }: FetchContext,
): Promise<NpmRegistry> {
  const read = (file: string): Promise<string> => readFile(file, "utf8").catch(() => "");
  const ofUser = environment["npm_config_userconfig"] ?? environment["NPM_CONFIG_USERCONFIG"];
  const userFile = path.resolve(ofUser ?? path.join(home, ".npmrc"));
  const registry = registryFor(name, { environment, user: await read(userFile) });
  const projectFile = path.join(cwd, ".npmrc");
  const ignored = projectFile === userFile ? [] : ignoredKeys(name, await read(projectFile), registry);
  if (ignored.length > 0)
    log.warn(
      `${projectFile} sets ${ignored.join(", ")}, which is ignored for npm:${name}: a project must not choose the host ` +
        `that gets this machine's tokens. ${registry.url} is asked. To use what it says, copy it to ${userFile}`,
    );
  return registry;
}

/** A mirror may pass on the public registry's addresses; like npm, we ask the mirror for the same path. */
function tarballUrl(tarball: string, registry: NpmRegistry, { source }: FetchContext): string {
  const wanted = new URL(tarball);
  const own = new URL(registry.url);
  if (wanted.origin === own.origin) return tarball;
  // Registries behind a proxy often write http for themselves.
  if (wanted.host === own.host) return new URL(wanted.pathname, own).href;
  if (wanted.origin === new URL(PUBLIC_REGISTRY).origin)
    return new URL(wanted.pathname.replace(/^\//, ""), registry.url).href;
  throw cannotFetch(
    source,
    "other-origin",
    `${registry.url} says that the package is at ${wanted.origin}; packages are fetched from the registry alone.`,
  );
}

/** A package lies in one folder of its tarball, mostly `package`. */
async function packageFolder(tree: string): Promise<string> {
  const [only, ...others] = await readdir(tree, { withFileTypes: true });
  return only?.isDirectory() === true && others.length === 0 ? path.join(tree, only.name) : tree;
}
