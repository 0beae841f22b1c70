import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { z } from "zod";

/** The arguments of a call, checked; or the error -32602 that names the parameter to blame. */
export function parseArguments<T>(tool: string, schema: z.ZodType<T>, args: unknown, hint?: string): T {
  const parsed = schema.safeParse(args ?? {}, { reportInput: true });
  if (parsed.success) return parsed.data;
  const reasons = parsed.error.issues.map(describeIssue);
  const text = `Invalid arguments for tool '${tool}': ${reasons.join("; ")}.`;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, hint === undefined ? text : `${text} ${hint}`);
}

function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") {
    return `unknown parameter ${issue.keys.map((key) => `'${key}'`).join(", ")}`;
  }
  const parameter = issue.path.join(".");
  if (parameter === "") return "the arguments must be an object";
  if (issue.code === "invalid_type" && issue.input === undefined) return `'${parameter}' is required`;
  return `'${parameter}': ${issue.message}`;
}

/** What was called with, if it is an object. */
export function argumentNames(args: unknown): readonly string[] {
  return typeof args === "object" && args !== null ? Object.keys(args) : [];
}
