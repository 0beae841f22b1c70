/** What looks like a credential in a text. The credential itself is never part of it. */
export interface SecretFinding {
  /** What it is, such as `a GitHub token`. */
  readonly kind: string;
  /** 1-based. */
  readonly line: number;
}

interface Shape {
  readonly kind: string;
  readonly pattern: RegExp;
}

/** Shapes that occur by chance nowhere. The part that must look random is the first group. */
const SHAPES: readonly Shape[] = [
  {
    kind: "a private key",
    pattern: /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----\s+([A-Za-z0-9+/=]{40,})/g,
  },
  { kind: "an AWS access key", pattern: /\b(?:AKIA|ASIA)([A-Z2-7]{16})\b/g },
  {
    kind: "an AWS secret key",
    pattern: /\baws_secret_access_key["']?\s{0,3}[=:]\s{0,3}["']?([A-Za-z0-9+/]{40})(?![A-Za-z0-9+/])/gi,
  },
  { kind: "a Google access token", pattern: /\bya29\.([\w-]{40,})/g },
  {
    kind: "a key or password",
    pattern:
      /(?:api_?key|secret_?key|client_?secret|auth_?token|access_?token|password)["']?\s{0,3}[=:]\s{0,3}["']?((?=[A-Za-z0-9]{0,63}\d[A-Za-z0-9]{0,62}\d)[A-Za-z0-9]{32,64})(?![\w.(-])/gi,
  },
  { kind: "a GitHub token", pattern: /\bgh[opsru]_([A-Za-z0-9]{36,})\b/g },
  { kind: "a GitHub token", pattern: /\bgithub_pat_([A-Za-z0-9_]{40,})\b/g },
  { kind: "a GitLab token", pattern: /\bglpat-([\w-]{20,})/g },
  { kind: "a Slack token", pattern: /\bxox[abeoprs]-([\w-]{20,})/g },
  { kind: "a Slack webhook", pattern: /\bhooks\.slack\.com\/services\/(T\w{6,}\/B\w{6,}\/\w{16,})/g },
  { kind: "an Anthropic key", pattern: /\bsk-ant-([\w-]{24,})/g },
  { kind: "an OpenAI key", pattern: /\bsk-(?!ant-)((?=[\w-]*[A-Z])[\w-]{32,})/g },
  { kind: "a Google API key", pattern: /\bAIza([\w-]{35})/g },
  { kind: "a Stripe key", pattern: /\b[rs]k_live_([A-Za-z0-9]{20,})/g },
  { kind: "an npm token", pattern: /\bnpm_([A-Za-z0-9]{36})\b/g },
  { kind: "a Hugging Face token", pattern: /\bhf_([A-Za-z0-9]{30,})\b/g },
  { kind: "a SendGrid key", pattern: /\bSG\.([\w-]{20,}\.[\w-]{30,})/g },
];

/** Cheap to test, and in every text with one of the shapes. */
const MAY_HAVE_ONE =
  /PRIVATE KEY|AKIA|ASIA|gh[opsru]_|github_pat_|glpat-|xox[abeoprs]-|hooks\.slack|sk-|AIza|k_live_|npm_|hf_|SG\.|ya29\.|(?:[kK][eE][yY]|KEN|ken|secret|SECRET|password|PASSWORD)["']?\s{0,3}[=:]\s{0,3}["']?[A-Za-z0-9+/]{32}/;
/** A text with more of them is a list, and one of each says enough. */
const MOST = 20;

/** Finds what looks like a credential, but not what documentation writes in its place. */
export function findSecrets(text: string): readonly SecretFinding[] {
  if (!MAY_HAVE_ONE.test(text)) return [];
  const found: SecretFinding[] = [];
  for (const { kind, pattern } of SHAPES) {
    for (const match of text.matchAll(pattern)) {
      if (!looksRandom(match[1] ?? "")) continue;
      found.push({ kind, line: text.slice(0, match.index).split("\n").length });
      if (found.length >= MOST) return found;
    }
  }
  return found;
}

const PLACEHOLDER =
  /example|sample|placeholder|your|xxxx|redact|dummy|fake|test|\.\.\.|0000|1234567|abcdefg/i;

function looksRandom(text: string): boolean {
  return !PLACEHOLDER.test(text) && new Set(text).size >= 8 && /\d/.test(text) && /[A-Za-z]/.test(text);
}
