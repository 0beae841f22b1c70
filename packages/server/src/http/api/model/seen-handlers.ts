import { ALL_AGENTS, agentName, agentTitle, clientChoices, clientMeant } from "#agents";
import type { Snapshot, SnapshotSource } from "#skills";
import { createTimeSlices } from "#util";
import { defined, Refusal } from "#util/pure";
import { foundSkills } from "../../../mcp/client-view/found-skills.ts";
import { seenBy } from "../../../mcp/client-view/seen-by.ts";
import { whySeen } from "../../../mcp/client-view/why-seen.ts";
import { SEEN, type SeenAnswer, type SeenAs, type SkillSeenAnswer } from "../../../wire/seen.ts";
import type { SeenClient } from "../../transports/client-log.ts";
import { type ApiRequest, isAdministrator, wantedSkill } from "../api-request.ts";
import type { Handlers } from "../create-api.ts";
import { json } from "../json-answer.ts";
import { type createSkillList, repeated } from "../skills/skill-columns.ts";
import { agentsHere, askedOf, inKnownProfiles } from "./agents-here.ts";
import type { AskedClient, ClientViews } from "./client-views.ts";
import type { ListSettings } from "./model-handlers.ts";
import { maySee } from "./usual-client.ts";

interface SeenServices {
  readonly skills: Pick<SnapshotSource, "snapshot">;
  readonly viewOf: ClientViews;
  readonly home: string;
}

interface SeenOptions {
  readonly clients: () => readonly SeenClient[];
  readonly lists: ListSettings;
}

type AgentGroup = SeenAnswer["agents"][number]["group"];

/** Who sees which skill: everything at once, and one skill with the reasons. */
export function seenReads(
  { skills, viewOf, home }: SeenServices,
  { clients, lists }: SeenOptions,
  skillList: ReturnType<typeof createSkillList>,
): Handlers {
  /** What each agent is told. `here`: those that are connected or installed, unless there are none. */
  const toldAgents = async (snapshot: Snapshot, request: ApiRequest) => {
    const seen = clients().filter((client) => maySee(request, client));
    const current = inKnownProfiles(
      isAdministrator(request) ? seen : seen.map((client) => ({ ...client, profile: undefined })),
      lists,
    );
    const installed = isAdministrator(request) ? await agentsHere(home) : [];
    const groups: readonly (readonly [AgentGroup, readonly AskedClient[]])[] = [
      ["connected", current.map(askedOf)],
      ["installed", installed.map(({ id }) => ({ client: clientMeant(id).name }))],
      ["other", otherAgents()],
    ];
    const typed = request.query.get("client");
    const only = typed === null ? null : clientMeant(typed).name;
    const isWanted = (group: AgentGroup): boolean =>
      only !== null || request.query.get("agents") !== "here" || group !== "other";
    const found = new Map<string, readonly [AgentGroup, AskedClient]>();
    for (const [group, asked] of groups) {
      if (!isWanted(group) && found.size > 0) continue;
      for (const one of asked) {
        const key = `${one.client}\0${one.profile ?? ""}`;
        if (found.has(key) || (group !== "connected" && found.has(`${one.client}\0`))) continue;
        if (only === null || only === one.client) found.set(key, [group, one]);
      }
    }
    const slices = createTimeSlices();
    const agents = [];
    for (const [group, asked] of found.values()) {
      const { client, connection, told } = viewOf(snapshot, asked, request, current);
      const note = told.view.reasons.find(({ code }) => code === "deferred" || code === "unknown")?.text;
      const wire = {
        ...{ client: client.name, ...defined({ version: client.version }), connection },
        ...defined({ profile: asked.profile, note }),
        ...{ title: agentTitle(client.name), agent: agentName(client.name), group },
      };
      agents.push({ wire, told });
      await slices.yieldIfDue();
    }
    return agents;
  };

  return {
    async seen(request) {
      const snapshot = await skills.snapshot();
      const agents = await toldAgents(snapshot, request);
      const all = foundSkills(snapshot);
      const isTold = isAdministrator(request);
      const rows = all.flatMap((found, row) => (isTold || !isForAdministrators(found) ? [row] : []));
      const columns = new Map<string, number>();
      const shown = agents.map(({ wire, told }) => {
        const cells = seenBy(told)(snapshot);
        const text = JSON.stringify(
          repeated(rows, (row) => `${cells[row]?.seen ?? "hidden"} ${cells[row]?.why ?? "profile"}`),
        );
        const column = columns.get(text) ?? columns.size;
        columns.set(text, column);
        const counts = Object.fromEntries(
          Object.keys(SEEN).map((seen) => [seen, rows.filter((row) => cells[row]?.seen === seen).length]),
        ) as Record<SeenAs, number>;
        return { ...wire, column, counts };
      });
      return json({
        tag: skillList(snapshot).tag,
        more: isTold ? all.filter(isForAdministrators).map(({ name }) => name) : [],
        agents: shown,
        columns: [...columns.keys()].map((text) => JSON.parse(text) as SeenAnswer["columns"][number]),
      } satisfies SeenAnswer);
    },
    async "skill/seen"(request) {
      const snapshot = await skills.snapshot();
      const wanted = wantedSkill(request.query);
      const agents = await toldAgents(snapshot, request);
      const { name, kind } = whySeen(snapshot, wanted, []);
      if (isForAdministrators({ kind }) && !isAdministrator(request))
        throw new Refusal(`Skill '${name}' not found.`, { code: "unknown-skill", name, suggestions: [] });
      const answers = agents.flatMap(({ wire, told }) => {
        const { groups } = whySeen(snapshot, wanted, [told]);
        return groups.map(({ seen, why, text, levers }) => ({ ...wire, seen, why, text, levers }));
      });
      return json({ name, agents: answers } satisfies SkillSeenAnswer);
    },
  };
}

/** Whether others must not learn of it. */
function isForAdministrators({ kind }: { readonly kind: string }): boolean {
  return kind === "filtered" || kind === "not-approved";
}

/** Every agent of which something is known as a client, those that were measured first. */
function otherAgents(): readonly AskedClient[] {
  const choices = clientChoices().map(({ name }) => name);
  const others = ALL_AGENTS.flatMap(({ id, connect }) =>
    connect === undefined ? [] : [clientMeant(id).name],
  );
  const byTitle = new Map([...others, ...choices.toReversed()].map((client) => [agentTitle(client), client]));
  return [...new Set([...choices, ...others])]
    .filter((client) => byTitle.get(agentTitle(client)) === client)
    .map((client) => ({ client }));
}
