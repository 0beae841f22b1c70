import { createHash } from "node:crypto";
import type { App } from "../../app/create-app.ts";
import type { Catalog, Entry } from "../../catalog/catalog.ts";
import { cutText } from "../../catalog/cut-text.ts";
import type { Skill } from "../../skill/skill.ts";
import { memoizeWeak } from "../../system/memoize.ts";
import { runQueue } from "../../system/tasks/work-queue.ts";
import { type Exchange, notAllowed, sendJson, sendText } from "../server/exchange.ts";

export const AGENT_SKILLS_PATH = "/.well-known/agent-skills/";

const SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";
/** Names of the Agent Skills specification; only they need no escaping in an address. */
const PLAIN_NAME = /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** The longest description that the format allows. */
const LONGEST_DESCRIPTION = 1_024;
const CONCURRENCY = 16;

/** Agent Skills discovery 0.2: an index of the skills, and the SKILL.md of each. */
export function createAgentSkillsIndex(app: App) {
  const digests = new WeakMap<Skill, { readonly revision: string | undefined; readonly digest: string }>();

  async function digestOf({ skill, listedAs }: Entry, revision: string | undefined) {
    const cached = digests.get(skill);
    if (cached !== undefined && cached.revision === revision && revision !== undefined) return cached.digest;
    const loaded = await app.load(listedAs).catch(() => undefined);
    if (loaded === undefined) return undefined;
    const digest = `sha256:${createHash("sha256").update(loaded.text, "utf8").digest("hex")}`;
    digests.set(skill, { revision, digest });
    return digest;
  }

  async function index(): Promise<readonly object[]> {
    const { catalog, fingerprints } = await app.snapshot();
    const published = [...publishedSkills(catalog).values()];
    const listed: (object | undefined)[] = Array.from({ length: published.length });
    await runQueue(published.entries(), CONCURRENCY, async ([at, entry]) => {
      const { name } = entry.skill;
      const description = cutText(entry.skill.description, LONGEST_DESCRIPTION);
      const digest = await digestOf(entry, fingerprints.get(entry.skill));
      const url = `${AGENT_SKILLS_PATH}${name}/SKILL.md`;
      if (digest !== undefined) listed[at] = { name, type: "skill-md", description, url, digest };
    });
    return listed.filter((item) => item !== undefined);
  }

  return async ({ request, response, path }: Exchange): Promise<void> => {
    if (request.method !== "GET" && request.method !== "HEAD") throw notAllowed("GET, HEAD");
    const rest = path.slice(AGENT_SKILLS_PATH.length);
    if (rest === "index.json") return sendJson(response, 200, { $schema: SCHEMA, skills: await index() });
    const [, name = ""] = /^([a-z0-9-]+)\/SKILL\.md$/.exec(rest) ?? [];
    const entry = publishedSkills((await app.snapshot()).catalog).get(name);
    const loaded = entry === undefined ? undefined : await app.load(entry.listedAs).catch(() => undefined);
    if (loaded === undefined) return sendJson(response, 404, { error: "Skill not found." });
    return sendText(response, 200, "text/markdown; charset=utf-8", loaded.text);
  };
}

/**
 * Skills are addressed by name alone here, so a name stands for the skill that it loads, or else for the only one that
 * has it, such as a plugin's.
 */
const publishedSkills = memoizeWeak(({ entries }: Catalog): ReadonlyMap<string, Entry> => {
  const sharers = new Map<string, Entry[]>();
  for (const entry of entries) {
    const { name, invocation } = entry.skill;
    // An internal skill is for its own repository.
    if (PLAIN_NAME.test(name) && invocation?.internal !== true)
      sharers.set(name, [...(sharers.get(name) ?? []), entry]);
  }
  const published = new Map<string, Entry>();
  for (const [name, sharing] of sharers) {
    const loaded = sharing.find(({ listedAs }) => listedAs === name);
    const entry = loaded ?? (sharing.length === 1 ? sharing[0] : undefined);
    if (entry !== undefined) published.set(name, entry);
  }
  return published;
});
