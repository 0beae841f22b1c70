import { createHash } from "node:crypto";
import path from "node:path";
import {
  applyStep,
  type ClientInfo,
  type ConnectTarget,
  changedLines,
  connectTargetsNamed,
  findAgents,
  isAgent,
  ownProgram,
  planStep,
  type ServerConnection,
  type StepFor,
  surroundingsOf,
} from "#agents";
import { homeFolder } from "#util";
import { commandText, Refusal } from "#util/pure";
import type { WireConnectAgent, WireConnectDone, WireConnectPlan } from "../../wire/connect.ts";

type How = WireConnectPlan["how"];
type ConnectStep = StepFor<ConnectTarget>;

/** What `skills-mcp connect` does for the agents of one user, one agent at a time. */
export function createAgentConnections(home: string) {
  const surroundings = surroundingsOf(home === homeFolder() ? undefined : home);
  const own = ownProgram().kept(surroundings.ownFolder);

  const plan = (agent: ConnectTarget, connection: ServerConnection | undefined): Promise<ConnectStep> =>
    planStep(agent, { scope: "user", connection, force: false }, surroundings);

  /** Over HTTP where the agent has a place for an address, so that this server sees it. */
  async function planFor(
    agent: ConnectTarget,
    url: string,
  ): Promise<{ readonly how: How; readonly step: ConnectStep }> {
    if (agent.remote?.(url, {}) !== undefined)
      return { how: "server", step: await plan(agent, { kind: "http", url }) };
    const command = [own.program.node, own.program.script];
    return { how: "own", step: await plan(agent, { kind: "local", command }) };
  }

  async function take(step: ConnectStep, replan?: () => Promise<ConnectStep>): Promise<ConnectStep> {
    const { step: taken } = await applyStep(step, surroundings, replan);
    if (taken.action === "refuse") throw refuse(taken);
    return taken;
  }

  const done = ({ agent }: ConnectStep, command: readonly string[]): WireConnectDone => ({
    next: agent.next,
    command: commandText(command),
  });

  return {
    /** The agents that are installed, and what would be written. `clients` are those that talk to this server now. */
    async list(url: string, clients: readonly ClientInfo[]): Promise<readonly WireConnectAgent[]> {
      const found = await findAgents("user", surroundings);
      const meant = found.filter(({ isInstalled, state }) => isInstalled || state === "connected");
      return Promise.all(
        meant.map(async ({ agent, file = "", state }) => {
          const shownFile = shown(file, home);
          const { id, title } = agent;
          const isHere = clients.some((client) => isAgent(client, id));
          if (state === "connected") return { id, title, file: shownFile, state, isHere };
          const { how, step } = await planFor(agent, url);
          return { id, title, file: shownFile, state, isHere, plan: { how, ...shownStep(step) } };
        }),
      );
    },
    /** Writes exactly what was shown. */
    async connect(id: string, url: string, seen: string): Promise<WireConnectDone> {
      const { how, step } = await planFor(targetOf(id), url);
      if (step.action === "refuse") throw refuse(step);
      if (shownStep(step).seen !== seen)
        throw refuse({ ...step, reason: "It was changed in the meantime: look at it again." });
      if (how === "own") await own.copy?.make();
      return done(await take(step), ["connect", id, ...(how === "server" ? ["--http", url] : [])]);
    },
    /** Leaves the file as it was before. */
    async disconnect(id: string): Promise<WireConnectDone> {
      const replan = () => plan(targetOf(id), undefined);
      return done(await take(await replan(), replan), ["disconnect", id]);
    },
  };
}

function targetOf(id: string): ConnectTarget {
  const [target] = connectTargetsNamed([id]);
  if (target === undefined) throw new Error(`No agent is called ${id}.`);
  return target;
}

function shownStep(step: ConnectStep): Pick<WireConnectPlan, "diff" | "seen" | "reason"> {
  if (step.action === "refuse") return { diff: [], seen: "", reason: step.reason };
  if (step.action === "none") return { diff: [], seen: "none" };
  const seen = createHash("sha256")
    .update(JSON.stringify([step.before, step.after]))
    .digest("hex");
  return { diff: changedLines(step.before, step.after), seen };
}

function refuse({
  file,
  agent,
  reason,
}: Pick<ConnectStep, "file" | "agent"> & { readonly reason: string }): Refusal {
  return new Refusal(`${agent.title}: ${reason}`, { code: "cannot-write", file });
}

function shown(file: string, home: string): string {
  return file.startsWith(home + path.sep) ? `~${file.slice(home.length)}` : file;
}
