import type { ToolList } from "../../mcp/definitions/tool-list.ts";
import { count, printable, type Style } from "./text.ts";

/** What one client's model is told of the skills at its first turn. */
export interface ClientView extends Pick<ToolList, "instructions" | "complete"> {
  readonly client: string;
  /** What people call it; undefined for a client that is not known. */
  readonly title?: string;
  readonly budgets: { readonly description: number; readonly instructions: number };
  readonly tools: readonly { readonly name: string; readonly description: string }[];
  readonly skills: number;
  readonly shown: number;
  /** The names of skills that are left out, because the client reads them by itself. */
  readonly native: readonly string[];
}

const MOST_NAMES = 20;

/** What `doctor --client` prints for people. */
export function renderClientView(view: ClientView, style: Style): string {
  const { client, title, budgets, instructions, tools, skills, shown, complete, native } = view;
  const heading = (name: string, text: string, most?: number): string =>
    style.bold(`${name}, ${text.length}${most === undefined ? "" : ` of at most ${most}`} characters`);
  const some = native.slice(0, MOST_NAMES).map(printable).join(", ");
  const parts = [
    title === undefined
      ? `${printable(client)} is not a known client. It gets what is safe everywhere:`
      : `What a model sees of the skills at turn 1 in ${title}, as ${printable(client)}:`,
    `${heading("instructions", instructions, budgets.instructions)}\n${lines(instructions)}`,
    ...tools.map(({ name, description }) => {
      const most = name === "skill" ? budgets.description : undefined;
      return `${heading(`tool ${name}`, description, most)}\n${lines(description)}`;
    }),
    `${shown} of ${count(skills, "listed skill")} named, ${complete ? "each with its whole description" : "not all with their whole description"}.`,
    ...(native.length === 0
      ? []
      : [
          `${count(native.length, "skill")} left out, because ${title ?? "it"} reads ${native.length === 1 ? "it" : "them"} from disk: ${some}${native.length > MOST_NAMES ? ", …" : ""}. --include-native lists ${native.length === 1 ? "it" : "them"} too.`,
        ]),
  ];
  return `${parts.join("\n\n")}\n`;
}

function lines(text: string): string {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => `  ${printable(line)}`.trimEnd())
    .join("\n");
}
