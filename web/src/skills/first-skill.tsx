import { CopyButton } from "../parts/copy-button.tsx";
import { Empty } from "../parts/notice.tsx";
import { routeHash } from "../state/route.ts";

const MAKE = `npx -y skills-mcp add anthropics/skills pdf
npx -y skills-mcp new hello`;

/** The empty state: how to create the first skill. */
export function FirstSkill() {
  return (
    <div class="first-skill">
      <h1 class="visually-hidden">Skills</h1>
      <Empty title="No skills yet">
        <p>
          A skill is a folder with a <code>SKILL.md</code> file: instructions that an agent loads when a task
          needs them. Install one, or write your own, in the folder where you started this server:
        </p>
        <div class="snippet">
          <pre tabIndex={0}>{MAKE}</pre>
          <CopyButton text={MAKE} what="the commands" />
        </div>
        <p>It appears here automatically.</p>
        <p>
          Already have skills? <a href={routeHash("health")}>Health</a> shows which folders are searched;{" "}
          <code>--skill-dir</code> adds one.
        </p>
      </Empty>
    </div>
  );
}
