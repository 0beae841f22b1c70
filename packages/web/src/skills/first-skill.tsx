import { Empty } from "../parts/notice.tsx";
import { TerminalLine } from "../parts/terminal-line.tsx";
import { mayChange, useDashboard } from "../state/context.ts";
import { routeHash } from "../state/route.ts";

/** The empty state: how to create the first skill. */
export function FirstSkill() {
  const { newSkill, session } = useDashboard();
  return (
    <div class="first-skill">
      <h1 class="visually-hidden">Skills</h1>
      <Empty title="No skills yet" icon="skills">
        <p>
          A skill is a folder with a <code>SKILL.md</code> file: instructions that an agent loads when a task
          needs them. Install one or write your own
          {mayChange(session)
            ? " here, or in the folder where you started this server:"
            : ", in the folder where you started this server:"}
        </p>
        {mayChange(session) ? (
          <p class="line">
            <a class="button" href={routeHash("sources", { part: "add" })}>
              Install skills
            </a>
            <button type="button" onClick={newSkill}>
              New skill
            </button>
          </p>
        ) : null}
        <TerminalLine command="skills-mcp add anthropics/skills pdf" />
        <TerminalLine command="skills-mcp new hello" />
        <p>It appears here automatically.</p>
        <p>
          Already have skills? <a href={routeHash("sources")}>Sources</a> shows which folders are searched;{" "}
          <code>--skill-dir</code> adds one.
        </p>
      </Empty>
    </div>
  );
}
