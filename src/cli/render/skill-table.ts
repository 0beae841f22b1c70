import { audienceMark, type Invocation } from "../../skill/invocation.ts";
import { renderTable } from "./layout.ts";
import { printable, type Style } from "./text.ts";

/** What the table shows of a skill of any kind. */
type ListedSkill = Readonly<Record<"name" | "provider" | "location" | "description", string>> & {
  readonly invocation?: Invocation;
  readonly origin?: string;
};

/** The table that `list` prints. A narrow terminal gets names and descriptions alone. People copy names, so none is cut. */
export function renderSkillTable(
  skills: readonly ListedSkill[],
  width: number | undefined,
  style: Style,
): string {
  const hasOrigins = skills.some(({ origin }) => origin !== undefined);
  const columns = [
    { title: "NAME", most: 40, least: 8, whole: true, paint: style.bold },
    { title: "PROVIDER", optional: true, paint: style.dim },
    { title: "LOCATION", optional: true, paint: style.dim },
    ...(hasOrigins ? [{ title: "ORIGIN", paint: style.dim }] : []),
    { title: "DESCRIPTION", least: 20 },
  ];
  const rows = skills.map(({ name, provider, location, description, invocation, origin }) => {
    const shown = `${audienceMark(invocation)}${description}`;
    return [name, provider, location, ...(hasOrigins ? [origin ?? ""] : []), shown].map(printable);
  });
  return renderTable(columns, rows, width, style.dim).join("\n");
}
