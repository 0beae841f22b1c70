import { isUtf8 } from "node:buffer";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { int, strictObject, string } from "zod";
import type { Limit } from "#agents";
import { endOfPage, type FileOfSkill, fileProvenance, readFileOfSkill } from "#skills";
import { mimeTypeOf } from "#util";
import { oneLine } from "#util/pure";
import { DEFAULT_PART, LAST_POSITION, LONGEST_PART } from "../definitions/skill-tools.ts";
import { fitPage, resultOf, sizeOfAnswer, type TextAnswer } from "./fit-page.ts";
import { PROVENANCE, pastTheEnd, positionIn } from "./skill-page.ts";
import { parseArguments, type Tool } from "./tool.ts";

const NAME = "read_skill_file";

/** The key of a file's data in the `_meta` of an answer. */
const META = "skills-mcp/file";

const INPUT = strictObject({
  skill: string().min(1, "Skill name cannot be empty"),
  path: string().min(1, "The path cannot be empty"),
  offset: int().min(0).max(LAST_POSITION).default(0),
  limit: int().min(1).max(LONGEST_PART).default(DEFAULT_PART),
});

/**
 * Reads a file of a skill, for models that cannot open files of this machine. It answers with text and no data beside it:
 * where clients show a model the data instead, a file would be written as JSON.
 */
export const readSkillFileTool: Tool = {
  name: NAME,
  input: INPUT,
  async call(app, args, { traits }) {
    const { skill, path, offset, limit } = parseArguments(NAME, INPUT, args);
    const file = await readFileOfSkill(await app.snapshotWith(skill), skill, path);
    const { skill: own, listedAs } = file.entry;
    const part = { offset, limit, answerLimit: traits.answerLimit };
    const answer = isUtf8(file.bytes) ? textPart(file, part) : binaryPart(file, part);
    if (offset === 0 && file.path === own.fileName) {
      app.record("skill_served", { skill_path: listedAs, via: NAME });
    }
    return answer;
  },
};

interface Part {
  readonly offset: number;
  readonly limit: number;
  readonly answerLimit: Limit | undefined;
}

function textPart(file: FileOfSkill, { offset, limit, answerLimit }: Part): CallToolResult {
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

/** Parts of whole groups of three bytes, so that they are together the base64 of the file. */
function binaryPart(file: FileOfSkill, { offset, limit, answerLimit }: Part): CallToolResult {
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

function dataOf({ entry, path, bytes, digest }: FileOfSkill, otherwise: string) {
  return {
    skill: entry.listedAs,
    path,
    mimeType: mimeTypeOf(path) ?? otherwise,
    size: bytes.length,
    digest,
  };
}

interface FileData extends ReturnType<typeof dataOf> {
  readonly encoding: string;
  /** In the unit of `offset`. */
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

function noteFor({ entry, path }: FileOfSkill, part: string, next: number): string {
  const [skill, file] = [JSON.stringify(entry.listedAs), JSON.stringify(path)];
  return `\n\n[${part}. To read on, call \`${NAME}\` with skill ${skill}, path ${file} and offset ${next}.]`;
}

function metaOf({ entry }: FileOfSkill, data: FileData, offset: number, nextOffset: number | undefined) {
  const origin = offset === 0 ? fileProvenance(entry.skill, () => data.digest) : undefined;
  return {
    ...(origin === undefined ? {} : { [PROVENANCE]: origin }),
    [META]: { ...data, offset, ...(nextOffset === undefined ? {} : { nextOffset }) },
  };
}
