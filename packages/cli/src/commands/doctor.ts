import { agentCalled, agentName, type ClientInfo, clientMeant, nearestAgent, requireAgent } from "#agents";
import { readMachinePolicy } from "#config";
import { whySeen } from "#server";
import { whyWithheld } from "#skills";
import { ownFolderIn } from "#util";
import { clientLists, clientsHere } from "../client-lists.ts";
import { defineCommand, printJson } from "../command.ts";
import { badUsage, flag } from "../flags.ts";
import { withSkillView } from "../open-view.ts";
import { problemsInForce } from "../plan-despite-problems.ts";
import { renderClientView } from "../render/client-view.ts";
import { countsOf, renderCheckup } from "../render/health.ts";
import { renderWhySeen } from "../render/seen-by.ts";
import { CLIENT_FLAGS } from "../server-flags.ts";
import { disabledProblems } from "../settings-problems.ts";
import { homeFor, JSON_FLAG, VIEW_FLAGS } from "../shared-flags.ts";

/** `skills-mcp doctor`: what was found where, and what is wrong. Exit 1 on errors. With `--client`: what its model sees. */
export const command = defineCommand({
  name: "doctor",
  summary: "diagnose problems; exits with 1 if there are errors",
  order: 220,
  bundle: "commands",
  examples: ["doctor", "doctor --client claude-code", "doctor --why pdf --client codex"],
  flags: {
    all: flag.switch("show whole lists, not only what fits a screen"),
    client: flag.text(
      "<agent>[@version]",
      "show what this client's model sees of the skills at turn 1; without a version, in the newest that was measured",
    ),
    why: flag.text(
      "<skill>",
      "say why the agents of this machine, or the one of --client, see a skill or not",
    ),
    ...JSON_FLAG,
    ...CLIENT_FLAGS,
    ...VIEW_FLAGS,
  },
  takes: "none",
  runsDespiteFiles: true,
  run({ given, read, named, terminal, log }) {
    const client = given.client === undefined ? undefined : parseClient(given.client);
    if (client === undefined && given.why === undefined) refuseClientFlags(named);
    const ownFolder = ownFolderIn(homeFor(given["user-dir"]));
    const problems = problemsInForce([...read.problems, ...disabledProblems(ownFolder)], given);
    // Where nothing is served, no profile need be known.
    const isNothing = whyWithheld("skills", problems).length > 0;
    const chosen = isNothing ? { ...given, profile: undefined, projectProfile: undefined } : given;
    return withSkillView(
      chosen,
      log,
      async (services, snapshot, wrongSettings) => {
        if (given.why !== undefined) {
          const toldTo = clientLists(chosen);
          const clients = client === undefined ? await clientsHere(given) : [client];
          const told = clients.map((one) => toldTo(snapshot, one));
          const seen = whySeen(snapshot, { name: given.why }, told);
          if (given.json) printJson(terminal, seen);
          else terminal.print(renderWhySeen(seen, terminal));
          return 0;
        }
        if (client !== undefined) {
          const { view } = clientLists(chosen)(snapshot, client);
          if (given.json) printJson(terminal, view);
          else terminal.print(renderClientView(view, terminal.style));
          return 0;
        }
        const review = snapshot.reviewed === undefined ? [] : await (await services.review()).list();
        const inForce = await services.checks.inForce();
        const { policy } = await readMachinePolicy();
        const checkup = {
          ...(policy === undefined ? {} : { policy: { file: policy.file, limits: policy.limits } }),
          ...(await services.checks.health()),
          ...(inForce === undefined ? {} : { inForce }),
          wrongSettings,
          review,
          findings: await services.checks.findings(),
        };
        const counts = countsOf(checkup);
        if (given.json) printJson(terminal, { ...checkup, counts });
        else {
          const home = homeFor(given["user-dir"]);
          terminal.print(renderCheckup(checkup, { ...terminal, home }, { all: given.all }));
        }
        return counts.error === 0 ? 0 : 1;
      },
      { asServed: true, problems },
    );
  },
});

/** Refuses flags that only count with `--client`, if that is missing. */
function refuseClientFlags(named: ReadonlySet<string>): void {
  const used = Object.keys(CLIENT_FLAGS).find((name) => named.has(name));
  if (used !== undefined)
    throw badUsage(`--${used}`, `--${used} needs --client or --why, such as --client claude-code@2.1.325.`);
}

/** Reads `name` or `name@version`. A name may begin with `@`. One that is like no agent's is that of an unknown client. */
function parseClient(text: string): ClientInfo {
  const at = text.indexOf("@", 1);
  const name = (at < 0 ? text : text.slice(0, at)).trim();
  const version = at < 0 ? "" : text.slice(at + 1).trim();
  if (name === "" || (at >= 0 && version === ""))
    throw badUsage(
      "--client",
      `--client takes a name or name@version, such as claude-code@2.1.325, not '${text}'.`,
    );
  const agent = agentCalled(name) ?? (nearestAgent(name) && requireAgent(name));
  return clientMeant(agent === undefined ? name : agentName(agent.id), version === "" ? undefined : version);
}
