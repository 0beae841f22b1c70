import path from "node:path";
import { hasFileSettings } from "../app/config/file-settings.ts";
import { readEnvironment } from "../app/config/read-environment.ts";
import { hasLibrary } from "../app/library/open-sources.ts";
import { hasPolicy } from "../app/trust/rules/has-policy.ts";
import { readLikelyUse } from "../app/usage/likely-use.ts";
import { parseFlags } from "../cli/flags.ts";
import { planServer, type ServerPlan, STDIO_COMMANDS } from "../cli/plan-server.ts";
import { SERVER_FLAGS } from "../cli/server-flags.ts";
import { cachedAnswersFor, type FirstAnswers } from "../cli/stdio/cached-answers.ts";
import { openStdioSession } from "../cli/stdio/stdio-session.ts";
import { COMMON_FLAGS } from "../cli/terminal-log.ts";
import type { ClientInfo } from "../mcp/clients/known-clients.ts";
import { capabilitiesOf, instructionsNameSkills } from "../mcp/server/capabilities.ts";
import { homeFolder } from "../system/files/home-folder.ts";

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
