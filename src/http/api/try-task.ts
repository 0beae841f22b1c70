import type { App } from "../../app/create-app.ts";
import { Refusal } from "../../skill/refusal.ts";
import type { GetSkillAnswer, TryAnswer } from "./wire.ts";

const MOST_RESULTS = 10;

/** What each tool would answer to a task. Nothing of it is recorded as use. */
export async function tryTask(app: App, task: string): Promise<TryAnswer> {
  const { library } = await app.snapshot();
  const [find, allWords, getSkill] = await Promise.all([
    app.search(task, MOST_RESULTS),
    app.searchAllWords({ query: task, limit: MOST_RESULTS }),
    library.skills.size === 0 ? undefined : askLibrary(app, task),
  ]);
  return { task, find, allWords, ...(getSkill === undefined ? {} : { getSkill }) };
}

async function askLibrary(app: App, context: string): Promise<GetSkillAnswer> {
  try {
    return await app.library.getSkill({ context, skillPath: undefined, dryRun: true });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { refused: true, message: error.message };
  }
}
