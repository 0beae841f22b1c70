import type { ServerPlan } from "#server";
import {
  cachedAnswersFor,
  type FirstAnswersTo,
  instructionsNameSkills,
  openStdioSession,
  readLikelyUse,
  readsMoreThanFlags,
  type StdioSession,
} from "#server";
import { parseFlags } from "../flags.ts";
import { planServer, STDIO_COMMANDS } from "../plan-server.ts";
import { SERVER_FLAGS } from "../server-flags.ts";
import { COMMON_FLAGS } from "../terminal-log.ts";

export { findCommand } from "../find-command.ts";

/** A server on stdio that has begun before its bundle is loaded, which goes on with this plan and this session. */
export interface EarlyStart {
  readonly plan: ServerPlan;
  readonly session: StdioSession;
}

/**
 * Answers `initialize` before the server is loaded, if it has arrived and the server is sure to start. Instructions that
 * name the skills, and the first list of tools, come from the last run, if nothing in them has changed. Undefined where
 * only the whole server can tell whether it starts.
 */
export async function answerEarly(
  command: string | undefined,
  args: readonly string[],
): Promise<EarlyStart | undefined> {
  const plan = planStdio(command, args);
  if (plan === undefined || readsMoreThanFlags(plan)) return undefined;
  // A client that disconnects now is noticed later, as the end of stdin.
  process.stdout.on("error", () => {});
  const session = openStdioSession(process);
  const namesSkills = instructionsNameSkills(plan.settings);
  await session.answerFirstRequests(plan.settings, namesSkills ? answersOfLastRun(plan) : undefined);
  return { plan, session };
}

function answersOfLastRun(plan: ServerPlan): FirstAnswersTo {
  let answers: Awaited<ReturnType<FirstAnswersTo>>;
  return (client) => {
    answers ??= cachedAnswersFor(plan, client, readLikelyUse(plan.ownFolder, process.cwd()))?.read();
    return answers && Promise.resolve(answers);
  };
}

/** Undefined for another transport, and for arguments that the server will refuse. */
function planStdio(command: string | undefined, args: readonly string[]): ServerPlan | undefined {
  if (command !== undefined && command !== "mcp" && command !== "mcp-server") return undefined;
  try {
    process.cwd();
    const { flags, positionals } = parseFlags(args, { ...SERVER_FLAGS, ...COMMON_FLAGS });
    if (positionals.length > 0 || (flags.transport ?? "stdio") !== "stdio") return undefined;
    return planServer(flags, STDIO_COMMANDS[command ?? "mcp"](flags), {});
  } catch {
    return undefined;
  }
}
