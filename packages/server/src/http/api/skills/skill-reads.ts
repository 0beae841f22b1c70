import { agentTitle, clientChoices } from "#agents";
import { readByAgents, type Skill, type SnapshotSource, type Toggles } from "#skills";
import { usageSpan } from "#usage";
import { Refusal } from "#util/pure";
import { knownSkill } from "../../../dashboard/known-skill.ts";
import type { PageTools } from "../../../dashboard/page-tools.ts";
import { skillRows } from "../../../dashboard/skill-rows.ts";
import { findingsOfRows, usageOfRows } from "../../../dashboard/skills/skill-facts.ts";
import type { Checks, UsageRecords } from "../../../services.ts";
import type {
  AudiencesAnswer,
  OriginAnswer,
  RowFindingsAnswer,
  SkillFactsAnswer,
  SkillTextAnswer,
} from "../../../wire/skill-facts.ts";
import { type ApiRequest, isAdministrator, required, wantedSkill } from "../api-request.ts";
import type { Handlers } from "../create-api.ts";
import { json } from "../json-answer.ts";
import { type createSkillList, repeated } from "./skill-columns.ts";
import type { WantedDetail } from "./skill-detail.ts";
import { textAnswer } from "./skill-writes.ts";

/** Most text of skills is plain; a model counts about four characters of it as one token. */
const BYTES_PER_TOKEN = 4;

interface ListServices {
  readonly skills: Pick<SnapshotSource, "snapshot">;
  readonly checks: Pick<Checks, "problems">;
  readonly toggles: Toggles;
  readonly page: PageTools;
  /** The usage that the sender of a request may see. */
  readonly usageFor: (request: ApiRequest) => UsageRecords["usage"];
}

/** What the list of skills shows besides `skills` itself, which comes first because it is quick. */
export function skillReads(
  { skills, checks, toggles, page, usageFor }: ListServices,
  skillList: ReturnType<typeof createSkillList>,
  profileNames: () => readonly string[],
): Handlers {
  return {
    async "skills/facts"(request) {
      const snapshot = await skills.snapshot();
      const span = usageSpan("365d", Date.now()) ?? { since: "", until: "" };
      const [facts, usage] = await Promise.all([page.facts(snapshot), usageFor(request)(span)]);
      const isRead = readByAgents(snapshot);
      const used = usageOfRows(skillRows(snapshot), usage);
      return json({
        tag: skillList(snapshot).tag,
        tokens: facts.map(({ bytes }) => Math.ceil(bytes / BYTES_PER_TOKEN)),
        changed: facts.map(({ changed }) => Math.floor(changed / 1000)),
        source: repeated(facts, ({ source }) => source),
        uses: used.map(({ uses }) => uses),
        // The rows begin with the skills that are served.
        readByAgents: snapshot.catalog.entries.flatMap((entry, row) => (isRead(entry) ? [row] : [])),
        lastUsed: repeated(used, ({ lastUsed }) => lastUsed),
      } satisfies SkillFactsAnswer);
    },
    async "skill/text"({ query }) {
      const file = required(query, "file");
      return json((await textAnswer(page, file, await page.readText(file))) satisfies SkillTextAnswer);
    },
    async "skills/findings"() {
      const snapshot = await skills.snapshot();
      const counts = findingsOfRows(skillRows(snapshot), await checks.problems());
      const rows = [...counts.keys()].filter((row) => {
        const { errors = 0, others = 0 } = counts[row] ?? {};
        return errors + others > 0;
      });
      return json({
        tag: skillList(snapshot).tag,
        rows,
        errors: rows.map((row) => counts[row]?.errors ?? 0),
        others: rows.map((row) => counts[row]?.others ?? 0),
      } satisfies RowFindingsAnswer);
    },
    async "skill/origin"(request) {
      const skill = await foundSkill(skills, wantedSkill(request.query));
      const origin = await page.originOf(skill);
      const isTold = isAdministrator(request);
      const disabledFor = toggles
        .disabledFor()(skill)
        .filter(({ kind }) => isTold || kind !== "profile");
      return json({ ...origin, disabledFor } satisfies OriginAnswer);
    },
    audiences: async (request) => json(audiencesFor(toggles, request, profileNames())),
  };
}

function audiencesFor(
  toggles: Toggles,
  request: ApiRequest,
  profileNames: readonly string[],
): AudiencesAnswer {
  // Names of profiles, and how much is disabled of what others see, are for administrators alone.
  const isTold = isAdministrator(request);
  const {
    agents,
    profiles,
  }: Pick<ReturnType<Toggles["disabledSets"]>, "agents" | "profiles"> = isTold
    ? toggles.disabledSets()
    : { agents: {}, profiles: {} };
  const known = clientChoices().map(({ name, title }) => [name, title] as const);
  const others = Object.keys(agents).map((name) => [name, agentTitle(name)] as const);
  const titles = new Map([...others, ...known]);
  return {
    agents: Array.from(titles, ([name, title]) => ({ name, title, disabled: agents[name]?.length ?? 0 })),
    profiles: (isTold ? profileNames : []).map((name) => ({ name, disabled: profiles[name]?.length ?? 0 })),
  };
}

async function foundSkill(skills: Pick<SnapshotSource, "snapshot">, wanted: WantedDetail): Promise<Skill> {
  const known = await knownSkill(await skills.snapshot(), wanted);
  if (known.kind === "skill") return known.entry.skill;
  if (known.kind === "shadowed") return known.info.entry.skill;
  throw new Refusal("Only a skill with a folder of its own has an origin.", { code: "bad-usage" });
}
