import { mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import { sha256Of } from "#skills";
import { defined } from "#util/pure";
import { ArchiveProblem } from "../../archive/archive-problem.ts";
import { createNameRegister } from "../../archive/entry-names.ts";
import { type Unpacked, unpackArchive } from "../../archive/unpack.ts";
import { hostOf, loginAdvice } from "../../credentials/host-tokens.ts";
import {
  archiveRefusal,
  cannotFetch,
  type FetchContext,
  type FetchedContent,
  withoutQuery,
} from "../fetch-context.ts";
import { createWebClient, type WebClient } from "../web-client.ts";
import { runAll, writeFiles } from "../write-files.ts";
import {
  contentKey,
  type IndexedFile,
  parseSkillIndex,
  type SiteSkill,
  type SkillIndex,
} from "./skill-index.ts";

/** The newer place first. */
const PLACES = [".well-known/agent-skills/index.json", ".well-known/skills/index.json"];
/** Answers of a server that has no index there. */
const ABSENT: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 406, 410]);

interface FoundIndex {
  readonly url: string;
  readonly index: SkillIndex;
}

/** Fetches every skill that a site lists, each to a folder of its name. */
export async function fetchSite(url: string, work: string, context: FetchContext): Promise<FetchedContent> {
  const web = createWebClient(context);
  const found = await findIndex(url, web, context);
  for (const problem of found.index.skipped) context.log.warn(`${found.url}: ${problem}; it is skipped`);
  const { skills } = found.index;
  checkOrigins(found, context);
  const tree = path.join(work, "tree");
  await mkdir(tree);
  const budget = createBudget(context);
  const paths = new Map<string, string>();
  await runAll(skills, context.limits.requestsAtOnce, async (skill) => {
    const folder = path.join(tree, skill.name);
    paths.set(skill.name, await fetchSkill(skill, { base: found.url, folder, web, budget, context }));
    context.progress(`fetched ${paths.size} of ${skills.length} skills of ${context.source}`);
  });
  const version = versionOf(found.index);
  return {
    folder: tree,
    listed: skills.map(({ name }) => ({ name, path: paths.get(name) ?? name })),
    ...defined({ version }),
  };
}

/** A digest of what the index lists; it changes when a skill does. */
export async function newestSiteVersion(url: string, context: FetchContext): Promise<string | undefined> {
  const { index } = await findIndex(url, createWebClient(context), context);
  return versionOf(index);
}

function versionOf(index: SkillIndex): string | undefined {
  const key = contentKey(index);
  return key === undefined ? undefined : sha256Of(Buffer.from(key));
}

async function findIndex(given: string, web: WebClient, context: FetchContext): Promise<FoundIndex> {
  const { source, limits } = context;
  context.progress(`looking for the skills of ${source}`);
  const seen: string[] = [];
  let advice = "If it is a git repository, add '.git' to its address.";
  let isDenied = false;
  for (const url of indexUrls(given)) {
    const { status, sent, bytes } = await web.get({
      url,
      what: "The index",
      maxBytes: limits.indexBytes,
      accept: "application/json",
      allowed: ABSENT,
    });
    if (status !== 200) {
      seen.push(`${url} (${status})`);
      const host = hostOf(new URL(url));
      if (status === 401 && host !== undefined) {
        isDenied = true;
        advice = `Access is denied; ${loginAdvice(host, sent)}.`;
      }
      continue;
    }
    // Many sites answer every address with a page.
    const index = parseSkillIndex(bytes.toString("utf8"), limits);
    if (index === undefined) seen.push(`${url} (not an index of skills)`);
    else if (index.skills.length === 0) seen.push(`${url} (${index.skipped[0] ?? "lists no skills"})`);
    else if (index.skills.length > limits.listedSkills)
      throw cannotFetch(source, "too-large", `${url} lists more than ${limits.listedSkills} skills.`);
    else return { url, index };
  }
  throw cannotFetch(
    source,
    isDenied ? "denied" : "not-found",
    `${source} ${isDenied ? "shows no skills to you" : "publishes no skills"}; tried ${seen.join(", ")}. ${advice}`,
  );
}

/** Below the address's own path first, then at the root of the site. An address of an index means that one's site. */
export function indexUrls(given: string): readonly string[] {
  const { origin, pathname } = new URL(given);
  const base = pathname.replace(/\/\.well-known(?:\/.*)?$/, "").replace(/\/+$/, "");
  const bases = base === "" ? [origin] : [`${origin}${base}`, origin];
  return bases.flatMap((each) => PLACES.map((place) => `${each}/${place}`));
}

