import path from "node:path";
import type { ClientInfo } from "#agents";
import { hasFileSettings, readEnvironment } from "#config";
import { capabilitiesOf, instructionsNameSkills } from "#server";
import { hasLibrary } from "#sources";
import { hasPolicy } from "#trust";
import { readLikelyUse } from "#usage";
import { homeFolder } from "#util";
import { parseFlags } from "../flags.ts";
import { planServer, type ServerPlan, STDIO_COMMANDS } from "../plan-server.ts";
import { SERVER_FLAGS } from "../server-flags.ts";
import { cachedAnswersFor, type FirstAnswers } from "../stdio/cached-answers.ts";
import { openStdioSession } from "../stdio/stdio-session.ts";
import { COMMON_FLAGS } from "../terminal-log.ts";

/**
 * Answers `initialize` before the server is loaded, if it has arrived and the server is sure to start. Instructions that
 * name the skills, and the first list of tools, come from the last run, if nothing in them has changed. The server takes
 * over the session and does whatever is not done here.
 */
export async function answerEarly(command: string | undefined, args: readonly string[]): Promise<void> {
  const plan = planStdio(command, args);
  if (plan === undefined || mayRefuseToStart(plan)) return;
  // A client that disconnects now is noticed later, as the end of stdin.
  process.stdout.on("error", () => {});
  const session = openStdioSession(process);
  const capabilities = capabilitiesOf(plan.settings);
  if (!instructionsNameSkills(plan.settings)) {
    await session.answerInitialize(capabilities);
    return;
  }
  const answers = answersOfLastRun(plan);
  await session.answerInitialize(capabilities, answers);
  await session.answerFirstList(answers);
}

function answersOfLastRun(plan: ServerPlan): (client: ClientInfo) => Promise<FirstAnswers> | undefined {
  let answers: FirstAnswers | undefined;
  return (client) => {
    const folder = path.join(path.resolve(plan.app.userDir ?? homeFolder()), ".skills-mcp");
    answers ??= cachedAnswersFor(plan, client, readLikelyUse(folder, process.cwd()))?.read();
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

/** A server with wrong settings refuses to start, and only the server can read a settings file. */
function mayRefuseToStart({ app: { library, userDir } }: ServerPlan): boolean {
  const home = path.resolve(userDir ?? homeFolder());
  return (
    hasLibrary({ library }, process.env) ||
    hasPolicy(path.join(home, ".skills-mcp")) ||
    readEnvironment(process.env).problems.length > 0 ||
    hasFileSettings({ cwd: process.cwd(), home })
  );
}
