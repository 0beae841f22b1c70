import { agentCalled, agentName, type ClientInfo, clientMeant, nearestAgent, requireAgent } from "#agents";
import {
  type ClientView,
  DEFAULT_TOOLS,
  forProfiles,
  readLikelyUse,
  viewClient,
  withLibraryTools,
} from "#server";
import { readDisabledByClient, type Snapshot, whyWithheld } from "#skills";
import { hasLibrary } from "#sources";
import { ownFolderIn } from "#util";
import { defineCommand, printJson } from "../command.ts";
import { badUsage, type FlagValues, flag } from "../flags.ts";
import { withSkillView } from "../open-view.ts";
import { problemsInForce } from "../plan-despite-problems.ts";
import { sharedFolders } from "../plan-server.ts";
import { renderClientView } from "../render/client-view.ts";
import { countsOf, renderCheckup } from "../render/health.ts";
import { CLIENT_FLAGS } from "../server-flags.ts";
import { disabledProblems } from "../settings-problems.ts";
import { homeFor, JSON_FLAG, VIEW_FLAGS, viewOptions } from "../shared-flags.ts";

/** `skills-mcp doctor`: what was found where, and what is wrong. Exit 1 on errors. With `--client`: what its model sees. */
export const command = defineCommand({
  name: "doctor",
  summary: "diagnose problems; exits with 1 if there are errors",
  order: 220,
  bundle: "commands",
  examples: ["doctor", "doctor --client claude-code"],
  flags: {
    all: flag.switch("show whole lists, not only what fits a screen"),
    client: flag.text(
      "<agent>[@version]",
      "show what this client's model sees of the skills at turn 1; without a version, in the newest that was measured",
    ),
    ...JSON_FLAG,
    ...CLIENT_FLAGS,
    ...VIEW_FLAGS,
  },
  takes: "none",
  runsDespiteFiles: true,
  run({ given, read, named, terminal, log }) {
    const client = given.client === undefined ? undefined : parseClient(given.client);
    if (client === undefined) refuseClientFlags(named);
    const ownFolder = ownFolderIn(homeFor(given["user-dir"]));
    const problems = problemsInForce([...read.problems, ...disabledProblems(ownFolder)], given);
    // Where nothing is served, no profile need be known.
    const isNothing = whyWithheld("skills", problems).length > 0;
    const chosen = isNothing ? { ...given, profile: undefined, projectProfile: undefined } : given;
    return withSkillView(
      chosen,
      log,
      async (services, snapshot, wrongSettings) => {
        if (client !== undefined) {
          const view = viewClientWith(snapshot, client, chosen);
          if (given.json) printJson(terminal, view);
          else terminal.print(renderClientView(view, terminal.style));
          return 0;
        }
        const review = snapshot.reviewed === undefined ? [] : await (await services.review()).list();
        const inForce = await services.checks.inForce();
        const checkup = {
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
    throw badUsage(`--${used}`, `--${used} needs --client, such as --client claude-code@2.1.325.`);
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

/** What a client's model is told by a server on stdio with the same flags. */
function viewClientWith(
  snapshot: Snapshot,
  client: ClientInfo,
  given: FlagValues<typeof CLIENT_FLAGS & typeof VIEW_FLAGS>,
): ClientView {
  const { loader } = DEFAULT_TOOLS;
  const home = homeFor(given["user-dir"]);
  const settings = {
    ...forProfiles(
      {
        tools: hasLibrary(given, process.env) ? withLibraryTools(loader) : loader,
        descriptionBudget: given["description-budget"],
        instructionsBudget: given["instructions-budget"],
      },
      viewOptions(given).profiles ?? [],
    ),
    toolNames: "dotted",
    descriptionFormat: given.description ?? "xml",
    leaveOut: given["include-native"] ? [] : sharedFolders(false, {}, given["user-dir"]),
    disabledByClient: readDisabledByClient(ownFolderIn(home)),
  } as const;
  const likelyUse = readLikelyUse(ownFolderIn(home), process.cwd());
  return viewClient(snapshot, client, settings, () => likelyUse).view;
}