/** Nothing is requested from other hosts, so an index that names one is refused before the first request. */
function checkOrigins({ url, index }: FoundIndex, { source }: FetchContext): void {
  const { origin } = new URL(url);
  for (const skill of index.skills) {
    if (skill.kind === "files") continue;
    const target = URL.canParse(skill.url, url) ? new URL(skill.url, url) : undefined;
    if (target?.origin === origin) continue;
    const place = target === undefined ? "no address" : target.origin;
    throw cannotFetch(
      source,
      "other-origin",
      `${url} says that '${skill.name}' is at ${place}; skills are fetched from ${origin} alone. ` +
        "Ask the site to publish them itself.",
    );
  }
}

interface SkillFetch {
  /** The address of the index. */
  readonly base: string;
  readonly folder: string;
  readonly web: WebClient;
  readonly budget: Budget;
  readonly context: FetchContext;
}

/** Writes a skill to its folder, and returns where its SKILL.md is: that folder, or the only one in it. */
async function fetchSkill(skill: SiteSkill, fetching: SkillFetch): Promise<string> {
  const { base, folder, web, budget, context } = fetching;
  if (skill.kind === "files") return fetchFiles(skill, fetching);
  const { name, type, digest } = skill;
  const url = new URL(skill.url, base).href;
  const maxBytes = type === "archive" ? context.limits.archiveBytes : context.limits.fileBytes;
  const { bytes } = await web.get({ url, what: `The skill '${name}'`, maxBytes });
  checkDigest(bytes, digest, url, context);
  if (type === "skill-md") {
    budget.spend({ files: 1, bytes: bytes.length });
    await writeFiles(folder, [{ path: "SKILL.md", isExecutable: false, read: () => bytes }]);
    return name;
  }
  const shown = `The archive ${withoutQuery(url)}`;
  budget.spend(
    await unpackArchive(bytes, folder, context.limits, context.signal).catch(refuseAs(shown, context)),
  );
  const top = await topWithSkill(folder);
  if (top === undefined)
    throw cannotFetch(
      context.source,
      "broken",
      `${shown} has no SKILL.md; ask the site to publish it again.`,
    );
  return path.posix.join(name, top);
}

/** "" if the folder has a SKILL.md, else the only folder in it, if that one has. */
async function topWithSkill(folder: string): Promise<string | undefined> {
  const entries = await readdir(folder, { withFileTypes: true });
  if (entries.some((entry) => entry.isFile() && entry.name === "SKILL.md")) return "";
  const [only, ...others] = entries;
  if (only === undefined || others.length > 0 || !only.isDirectory()) return undefined;
  const names = await readdir(path.join(folder, only.name));
  return names.includes("SKILL.md") ? only.name : undefined;
}

async function fetchFiles(
  { name, files }: Extract<SiteSkill, { kind: "files" }>,
  { base, folder, web, budget, context }: SkillFetch,
): Promise<string> {
  checkNames(name, files, base, context);
  for (const file of files) {
    context.signal?.throwIfAborted();
    const url = new URL([name, ...file.path.split("/")].map(encodeURIComponent).join("/"), base).href;
    const what = `The file '${file.path}' of the skill '${name}'`;
    const { bytes } = await web.get({ url, what, maxBytes: context.limits.fileBytes });
    if (file.digest !== undefined) checkDigest(bytes, file.digest, url, context);
    budget.spend({ files: 1, bytes: bytes.length });
    await writeFiles(folder, [{ path: file.path, isExecutable: false, read: () => bytes }]);
  }
  return name;
}

function checkNames(name: string, files: readonly IndexedFile[], base: string, context: FetchContext): void {
  const names = createNameRegister(context.limits);
  try {
    for (const file of files) names.addFile(file.path);
  } catch (error) {
    refuseAs(`The skill '${name}' of ${base}`, context)(error);
  }
}

const refuseAs =
  (shown: string, { source }: FetchContext) =>
  (error: unknown): never => {
    if (!(error instanceof ArchiveProblem)) throw error;
    throw archiveRefusal(shown, error, source);
  };

function checkDigest(bytes: Buffer, wanted: string, url: string, { source }: FetchContext): void {
  if (sha256Of(bytes) === wanted) return;
  throw cannotFetch(
    source,
    "broken",
    `${withoutQuery(url)} is not what the index says: its sha256 digest differs. ` +
      "It was changed after the index was written, or on the way; try again later.",
  );
}

type Budget = ReturnType<typeof createBudget>;

/** Limits for all skills of a site together. */
function createBudget({ source, limits }: FetchContext) {
  let bytes = 0;
  let files = 0;
  return {
    spend(more: Unpacked): void {
      bytes += more.bytes;
      files += more.files;
      if (bytes > limits.totalBytes || files > limits.files)
        throw cannotFetch(
          source,
          "too-large",
          `The skills of ${source} are more than the limit for one source.`,
        );
    },
  };
}
