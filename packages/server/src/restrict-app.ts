import type { FoundSkill } from "#search";
import type { Skill, Snapshot } from "#skills";
import { loadSkill, setWith, type Withheld, withoutSkills } from "#skills";
import type { App } from "./create-app.ts";

/** The app as a client sees it from which some skills are withheld. */
export function restrictApp(app: App, withheldNow: () => Withheld | undefined): App {
  const snapshot = async (): Promise<Snapshot> => withoutSkills(await app.snapshot(), withheldNow());
  const snapshotWith: App["snapshotWith"] = async (name) =>
    withoutSkills(await app.snapshotWith(name), withheldNow());
  const isHidden = (skill: Skill): boolean => {
    const withheld = withheldNow();
    return withheld !== undefined && setWith(withheld, skill) !== undefined;
  };
  return {
    ...app,
    snapshot,
    snapshotWith,
    refresh: async () => withoutSkills(await app.refresh(), withheldNow()),
    load: async (name) => loadSkill(await snapshotWith(name), name),
    listCatalog: (wanted) => app.listCatalog(wanted, isHidden),
    searchAllWords: (wanted) => app.searchAllWords(wanted, isHidden),
    async search(task, limit, audience) {
      const { entries } = (await app.snapshot()).catalog;
      const hidden = new Set(entries.filter(({ skill }) => isHidden(skill)).map(({ listedAs }) => listedAs));
      const found = await app.search(task, limit + hidden.size, audience);
      const isLeft = ({ name, skill_path }: FoundSkill): boolean =>
        skill_path !== undefined || !hidden.has(name);
      const results = found.results.filter(isLeft);
      const total = found.total - (found.results.length - results.length);
      const verdict = results.length === 0 ? "no_match" : found.verdict;
      const nearest = found.nearest.filter(isLeft);
      return { ...found, total, verdict, results: results.slice(0, limit), nearest };
    },
  };
}
