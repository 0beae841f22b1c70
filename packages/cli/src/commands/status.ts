import { setTimeout as pause } from "node:timers/promises";
import { findAgents, ownProgram, surroundingsOf } from "#agents";
import { allFindings, countFindings } from "#server";
import { VERSION } from "#util";
import { defineCommand, printJson } from "../command.ts";
import { nothingLeft } from "../nothing-left.ts";
import { withSkillView } from "../open-view.ts";
import { renderStatus, type StatusReport, sourcesOf } from "../render/status.ts";
import { JSON_FLAG, userFolder, VIEW_FLAGS } from "../shared-flags.ts";

/** Rules and audit read every file. Where they take longer than this, `status` leaves them to `doctor`. */
const CHECK_MS = 1_000;

/** `skills-mcp status`, and `skills-mcp` alone on a terminal: what there is, what is wrong, what to do next. */
export const command = defineCommand({
  name: "status",
  summary: "show what is served, what is wrong and what to do next",
  order: 40,
  bundle: "manage",
  examples: ["status"],
  flags: { ...JSON_FLAG, ...VIEW_FLAGS },
  takes: "none",
  run({ given, terminal, log }) {
    const surroundings = surroundingsOf(
      given["user-dir"] === undefined ? undefined : userFolder(given["user-dir"]),
    );
    return withSkillView(
      given,
      log,
      async (services, _snapshot, wrongSettings) => {
        const [health, found] = await Promise.all([
          services.checks.health(),
          findAgents("user", surroundings),
        ]);
        const { skills, librarySkills, roots, git } = health;
        const files = await withinMs(services.checks.findings(), CHECK_MS);
        const leftNothing = await nothingLeft(services);
        const counts = countFindings(allFindings({ health, files, wrongSettings }));
        const isConnected = (client: (typeof found)[number]) => client.state === "connected";
        const name = ({ agent: { id, title } }: (typeof found)[number]) => ({ id, name: title });
        const status: StatusReport = {
          version: VERSION,
          skills: skills + librarySkills,
          ...(leftNothing === undefined ? {} : { nothingLeft: leftNothing }),
          sources: sourcesOf(roots, surroundings.home),
          repositories: git.map(({ name: repo, failure }) => ({
            name: repo,
            isFailing: failure !== undefined,
          })),
          errors: counts.error,
          warnings: counts.warning,
          ...(files === undefined ? { isPartial: true } : {}),
          clients: {
            connected: found.filter(isConnected).map(name),
            others: found
              .filter((client) => client.isInstalled && client.file !== undefined && !isConnected(client))
              .map(name),
          },
        };
        if (given.json) printJson(terminal, status);
        else terminal.print(renderStatus(status, terminal, ownProgram().shown));
        return 0;
      },
      { asServed: true },
    );
  },
});

/** The result of a promise; undefined when it takes longer than `ms`. */
function withinMs<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  return Promise.race([work, pause(ms, undefined, { ref: false })]);
}
