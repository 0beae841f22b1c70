import type { RuleInfo, TextRule } from "../rule.ts";
import { CONCEALMENT } from "./concealment.ts";
import { CREDENTIALS } from "./credentials.ts";
import { DAMAGE } from "./damage.ts";
import { ENCODED_CODE } from "./encoded-code.ts";
import { EXFILTRATION } from "./exfiltration.ts";
import { MANIPULATION } from "./manipulation.ts";
import { REMOTE_CODE } from "./remote-code.ts";
import { SETTINGS } from "./settings.ts";
import { SKILL_RULES } from "./whole-skill.ts";

/** The rules that patterns describe. */
export const TEXT_RULES: readonly TextRule[] = [
  ...MANIPULATION,
  ...CONCEALMENT,
  ...REMOTE_CODE,
  ...ENCODED_CODE,
  ...CREDENTIALS,
  ...EXFILTRATION,
  ...SETTINGS,
  ...DAMAGE,
];

/** Every rule, for those who list them. */
export const ALL_RULES: readonly RuleInfo[] = [...SKILL_RULES, ...TEXT_RULES];
