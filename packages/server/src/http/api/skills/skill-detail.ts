import { LIBRARY_PROVIDER } from "#agents";
import { compareFindings, joinFindings, severityOf, type ValidatedFile } from "#check";
import type { LibrarySkillInfo, LibraryTools } from "#library";
import type { Entry, Snapshot } from "#skills";
import {
  brokenName,
  explainInvocation,
  hostFieldText,
  lookUp,
  parseSkill,
  pluginId,
  qualifiedNames,
} from "#skills";
import { usageSpan } from "#usage";
import { escapeInvisibleCharacters } from "#util/pure";
import { type KnownSkill, knownSkill } from "../../../dashboard/known-skill.ts";
import type { PageTools } from "../../../dashboard/page-tools.ts";
import { readLibraryBody, readSkillSource, readSource } from "../../../dashboard/read-source.ts";
import { relatedSkill, relatedSkills } from "../../../dashboard/related-skills.ts";
import { showSkill, skillAnswer } from "../../../mcp/answers/skill-header.ts";
import { requirementLines } from "../../../mcp/answers/unmet-requirements.ts";
import { skillFile } from "../../../mcp/client-view/found-skills.ts";
import type { Checks, Skills, UsageRecords } from "../../../services.ts";
import type { SkillInfo } from "../../../skill-info.ts";
import type { SkillDetail, SkillUsage, WireDiagnostic } from "../../../wire/skills.ts";
import { fixAnswer } from "./skill-writes.ts";

export type WantedDetail = { readonly name: string } | { readonly file: string };

/** Defaults of the fields that some kinds of skills do not have. */
const EMPTY = {
  provider: "",
  location: "",
  plugin: "",
  loadedBy: [],
  hostFields: [],
  keywords: [],
  files: [],
  filesCut: false,
  parts: [],
  related: [],
} as const;

export interface DetailServices {
  readonly skills: Pick<Skills, "snapshot" | "snapshotWith" | "load">;
  readonly checks: Pick<Checks, "findingsOf">;
  readonly library: Pick<LibraryTools, "getSkill">;
  readonly page: Pick<PageTools, "proposeFix" | "mayEdit">;
  readonly usage: UsageRecords["usage"];
}

/** Everything that is known of one skill. */
export async function skillDetail(services: DetailServices, wanted: WantedDetail): Promise<SkillDetail> {
  const snapshot = await services.skills.snapshot();
  const known = await knownSkill(snapshot, wanted);
  if (known.kind === "library") return ofLibrary(services, known);
  const detail = await withFolder(services, snapshot, known);
  const fix = await services.page.proposeFix(detail.file);
  const isOwn = await services.page.mayEdit(detail.file);
  return {
    ...detail,
    ...(isOwn ? { isOwn } : {}),
    ...(fix === undefined ? {} : { fix: fixAnswer(fix) }),
  };
}

async function withFolder(
  services: DetailServices,
  snapshot: Snapshot,
  known: Exclude<KnownSkill, LibrarySkillInfo>,
): Promise<SkillDetail> {
  if (known.kind === "skill") return ofSkill(services, snapshot, known);
  if (known.kind === "broken") return ofBroken(known);
  const { info, shadowedBy } = known;
  return {
    ...(await ofSkill(services, snapshot, info)),
    status: "shadowed",
    related: [relatedSkill("shadowed-by", shadowedBy.skill, shadowedBy.listedAs)],
  };
}

async function ofSkill(
  { skills, checks, usage: usageIn }: DetailServices,
  snapshot: Snapshot,
  info: SkillInfo,
): Promise<SkillDetail> {
  const { entry, enabled, resources, resourcesCut, hostFields, diagnostics } = info;
  const { skill, listedAs } = entry;
  const [usage, loaded, source, checked] = await Promise.all([
    usageOf(usageIn, enabled ? listedAs : undefined),
    // The file may have been removed since the last scan; the next scan reports that.
    enabled ? showSkill(skills.snapshotWith, listedAs, false).catch(() => undefined) : undefined,
    readSkillSource(skill),
    checks.findingsOf(skill),
  ]);
  const text = loaded?.text ?? source?.text;
  const parsed = text === undefined ? undefined : parseSkill(text, { lenient: skill.lenient === true });
  const body =
    parsed?.ok === true ? escapeInvisibleCharacters(text?.slice(parsed.skill.bodyStart) ?? "") : undefined;
  return {
    ...EMPTY,
    kind: "skill",
    status: enabled ? servedStatus(snapshot, entry, diagnostics) : "disabled",
    name: listedAs,
    description: skill.description,
    provider: skill.provider,
    location: skill.location,
    plugin: skill.plugin === undefined ? "" : pluginId(skill.plugin),
    ...(skill.repo === undefined ? {} : { repository: skill.repo }),
    file: skillFile(skill),
    loadedBy: enabled ? namesThatLoad(snapshot, entry) : [],
    ...(skill.label === undefined ? {} : { label: skill.label }),
    ...(skill.invocation === undefined ? {} : { invocation: explainInvocation(skill.invocation) }),
    hostFields: [
      ...requirementLines(skill.requirements).map(([name, value]) => `${name.toLowerCase()}: ${value}`),
      ...Object.entries(hostFields).map(([field, value]) => hostFieldText(field, value)),
    ],
    ...(loaded === undefined ? {} : { agentText: escapeInvisibleCharacters(skillAnswer(loaded)) }),
    ...(body === undefined ? {} : { body }),
    ...(source === undefined ? {} : { source }),
    files: resources,
    filesCut: resourcesCut,
    related: enabled ? relatedSkills(snapshot, entry) : [],
    diagnostics: withFindings(diagnostics, checked),
    usage,
  };
}

