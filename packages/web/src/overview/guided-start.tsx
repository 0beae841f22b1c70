import type { ComponentChildren } from "preact";
import type { OverviewAnswer } from "#server/wire";
import { Icon } from "../icons/icon.tsx";
import { Panel } from "../parts/panel.tsx";
import { TerminalLine } from "../parts/terminal-line.tsx";
import { mayChange, useDashboard } from "../state/context.ts";
import { routeHash } from "../state/route.ts";
import { hasOnlyExamples, isConnected } from "./next-steps.ts";

/** On a new machine: connect, get skills, write one. Each step turns green by itself. */
export function GuidedStart({ overview }: { readonly overview: OverviewAnswer }) {
  const { connect, newSkill, session } = useDashboard();
  const areExamples = hasOnlyExamples(overview);
  const hasSkills = !areExamples && overview.skills + overview.librarySkills > 0;
  const [agent] = overview.agents;
  const url = new URL("mcp", document.baseURI.replace(/#.*$/, "")).href;
  return (
    <Panel title="Get started" icon="overview">
      <ol class="start-steps">
        <Step number={1} title="Connect an agent" isDone={isConnected(overview)}>
          {agent === undefined ? (
            <>
              <button type="button" class="primary" onClick={connect}>
                <Icon name="plug" size={14} />
                Choose an agent
              </button>
              <p class="muted">
                Or in a terminal, for every agent on this machine. This step turns green when one connects.
              </p>
              <TerminalLine command={`skills-mcp connect --http ${url}`} what="the line for every agent" />
            </>
          ) : (
            <p>{agent.title ?? agent.client} is connected.</p>
          )}
        </Step>
        <Step number={2} title="Get skills" isDone={hasSkills}>
          <p class="muted">
            {areExamples
              ? "Only the bundled examples are served, so that you have something to try. They go away when you restart the server with skills of your own. "
              : hasSkills
                ? "Get more from any repository. "
                : "A skill is a folder with instructions that an agent loads when a task needs them. "}
            {mayChange(session) ? (
              <a href={routeHash("sources", { part: "add" })}>Install from a repository here</a>
            ) : (
              "Install from a repository"
            )}
            , or in a terminal:
          </p>
          <TerminalLine command="skills-mcp add anthropics/skills pdf" />
        </Step>
        <Step number={3} title="Write one" isDone={false}>
          <p class="muted">
            What do you explain to your agents again and again?{" "}
            {mayChange(session) ? "Start it here, or in a terminal:" : "Start it in a terminal:"}
          </p>
          {mayChange(session) ? (
            <button type="button" onClick={newSkill}>
              <Icon name="plus" size={14} />
              New skill
            </button>
          ) : null}
          <TerminalLine command="skills-mcp new hello" />
        </Step>
      </ol>
    </Panel>
  );
}

function Step({
  number,
  title,
  isDone,
  children,
}: {
  readonly number: number;
  readonly title: string;
  readonly isDone: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <li class={isDone ? "done" : ""}>
      <span class="number" aria-hidden="true">
        {isDone ? <Icon name="check" size={14} /> : number}
      </span>
      <div>
        <h3>
          {title}
          {isDone ? <span class="visually-hidden"> (done)</span> : null}
        </h3>
        {children}
      </div>
    </li>
  );
}
