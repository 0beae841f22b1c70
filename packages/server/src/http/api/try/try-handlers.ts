import type { LibraryTools } from "#library";
import { explainSearch } from "#search";
import { type Snapshot, withoutDisabled } from "#skills";
import { Refusal } from "#util/pure";
import { viewClient } from "../../../mcp/client-view/client-view.ts";
import type { Services } from "../../../services.ts";
import type { TryAnswer, TryGetSkillAnswer } from "../../../wire/skills.ts";
import type { TryClient, TryWhy } from "../../../wire/try.ts";
import type { SeenClient } from "../../transports/client-log.ts";
import { required } from "../api-request.ts";
import type { Handlers } from "../create-api.ts";
import { json } from "../json-answer.ts";
import { clientIn, type ListSettings, settingsIn } from "../model/model-handlers.ts";
import { withUsualClient } from "../model/usual-client.ts";

const MAX_RESULTS = 10;
const MAX_EXPLAINED = 40;

type TriedServices = Pick<Services, "skills" | "servedAs" | "search" | "library" | "usage">;

/** What each tool of a client would answer to a task. It is not recorded as usage. */
export function tryReads(
  { skills: served, servedAs, search, library: libraryTools, usage }: TriedServices,
  lists: ListSettings,
  clients: () => readonly SeenClient[],
): Handlers {
  return {
    async try(asked) {
      const request = withUsualClient(asked, clients());
      const { query } = request;
      const task = required(query, "task");
      const client = clientIn(query);
      const current = await served.snapshot();
      const settings = settingsIn(request, lists, current);
      const disabled = settings.disabledByClient?.(client);
      const seenBy = (all: Snapshot): Snapshot => withoutDisabled(all, disabled);
      const seen = servedAs(seenBy);
      const snapshot = seenBy(current);
      const { view, skills } = viewClient(current, client, settings, usage.likelyUse);
      const [find, allWords, getSkill, explained] = await Promise.all([
        seen.search.search(task, MAX_RESULTS, "models"),
        seen.catalog.searchAllWords({ query: task, limit: MAX_RESULTS }),
        snapshot.library.skills.size === 0 ? undefined : askLibrary(libraryTools, task),
        explainSearch(search, snapshot, task, MAX_EXPLAINED),
      ]);
      const states = new Map<string, TryWhy["atTurn1"]>([
        ...skills.map(({ name, shown }) => [name, shown] as const),
        ...view.native.map((name) => [name, "native"] as const),
      ]);
      const why = explained.map((one): TryWhy => {
        const atTurn1 = one.isLibrary ? undefined : states.get(one.name);
        return atTurn1 === undefined ? one : { ...one, atTurn1 };
      });
      const told: TryClient = {
        client: view.client,
        ...(view.title === undefined ? {} : { title: view.title }),
        tools: view.tools.map(({ name }) => name),
        complete: view.complete,
      };
      const library = getSkill === undefined ? {} : { getSkill };
      return json({ task, find, allWords, ...library, client: told, why } satisfies TryAnswer);
    },
  };
}

async function askLibrary(
  library: Pick<LibraryTools, "getSkill">,
  context: string,
): Promise<TryGetSkillAnswer> {
  try {
    return await library.getSkill({ context, skillPath: undefined, dryRun: true });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { refused: true, message: error.message };
  }
}