/** What the scan, `validate` and the audit say, the worst first. */
function withFindings(
  reported: SkillInfo["diagnostics"],
  checked: readonly ValidatedFile[],
): readonly WireDiagnostic[] {
  const { diagnostics, files } = joinFindings(reported, checked);
  const found = files.flatMap(({ file, findings }) =>
    findings.map((finding): WireDiagnostic => {
      const { rule, line, message, risk } = finding;
      return {
        severity: severityOf(finding),
        code: rule,
        file,
        message: risk === undefined ? message : `Audit (${risk}): ${message}`,
        ...(line === undefined ? {} : { line }),
      };
    }),
  );
  return [...diagnostics.map(wireDiagnostic), ...found].sort((a, b) =>
    compareFindings(a.severity, b.severity),
  );
}

function servedStatus(
  { catalog }: Snapshot,
  { skill }: Entry,
  diagnostics: SkillInfo["diagnostics"],
): SkillDetail["status"] {
  if (diagnostics.some(({ file }) => file === skillFile(skill))) return "warning";
  return lookUp(catalog.names, skill.name).kind === "ambiguous" ? "ambiguous" : "ok";
}

function namesThatLoad({ catalog }: Snapshot, entry: Entry): readonly string[] {
  const candidates = [entry.listedAs, entry.skill.name, ...qualifiedNames(entry.skill)];
  return [...new Set(candidates)].filter((name) => {
    const result = lookUp(catalog.names, name);
    return result.kind === "found" && result.entry === entry;
  });
}

async function ofLibrary(
  { library, usage: usageIn }: DetailServices,
  info: LibrarySkillInfo,
): Promise<SkillDetail> {
  const { skill, inherits, files, diagnostics } = info;
  const chain = [...inherits, skill];
  const [usage, texts, answer, source] = await Promise.all([
    usageOf(usageIn, skill.path),
    Promise.all(chain.map(readLibraryBody)),
    library.getSkill({ context: "", skillPath: skill.path, dryRun: true }).catch(() => undefined),
    readSource(skill.realFile),
  ]);
  const parts = chain.map(({ path, file }, level) => {
    const text = texts[level];
    return { name: path, file, ...(text === undefined ? {} : { text }) };
  });
  const own = parts.at(-1)?.text;
  return {
    ...EMPTY,
    kind: "library",
    status: diagnostics.length > 0 ? "warning" : "ok",
    name: skill.path,
    description: skill.description,
    provider: LIBRARY_PROVIDER,
    location: skill.location,
    file: skill.file,
    loadedBy: [skill.path],
    ...(answer !== undefined && "content" in answer
      ? {
          agentText: escapeInvisibleCharacters(answer.content),
          agentAnswer: escapeInvisibleCharacters(JSON.stringify(answer)),
        }
      : {}),
    ...(own === undefined ? {} : { body: own }),
    ...(source === undefined ? {} : { source }),
    keywords: skill.keywords,
    files: files.map(({ file, ...rest }) => ({ path: file, ...rest })),
    parts,
    diagnostics: diagnostics.map(wireDiagnostic),
    usage,
  };
}

async function ofBroken(known: KnownSkill & { kind: "broken" }): Promise<SkillDetail> {
  const { file, diagnostics } = known;
  const [usage, source] = await Promise.all([usageOf(undefined, undefined), readSource(file)]);
  return {
    ...EMPTY,
    kind: "broken",
    status: "broken",
    name: brokenName(file),
    description: diagnostics[0]?.message ?? "",
    file,
    ...(source === undefined ? {} : { source }),
    diagnostics: diagnostics.map(wireDiagnostic),
    usage,
  };
}

/** The last 30 days. A skill that is not served has no name to count under. */
async function usageOf(
  usageIn: UsageRecords["usage"] | undefined,
  name: string | undefined,
): Promise<SkillUsage> {
  const span = usageSpan("30d", Date.now()) ?? { since: "", until: "" };
  if (name === undefined || usageIn === undefined) return { ...span, total: 0, perDay: [] };
  const { mostUsed, days } = await usageIn(span);
  const used = mostUsed.find(({ skill }) => skill === name);
  return { ...span, total: used?.count ?? 0, perDay: used?.perDay ?? days.map(() => 0) };
}

function wireDiagnostic({ severity, code, file, line, message }: WireDiagnostic): WireDiagnostic {
  return { severity, code, file, message, ...(line === undefined ? {} : { line }) };
}
