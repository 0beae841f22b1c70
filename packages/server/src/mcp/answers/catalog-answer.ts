import type { CallToolResult } from "@modelcontextprotocol/server";
import { object, string } from "zod";
import type { SkillCatalog } from "#skills";
import { skillLines } from "./skill-lines.ts";

/** The fields of a skill in the answers of the catalog tools. */
export const SKILL_SUMMARY = {
  installName: string().describe("The name of its folder"),
  meta: object({ name: string(), description: string() }),
  skillPath: string().describe("Its folder, relative to the working directory"),
  skillFile: string(),
};

/** The summary, and then what it counts: not every client shows a model the structured content. */
export function catalogContent(
  summary: string,
  skills: Awaited<ReturnType<SkillCatalog["list"]>>["skills"],
): CallToolResult["content"] {
  const lines = skillLines(skills.map(({ meta }) => meta));
  return [summary, lines].flatMap((text) => (text === undefined ? [] : [{ type: "text" as const, text }]));
}
