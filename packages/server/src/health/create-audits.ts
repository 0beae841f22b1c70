import path from "node:path";
import type { CheckCatalog, ValidatedFile } from "#check";
import type { Skill, Snapshot } from "#skills";
import { anyInfo } from "../skill-info.ts";

/** What is said about skills on demand. Loaded when first needed: it would slow the start of every server. */
export function createAudits(snapshot: () => Promise<Snapshot>, home: string) {
  let checks: CheckCatalog | undefined;
  return {
    /** What `validate` and the audit say about the skills that are served. */
    async findings() {
      const { createCatalogChecks } = await import("#check");
      const { ignoredRules } = await import("#check");
      checks ??= createCatalogChecks(() => ignoredRules(home));
      return checks(await snapshot());
    },
    /** What `validate` and the audit say about one skill, served or not, as its files are at this moment. */
    async findingsOf(skill: Skill): Promise<readonly ValidatedFile[]> {
      const { checkFolder } = await import("#check");
      const { ignoredRules } = await import("#check");
      const file = path.join(skill.dir, skill.fileName);
      // A skill that goes at this moment has no findings.
      return checkFolder(file, { ignore: await ignoredRules(home) }).catch(() => []);
    },
    /** What the audit finds in skills that are served; without names in all of them. */
    async audit(names: readonly string[] = [], onDone?: (done: number, all: number) => void) {
      const { auditServed } = await import("#check");
      const current = await snapshot();
      return auditServed(current, { names, find: (name) => anyInfo(current, name), home, onDone });
    },
  };
}
