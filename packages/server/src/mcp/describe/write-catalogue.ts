import type { ListPlace } from "#agents";
import type { Entry } from "#skills";
import { cutText } from "#util/pure";
import { writeFirstLine, writeNames } from "./first-line.ts";
import { costOf, ELLIPSIS_COST, fitEntries, fitNames } from "./fit-entries.ts";
import type { ListFormat } from "./formats.ts";

export interface CatalogueOptions {
  /** How the description is written when every skill fits into it whole. */
  readonly format: ListFormat;
  /** The texts that the list is written into, the first one filled first. */
  readonly listIn: readonly ListPlace[];
  /** The most UTF-16 units of each text, whether it has a part of the list or not. */
  readonly budgets: Readonly<Record<ListPlace, number>>;
  /** The most UTF-16 units of the first line of the instructions. */
  readonly firstLineLimit: number;
  /** Whether the instructions name the skills although the list is elsewhere. */
  readonly repeatNames: boolean;
  /** Whether the text may point at `find_skills`. */
  readonly finder: boolean;
  /** Sentences about other tools, for the instructions. */
  readonly guidance: string;
  /** A sentence below the list. */
  readonly note?: string;
}

/** The list of skills over two texts, each skill in one of them. */
export interface Catalogue {
  readonly description: string;
  readonly instructions: string;
  /** False as soon as anything had to be shortened or left out: then `find_skills` is wanted. */
  readonly complete: boolean;
  /** How many of the skills are named: always the first ones. */
  readonly shown: number;
}

const OPENING =
  "Load a skill: instructions, workflows and files for one kind of task. Before you begin a task, load the skill that fits it by name, and follow it.";
/** Where space is so short that not every skill can be named. */
const SHORT_OPENING = "Before a task, load its skill by name.";
const HEADING = "\n\nAvailable skills:\n";
const CONTINUED = "\n\nMore skills (the list starts in the description of the `skill` tool):\n";

/**
 * Writes the list of skills within the budgets: everything whole in the given format if it fits into the description;
 * otherwise one line for each skill, with descriptions cut to one length; then names only; then some names, and how many
 * more there are. What the operator always wants comes first and is not cut; what is listed by its name alone comes last.
 */
export function writeCatalogue(entries: readonly Entry[], options: CatalogueOptions): Catalogue {
  const { listIn } = options;
  // Where a skill is listed by its name alone, a format for whole skills does not fit.
  const isWhole = entries.every(({ rule }) => rule !== "name-only");
  if (isWhole && (listIn[0] === "description" || entries.length === 0)) {
    const description = writeWhole(entries, options);
    if (description !== undefined) {
      const alone = { ...options, listIn: ["description"] } as const;
      const instructions = writeAround(entries, alone, "whole").instructions.before;
      return { description, instructions, complete: true, shown: entries.length };
    }
  }
  const [first] = listIn;
  // A client that is told in the instructions may show no description: all names come there before any goes on elsewhere.
  const alone = first === "instructions" ? writeLines(entries, { ...options, listIn: [first] }) : undefined;
  return alone?.shown === entries.length ? alone : writeLines(entries, options);
}

function writeLines(entries: readonly Entry[], options: CatalogueOptions): Catalogue {
  return (
    writeEvery(entries, options, "whole") ??
    writeEvery(entries, options, "shortened") ??
    writeSome(entries, options)
  );
}

/** Undefined as soon as it is over its budget. */
function writeWhole(
  entries: readonly Entry[],
  { format, note, budgets }: CatalogueOptions,
): string | undefined {
  const after = `${format.closing}${note === undefined ? "" : `\n\n${note}`}`;
  let left = budgets.description - costOf(format.opening + after);
  const parts: string[] = [];
  for (const part of entries.length === 0 ? [format.none] : entries) {
    const text = typeof part === "string" ? part : format.entry(part);
    left -= costOf(text);
    if (left < 0) return undefined;
    parts.push(text);
  }
  return format.opening + parts.join("") + after;
}

/** How much of the list is shown, which decides what is said around it. */
type Extent = "whole" | "shortened" | "some";

/** A line or a name for every skill; undefined when that does not fit, or not to this extent. */
function writeEvery(
  entries: readonly Entry[],
  options: CatalogueOptions,
  extent: "whole" | "shortened",
): Catalogue | undefined {
  const places = placesWithSizes(entries, options, extent);
  const layout = fitEntries(
    entries,
    places.map(({ size }) => size),
  );
  if (layout === undefined || (extent === "whole" && !layout.isWhole)) return undefined;
  const lists = new Map(places.map(({ place }, index) => [place, layout.filled[index]?.text ?? ""]));
  return { ...compose(entries, options, extent, lists), complete: extent === "whole", shown: entries.length };
}

