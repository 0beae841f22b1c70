import { type Finding, lineOfKey, parseCodexPolicy, readYaml } from "#skills";
import { defined, editDistance, isRecord } from "#util/pure";

type SettingCheck = (value: unknown) => boolean;

const isText: SettingCheck = (value) => typeof value === "string";
const isTexts: SettingCheck = (value) => Array.isArray(value) && value.every(isText);

/** The settings that Codex reads from `agents/openai.yaml`, by section. Invocation is checked where it is read. */
const SECTIONS: Readonly<Record<string, Readonly<Record<string, SettingCheck>>>> = {
  interface: {
    display_name: isText,
    short_description: isText,
    icon_small: isText,
    icon_large: isText,
    brand_color: (value) => isText(value) && /^#[0-9a-f]{6}$/i.test(String(value)),
    default_prompt: isText,
  },
  dependencies: { tools: isTools },
  policy: { allow_implicit_invocation: () => true, products: isTexts },
};

const EXPECTED: Readonly<Record<string, string>> = {
  brand_color: 'a colour such as "#1a2b3c"',
  tools: "a list of maps with the texts `type` and `value`",
  products: "a list of texts",
};

function isTools(value: unknown): boolean {
  const items: readonly unknown[] = Array.isArray(value) ? value : [undefined];
  return items.every((item) => isRecord(item) && isText(item["type"]) && isText(item["value"]));
}

/** Checks the text of Codex's settings beside a skill. */
export function checkCodexSettings(content: string): readonly Finding[] {
  const text = content.replace(/^\uFEFF/, "");
  const broken = parseCodexPolicy(text).warnings.map(({ code: rule, message, line }): Finding => {
    return { severity: "error", rule, message, ...defined({ line }) };
  });
  const reading = readYaml(text);
  if (!reading.ok) return broken;
  const findings = [...broken];
  const add = (severity: Finding["severity"], key: string, message: string): void => {
    findings.push({ severity, rule: "codex-settings", message, ...lineOfKey(key, text, 1) });
  };
  for (const [name, section] of Object.entries(reading.fields)) {
    const known = SECTIONS[name];
    if (known === undefined) add("advice", name, unknown(name, Object.keys(SECTIONS)));
    else if (!isRecord(section)) add("error", name, `\`${name}\` must be a map.`);
    else
      for (const [key, value] of Object.entries(section)) {
        const check = known[key];
        if (check === undefined) add("advice", key, unknown(`${name}.${key}`, Object.keys(known)));
        else if (!check(value))
          add("error", key, `\`${name}.${key}\` must be ${EXPECTED[key] ?? "a text"}. Codex ignores it.`);
      }
  }
  return findings;
}

function unknown(key: string, known: readonly string[]): string {
  const last = key.slice(key.indexOf(".") + 1);
  const meant = known.find((each) => editDistance(last, each, 2) <= 2);
  return `Codex does not know \`${key}\`.${meant === undefined ? "" : ` Did you mean \`${meant}\`?`}`;
}
