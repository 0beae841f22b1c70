import { agentTitle, clientChoices } from "#agents";
import type { Skill } from "#skills";
import { skillRows } from "#skills";
import { usageSpan } from "#usage";
import { Refusal } from "#util/pure";
import type { App } from "../../../create-app.ts";
import { knownSkill } from "../../../dashboard/known-skill.ts";
import { findingsOfRows, usageOfRows } from "../../../dashboard/skills/skill-facts.ts";
import type {
  AudiencesAnswer,
  OriginAnswer,
  RowFindingsAnswer,
  SkillFactsAnswer,
} from "../../../wire/skill-facts.ts";
import { type ApiRequest, isAdministrator, wantedSkill } from "../api-request.ts";
import type { Handlers } from "../create-api.ts";
import { json } from "../json-answer.ts";
import { type createSkillList, repeated } from "./skill-columns.ts";
import type { WantedSkill } from "./skill-detail.ts";

/** Most text of skills is plain; a model counts about four characters of it as one token. */
const BYTES_PER_TOKEN = 4;

/** What the list of skills shows besides `skills` itself, which comes first because it is quick. */
export function skillReads(
  app: App,
  viewOf: (request: ApiRequest) => App,
  skillList: ReturnType<typeof createSkillList>,
  profileNames: () => readonly string[],
): Handlers {
  return {
    async "skills/facts"(request) {
      const snapshot = await app.snapshot();
      const span = usageSpan("365d", Date.now()) ?? { since: "", until: "" };
      const [facts, usage] = await Promise.all([app.page.facts(snapshot), viewOf(request).usage(span)]);
      const used = usageOfRows(skillRows(snapshot), usage);
      return json({
        tag: skillList(snapshot).tag,
        tokens: facts.map(({ bytes }) => Math.ceil(bytes / BYTES_PER_TOKEN)),
        changed: facts.map(({ changed }) => Math.floor(changed / 1000)),
        source: repeated(facts, ({ source }) => source),
        uses: used.map(({ uses }) => uses),
        lastUsed: repeated(used, ({ lastUsed }) => lastUsed),
      } satisfies SkillFactsAnswer);
    },
    async "skills/findings"() {
      const snapshot = await app.snapshot();
      const counts = findingsOfRows(skillRows(snapshot), await app.problems());
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
      const skill = await foundSkill(app, wantedSkill(request.query));
      const origin = await app.page.originOf(skill);
      const isTold = isAdministrator(request);
      const disabledFor = app
        .disabledFor()(skill)
        .filter(({ kind }) => isTold || kind !== "profile");
      return json({ ...origin, disabledFor } satisfies OriginAnswer);
    },
    audiences: async (request) => json(audiencesFor(app, request, profileNames())),
  };
}

function audiencesFor(app: App, request: ApiRequest, profileNames: readonly string[]): AudiencesAnswer {
  // Names of profiles, and how much is disabled of what others see, are for administrators alone.
  const isTold = isAdministrator(request);
  const { agents, profiles } = isTold ? app.disabledSets() : { agents: {}, profiles: {} };
  const known = clientChoices().map(({ name, title }) => [name, title] as const);
  const others = Object.keys(agents).map((name) => [name, agentTitle(name)] as const);
  const titles = new Map([...others, ...known]);
  return {
    agents: Array.from(titles, ([name, title]) => ({ name, title, disabled: agents[name]?.length ?? 0 })),
    profiles: (isTold ? profileNames : []).map((name) => ({ name, disabled: profiles[name]?.length ?? 0 })),
  };
}

async function foundSkill(app: App, wanted: WantedSkill): Promise<Skill> {
  const known = await knownSkill(await app.snapshot(), wanted);
  if (known.kind === "skill") return known.entry.skill;
  if (known.kind === "shadowed") return known.info.entry.skill;
  throw new Refusal("Only a skill with a folder of its own has an origin.", { code: "bad-usage" });
}
