import type { ClientView } from "#server";
import { count, printable, type Style } from "./text.ts";

const MOST_NAMES = 20;

/** What `doctor --client` prints for people. */
export function renderClientView(view: ClientView, style: Style): string {
  const { client, title, budgets, instructions, tools, first, tokens } = view;
  const heading = (name: string, text: string, cost: number, most?: number): string =>
    style.bold(
      `${name}, ${text.length}${most === undefined ? "" : ` of at most ${most}`} characters, about ${count(cost, "token")}`,
    );
  const parts = [
    title === undefined
      ? `${printable(client)} is not a known client. It gets what is safe everywhere:`
      : `What a model sees of the skills at turn 1 in ${title}, as ${printable(client)}, which starts skills-mcp:`,
    `${heading("instructions", instructions, tokens.instructions, budgets.instructions)}\n${lines(instructions)}`,
    ...tools.map(({ name, description, tokens: cost }) => {
      const most = name === "skill" ? budgets.description : undefined;
      return `${heading(`tool ${name}`, description, cost.description + cost.schema, most)}\n${lines(description)}`;
    }),
    `${shownText(view)} About ${count(tokens.total, "token")} in all.`,
    ...(first === undefined ? [] : [orderLine(first)]),
    ...reasons(view, style),
  ];
  return `${parts.join("\n\n")}\n`;
}

function shownText({ skills, shown, complete }: ClientView): string {
  if (skills === 0) return "No skill is listed for this client.";
  const how = complete ? "each with its whole description" : "not all with their whole description";
  return `${shown} of ${count(skills, "listed skill")} named, ${how}.`;
}

/** What is cut or left out and why, each with what changes it. */
function reasons({ reasons: all }: ClientView, style: Style): readonly string[] {
  if (all.length === 0) return [];
  const texts = all.map(({ text, lever, skills = [] }) => {
    const some = skills.slice(0, MOST_NAMES).map(printable).join(", ");
    const named = some === "" ? "" : ` ${some}${skills.length > MOST_NAMES ? ", …" : ""}`;
    const way =
      lever === undefined ? "" : `\n    ${style.cyan(printable(lever.command))}: ${printable(lever.does)}`;
    return `  ${printable(text)}${named}${way}`;
  });
  return [`${style.bold("Why, and what changes it")}\n${texts.join("\n")}`];
}

/** Which skills a list that is cut begins with. */
function orderLine({ always, near, recent, fitting, project }: NonNullable<ClientView["first"]>): string {
  const { topics, packages, files } = project;
  const words = [...topics, ...packages];
  const some = (all: readonly string[]): string =>
    `${all.slice(0, MOST_NAMES).map(printable).join(", ")}${all.length > MOST_NAMES ? ", …" : ""}`;
  const reasons = [
    ...(always === 0 ? [] : [`${count(always, "skill")} that you always want there`]),
    `${count(near, "skill")} of this project`,
    `${recent} used in the last 30 days`,
    words.length === 0
      ? "none for what this folder contains, which tells nothing"
      : `${fitting} that fit this folder: ${some(words)} (from ${some(files)})`,
  ];
  return `Not everything fits, so these come first, in this order: ${reasons.join("; ")}.`;
}

function lines(text: string): string {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => `  ${printable(line)}`.trimEnd())
    .join("\n");
}
