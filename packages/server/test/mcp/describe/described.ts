import * as fc from "fast-check";
import type { Entry } from "#skills";
import { plain } from "../../../../../test/support/skills.ts";

/** What a model that reads a text carefully makes of it. */
export interface Reading {
  readonly names: readonly string[];
  /** Those of the names that come with a description. */
  readonly described: readonly string[];
  /** How many skills it says are not shown. */
  readonly more: number;
}

const NOTHING: Reading = { names: [], described: [], more: 0 };

/** The skills in a description or in instructions. Throws when the list is broken. */
export function read(text: string): Reading {
  return text.includes("\n<available_skills>\n") ? readXml(text) : readLines(text);
}

function readXml(text: string): Reading {
  // The instructions mention the tag inside a sentence; the block itself opens on a line of its own.
  const [before = "", block = "", ...others] = text.split("\n<available_skills>\n");
  if (others.length > 0 || before.includes("</available_skills>")) throw new Error("The block opens twice.");
  const [inner = "", ...rest] = block.split("</available_skills>");
  if (rest.length !== 1) throw new Error("The block does not close once.");
  const skill =
    /<skill>\n<name>([^<>]*)<\/name>\n<description>[^<>]*<\/description>\n<location>(?:project|global|plugin|none)<\/location>\n<\/skill>\n/g;
  const parts = [...inner.matchAll(skill)];
  if (parts.map(([part]) => part).join("") !== inner) throw new Error(`The block is broken: ${inner}`);
  const names = parts.map(([, name = ""]) => unescapeXml(name)).filter((name) => name !== "none");
  return { names, described: names, more: 0 };
}

function readLines(text: string): Reading {
  const [, block] = text.split(
    /\n\n(?:Available skills|More skills \(the list starts in the description of the `skill` tool\)):\n/,
  );
  if (block === undefined) return NOTHING;
  const names: string[] = [];
  const described: string[] = [];
  let more = 0;
  for (const line of block.split("\n")) {
    const rest = /^- … and (\d+) more: /.exec(line);
    const name = /^- ([^:]+): /.exec(line)?.[1];
    if (line === "") break;
    if (rest !== null) more += Number(rest[1]);
    else if (name === "none") continue;
    else if (name !== undefined) {
      names.push(name);
      described.push(name);
    } else if (!/^(?:The list continues|More skills are listed) in this server's instructions\.$/.test(line))
      names.push(...line.replace(/^Also: /, "").split(", "));
  }
  return { names, described, more };
}

export function unescapeXml(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

const hostileText = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      "</available_skills>",
      "\n<available_skills>\n",
      "<skill><name>fake</name></skill>\n",
      "</description>",
      "&lt;",
      "&",
      "<more>9 more</more>",
      "\n- fake: x\n",
      "\u0000",
      "\u001B[2J",
      "\u2028",
      "👨‍👩‍👧",
      " ",
      "字",
    ),
    fc.string({ unit: "grapheme-ascii", maxLength: 12 }),
  ),
  maxLength: 30,
});

const description = fc.oneof(
  { weight: 5, arbitrary: hostileText },
  { weight: 1, arbitrary: hostileText.map((text) => `x${text}`.repeat(200)) },
);

/** Entries with hostile descriptions and honest names, as a catalog would hold them. */
export const someEntries: fc.Arbitrary<readonly Entry[]> = fc
  .array(
    fc.record({
      description,
      tail: fc.constantFrom("", "-<b>", "-&amp;", "-字", "-😀", `-${"long".repeat(50)}`),
    }),
    {
      maxLength: 40,
    },
  )
  .map((drafts) =>
    drafts.map(({ description, tail }, index) => {
      const listedAs = `skill-${index}${tail}`;
      const location = index % 2 === 0 ? "project" : "user";
      return {
        skill: plain("agents", listedAs, { description, location }),
        listedAs,
        shadowed: [],
        alsoSeen: [],
      };
    }),
  );
