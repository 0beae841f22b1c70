import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type AuditFinding, activeFindings, auditContent, ignoredRules } from "#check";
import { parseSourceAddress } from "#sources";
import { defined, nameKey } from "#util/pure";
import { fetchSkills, readFetched, type SourceSkill } from "./plan/found-skills.ts";
import type { InstallPlaces } from "./target.ts";

/** What a skill of a source is, as it would be installed now. */
export interface InspectedSkill {
  readonly name: string;
  /** As its SKILL.md says. */
  readonly license?: string;
  readonly findings: readonly AuditFinding[];
}

/** Fetches a source and audits some of its skills, or all without names. Nothing is installed, and nothing of it is kept. */
export async function inspectSource(
  source: string,
  names: readonly string[],
  { cwd, home, environment, log }: InstallPlaces,
): Promise<readonly InspectedSkill[]> {
  const stagingFolder = await realpath(await mkdtemp(path.join(tmpdir(), "skills-mcp-")));
  try {
    const fetched = await fetchSkills(parseSourceAddress(source), {
      stagingFolder,
      cwd,
      home,
      environment,
      log,
    });
    const wanted = new Set(names.map(nameKey));
    const ignore = await ignoredRules(home);
    return fetched.skills
      .filter(
        ({ name, ownName }) => wanted.size === 0 || wanted.has(nameKey(name)) || wanted.has(nameKey(ownName)),
      )
      .map((skill) => inspect(skill, fetched.tree.folder, ignore));
  } finally {
    await rm(stagingFolder, { recursive: true, force: true });
  }
}

function inspect(skill: SourceSkill, folder: string, ignore: readonly string[]): InspectedSkill {
  const content = readFetched(skill, folder);
  const findings = activeFindings(auditContent(content, { name: skill.name }, { ignore }), {
    trustComments: false,
  });
  const text = content.get(skill.fileName)?.bytes.toString() ?? "";
  const license = /^---\r?\n[^]*?^license:[ \t]*(["']?)([^\r\n]{1,200}?)\1[ \t]*\r?$[^]*?^---/m.exec(
    text,
  )?.[2];
  return {
    name: skill.name,
    ...defined({ license }),
    findings: findings.filter(({ severity }) => severity !== "info"),
  };
}
