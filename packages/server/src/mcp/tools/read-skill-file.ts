import { isUtf8 } from "node:buffer";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { int, strictObject, string } from "zod";
import type { Limit } from "#agents";
import { fileProvenance, readFileOfSkill } from "#skills";
import { mimeTypeOf } from "#util";
import { oneLine } from "#util/pure";
import {
  fitPage,
  PROVENANCE,
  pastTheEnd,
  positionIn,
  resultOf,
  sizeOfAnswer,
  type TextAnswer,
} from "../answers/skill-page.ts";
import { endOfPage } from "../describe/page-text.ts";
import { defineTool, LONGEST_PATH, POSITION, READ_ONLY } from "./tool.ts";

type ReadFile = Awaited<ReturnType<typeof readFileOfSkill>>;

const NAME = "read_skill_file";

/** The key of a file's data in the `_meta` of an answer. */
const META = "skills-mcp/file";

const LONGEST_PART = 500_000;
/** About as much as most clients show. */
const DEFAULT_PART = 50_000;

/**
 * Reads a file of a skill, for models that cannot open files of this machine. It answers with text and no data beside it:
 * where clients show a model the data instead, a file would be written as JSON.
 */
export const readSkillFile = defineTool({
  name: NAME,
  set: "loader",
  position: 2,
  listedWhen: "files-unreachable",
  title: "Read Skill File",
  description:
    "Read a file that belongs to a skill, such as a reference or a script that its instructions mention. The answer of the skill tool lists them under `Files:`. Text is returned as it is, other files as base64. Long files come in parts; each part says how to read on.",
  annotations: READ_ONLY,
  searchHint: "read a file of a skill",
  largeAnswers: true,
  input: strictObject({
    skill: string()
      .min(1, "Skill name cannot be empty")
      .describe("Name of the skill, as the skill tool takes it"),
    path: string()
      .min(1, "The path cannot be empty")
      .max(LONGEST_PATH)
      .describe('Path of the file inside the skill\'s folder, such as "references/forms.md"'),
    offset: POSITION.default(0).describe(
      "Where to begin, in characters (in bytes for base64); the part before says where it ended",
    ),
    limit: int()
      .min(1)
      .max(LONGEST_PART)
      .default(DEFAULT_PART)
      .describe("Maximum number of characters (bytes for base64)"),
  }),
  async handle({ snapshotWith, record }, { skill, path, offset, limit }, { traits }) {
    const file = await readFileOfSkill(await snapshotWith(skill), skill, path);
    const { skill: own, listedAs } = file.entry;
    const part = { offset, limit, answerLimit: traits.answerLimit };
    const answer = isUtf8(file.bytes) ? textPart(file, part) : binaryPart(file, part);
    if (offset === 0 && file.path === own.fileName)
      record("skill_served", { skill_path: listedAs, via: NAME });
    return answer;
  },
});

/** Which part of a file is wanted, and where the client cuts answers. */
interface WantedPart {
  readonly offset: number;
  readonly limit: number;
  readonly answerLimit: Limit | undefined;
}

function textPart(file: ReadFile, { offset, limit, answerLimit }: WantedPart): CallToolResult {
  const text = file.bytes.toString("utf8");
  const start = positionIn(text, offset, NAME);
  const kind = /\.(?:md|markdown)$/i.test(file.path) ? "markdown" : "plain";
  const end = endOfPage(text, start, { count: limit, unit: "characters" }, kind);
  const data = { ...dataOf(file, "text/plain"), encoding: "utf-8", length: text.length };
  return fitPage({
    text,
    kind,
    head: headOf(data),
    start,
    end,
    limit: answerLimit,
    note: (next) => noteFor(file, `Characters ${start} to ${next} of ${text.length}`, next),
    meta: (next) => metaOf(file, data, start, next),
  });
}

/** Returns a multiple of three bytes as base64, so that all parts together are the base64 of the file. */
function binaryPart(file: ReadFile, { offset, limit, answerLimit }: WantedPart): CallToolResult {
  const { bytes } = file;
  if (offset >= bytes.length) throw pastTheEnd(NAME, bytes.length, "bytes");
  const data = { ...dataOf(file, "application/octet-stream"), encoding: "base64", length: bytes.length };
  const answer = (to: number, content: string): TextAnswer => {
    const next = to < bytes.length ? to : undefined;
    const range = `Bytes ${offset} to ${to} of ${bytes.length}`;
    const rest = next === undefined ? "" : noteFor(file, range, next);
    return { text: headOf(data) + content + rest, meta: metaOf(file, data, offset, next) };
  };
  // No position takes more digits than the last one.
  const around = answer(bytes.length - 1, "");
  const room =
    answerLimit === undefined
      ? Number.POSITIVE_INFINITY
      : answerLimit.count - sizeOfAnswer(around, answerLimit);
  const groups = Math.max(1, Math.floor(Math.min(limit / 3, room / 4)));
  const end = Math.min(bytes.length, offset + groups * 3);
  return resultOf(answer(end, bytes.toString("base64", offset, end)));
}

function dataOf({ entry, path, bytes, digest }: ReadFile, otherwise: string) {
  return {
    skill: entry.listedAs,
    path,
    mimeType: mimeTypeOf(path) ?? otherwise,
    size: bytes.length,
    digest,
  };
}

/** What `_meta` says of a file. */
interface FileData extends ReturnType<typeof dataOf> {
  readonly encoding: string;
  /** Of the whole file, in the unit of `offset`. */
  readonly length: number;
}

function headOf({ skill, path, mimeType, encoding, size, digest }: FileData): string {
  const lines = [
    `Skill: ${skill}`,
    `File: ${oneLine(path)}`,
    `Type: ${mimeType}${encoding === "base64" ? ", as base64" : ""}`,
    `Size: ${size} ${size === 1 ? "byte" : "bytes"}`,
    `Digest: ${digest}`,
  ];
  return `${lines.join("\n")}\n\n`;
}

function noteFor({ entry, path }: ReadFile, part: string, next: number): string {
  const [skill, file] = [JSON.stringify(entry.listedAs), JSON.stringify(path)];
  return `\n\n[${part}. To read on, call \`${NAME}\` with skill ${skill}, path ${file} and offset ${next}.]`;
}

function metaOf({ entry }: ReadFile, data: FileData, offset: number, nextOffset: number | undefined) {
  const origin = offset === 0 ? fileProvenance(entry.skill, () => data.digest) : undefined;
  return {
    ...(origin === undefined ? {} : { [PROVENANCE]: origin }),
    [META]: { ...data, offset, ...(nextOffset === undefined ? {} : { nextOffset }) },
  };
}