/** As many names as fit, and how many more there are. */
function writeSome(entries: readonly Entry[], options: CatalogueOptions): Catalogue {
  const { finder } = options;
  // For the largest count, so that the line fits however many names do.
  const reserved = costOf(more(entries.length, finder));
  const places = placesWithSizes(entries, options, "some").filter(({ size }) => size > reserved);
  const filled = fitNames(
    entries,
    places.map(({ size }) => size),
    reserved,
  );
  const shown = filled.reduce((sum, { count }) => sum + count, 0);
  const lists = new Map(
    places.map(({ place }, index) => {
      const isLast = index === places.length - 1 && shown > 0;
      return [place, (filled[index]?.text ?? "") + (isLast ? more(entries.length - shown, finder) : "")];
    }),
  );
  return { ...compose(entries, options, "some", lists), complete: false, shown };
}

/** The texts with a part of the list, and how many characters of it each can have; below zero where not even what is around it fits. */
function placesWithSizes(entries: readonly Entry[], options: CatalogueOptions, extent: Extent) {
  const { listIn, budgets } = options;
  const around = writeAround(entries, options, extent);
  return listIn.map((place) => {
    const { before, heading, after } = around[place];
    return { place, size: budgets[place] - costOf(before + heading + after) };
  });
}

/** Both texts, each with its part of the list if it has one. */
function compose(
  entries: readonly Entry[],
  options: CatalogueOptions,
  extent: Extent,
  lists: ReadonlyMap<ListPlace, string>,
): Pick<Catalogue, "description" | "instructions"> {
  const { budgets, finder, note } = options;
  const { description, instructions } = writeAround(entries, options, extent);
  const list = lists.get("description") ?? "";
  const others = lists.get("instructions") ?? "";
  const after = others === "" ? below(note) : description.after;
  const elsewhere = others === "" ? "" : " All skills are listed in this server's instructions.";
  const text =
    list === ""
      ? `${description.before}${elsewhere}${below(note)}`
      : `${description.before}${description.heading}${list}${after}`;
  return {
    description:
      costOf(text) <= budgets.description && (list !== "" || others !== "")
        ? text
        : cutText(
            leastDescription(entries.length, finder),
            Math.max(0, budgets.description + 1 - ELLIPSIS_COST),
          ),
    instructions:
      others === "" ? instructions.before : `${instructions.before}${instructions.heading}${others}`,
  };
}

/** What is written around the part of the list in one text. */
interface Around {
  readonly before: string;
  readonly heading: string;
  readonly after: string;
}

function writeAround(
  entries: readonly Entry[],
  options: CatalogueOptions,
  extent: Extent,
): Readonly<Record<ListPlace, Around>> {
  const { listIn, note } = options;
  const finder = options.finder && extent !== "whole";
  const isInDescription = extent === "whole" && !listIn.includes("instructions");
  const opening = extent === "some" ? SHORT_OPENING : OPENING;
  const isSecond = listIn[0] === "description";
  const elsewhere = !listIn.includes("instructions")
    ? ""
    : isSecond
      ? "The list continues in this server's instructions.\n"
      : "More skills are listed in this server's instructions.\n";
  return {
    description: {
      before: `${opening}${finder ? " find_skills searches all skills by task." : ""}`,
      heading: HEADING,
      after: `${elsewhere}${below(note)}`,
    },
    instructions: {
      before: writeGuidance(entries, options, finder ? "find_skills" : isInDescription ? "skill" : undefined),
      heading: isSecond ? CONTINUED : HEADING,
      after: "",
    },
  };
}

function below(note: string | undefined): string {
  return note === undefined ? "" : `\n${note}`;
}

/** The instructions but for the list: the first line, what there is to say of other tools, and names. */
function writeGuidance(
  entries: readonly Entry[],
  options: CatalogueOptions,
  allIn: "find_skills" | "skill" | undefined,
): string {
  const { budgets, guidance, repeatNames } = options;
  // Space for one `…`, in the first line or after the names; what a second one costs is counted with the text that has it.
  const budget = Math.max(0, budgets.instructions + 1 - ELLIPSIS_COST);
  const firstLine = writeFirstLine(entries, Math.min(options.firstLineLimit, budget), allIn);
  const both = `${firstLine}\n${guidance}`;
  const guided = guidance === "" || both.length > budget ? firstLine : both;
  if (!repeatNames || entries.every(({ listedAs }) => firstLine.includes(listedAs))) return guided;
  const names = writeNames(entries, budget - costOf(guided) - 1, allIn === "find_skills");
  return names === "" ? guided : `${guided}\n${names}`;
}

/** Says how many skills are not shown and how to find them. */
function more(count: number, finder: boolean): string {
  const way = finder
    ? "call find_skills with your task to find the right one"
    : "call this tool with a likely name; the answer suggests the nearest ones";
  return `- … and ${count} more: ${way}\n`;
}

/** Not even what is around the list fits. */
function leastDescription(count: number, finder: boolean): string {
  const way = finder ? "Find one with find_skills, then l" : "L";
  return `${way}oad a skill by name (${count} available).`;
}
