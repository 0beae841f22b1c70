import { type ParsedSkill, parseSkill } from "#skills";
import type { AuditedFile, AuditedSkill } from "./audited-skill.ts";
import { type FileView, viewFile } from "./evidence/file-view.ts";

/** A skill with what several rules need of it. */
export interface SkillParts extends AuditedSkill {
  readonly texts: readonly TextFile[];
  /** The text of the skill's own file; empty when it cannot be read. */
  readonly own: string;
  readonly parsed: ParsedSkill | undefined;
  /** It says of itself that it is about attacks, or the defence against them. */
  readonly isAboutAttacks: boolean;
  readonly views: readonly FileView[];
}

type TextFile = AuditedFile & { readonly content: { readonly kind: "text"; readonly text: string } };

const ABOUT_ATTACKS =
  /\b(?:penetration|pen-?test\w{0,6}|exploit\w{0,8}|attack\w{0,4}|malware|forensic\w{0,2}|red[- ]team\w{0,4}|purple[- ]team|blue[- ]team|threats?|vulnerabilit\w{1,4}|security|incident response|ctf|reverse[- ]engineer\w{0,4}|offensive|intrusions?|honey(?:pots?|tokens?)|canary tokens?|privilege escalation|injections?|owasp|adversar\w{1,6}|siem|edr|deobfuscat\w{1,6}|credential access|ransomware|phishing|ssrf|xss|xxe|deserialization|lateral movement|persistence mechanisms?|c2|command and control|detecting|hunting|jailbreak\w{0,4}|guardrails?|prompt injection)\b/i;

export function readSkillParts(skill: AuditedSkill): SkillParts {
  const texts = skill.files.filter((file): file is TextFile => file.content.kind === "text");
  const own = texts.find(({ path }) => path === skill.skillFile)?.content.text ?? "";
  const read = parseSkill(own);
  const parsed = read.ok ? read.skill : undefined;
  const isAboutAttacks =
    parsed !== undefined && ABOUT_ATTACKS.test(`${parsed.name.replaceAll("-", " ")}\n${parsed.description}`);
  const views = texts.map(({ path, content }) =>
    viewFile(path, content.text, { skillFile: skill.skillFile, own, isAboutAttacks }),
  );
  return { ...skill, texts, own, parsed, isAboutAttacks, views };
}
