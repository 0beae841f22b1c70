import { toJSONSchema } from "zod";
import type { FileOwner } from "./check-file.ts";
import { allowedText } from "./declaration.ts";
import { SCHEMA } from "./schema.ts";
import { DECLARED, type DeclaredSetting } from "./settings.ts";

/** As much of a JSON Schema as is changed here. */
interface Node {
  properties?: Record<string, Node>;
  anyOf?: Node[];
  title?: string;
  description?: string;
  default?: unknown;
}

/**
 * The JSON Schema of a file of settings, for editors; the build writes it to dist/schemas. It is made of the schema that the program
 * checks files with. What that tests with code (filters, addresses, settings that contradict each other) is not in it.
 */
export function settingsSchema(owner: Exclude<FileOwner, "library">, title: string): object {
  const schema = toJSONSchema(SCHEMA, { target: "draft-7" }) as Node;
  for (const declared of DECLARED) describe(schema, declared);
  if (owner === "project") keepProjectSettings(schema);
  return { ...schema, title };
}

function describe(schema: Node, declared: DeclaredSetting): void {
  const { parts, type, flag, help, default: value } = declared;
  const node = parts.reduce<Node | undefined>((at, part) => settingsOf(at)?.[part], schema);
  if (node === undefined) throw new Error(`${parts.join(".")} is declared, but not in the schema.`);
  // The help of a flag that turns a setting off says the opposite of the setting.
  const meaning = help === undefined || flag?.startsWith("--no-") ? [] : [help];
  node.description = [...meaning, `must be ${allowedText(type)}`].join("; ");
  if (value !== undefined) node.default = value;
}

/** What a project may not set is not in its schema: the program ignores it. */
function keepProjectSettings(schema: Node): void {
  const sections = schema.properties ?? {};
  for (const section of Object.keys(sections)) {
    const ofProject = DECLARED.filter(({ parts, project }) => parts[0] === section && project === true);
    if (ofProject.length === 0) delete sections[section];
    const keys = sections[section] === undefined ? undefined : settingsOf(sections[section]);
    for (const key of Object.keys(keys ?? {}))
      if (!ofProject.some(({ parts }) => parts[1] === key)) delete keys?.[key];
  }
}

/** A section may be empty, so its map is one of two possibilities. */
function settingsOf(node: Node | undefined): Record<string, Node> | undefined {
  return node?.properties ?? node?.anyOf?.find(({ properties }) => properties !== undefined)?.properties;
}
