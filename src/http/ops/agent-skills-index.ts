import { createHash } from "node:crypto";
import type { App } from "../../app/create-app.ts";
import type { Entry } from "../../catalog/catalog.ts";
import type { Skill } from "../../skill/skill.ts";
import { runQueue } from "../../system/tasks/work-queue.ts";
import { type Exchange, notAllowed, sendJson, sendText } from "../server/exchange.ts";

export const AGENT_SKILLS_PATH = "/.well-known/agent-skills/";

const SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";
/** Names of the Agent Skills specification; only they need no escaping in an address. */
const PLAIN_NAME = /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/;
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
    const published = catalog.entries.filter(isPublished);
    const listed: (object | undefined)[] = Array.from({ length: published.length });
    await runQueue(published.entries(), CONCURRENCY, async ([at, entry]) => {
      const { name, description } = entry.skill;
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
    const [, name] = /^([a-z0-9-]+)\/SKILL\.md$/.exec(rest) ?? [];
    const { catalog } = await app.snapshot();
    const entry = catalog.entries.find(
      (candidate) => candidate.skill.name === name && isPublished(candidate),
    );
    const loaded = entry === undefined ? undefined : await app.load(entry.listedAs).catch(() => undefined);
    if (loaded === undefined) return sendJson(response, 404, { error: "Skill not found." });
    return sendText(response, 200, "text/markdown; charset=utf-8", loaded.text);
  };
}

/** Skills are addressed by name here, so it must be the skill that this name loads; and not one for its own repository. */
function isPublished({ skill, listedAs }: Entry): boolean {
  return skill.invocation?.internal !== true && listedAs === skill.name && PLAIN_NAME.test(skill.name);
}
