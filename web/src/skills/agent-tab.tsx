import type { SkillDetail } from "../../../src/http/api/wire.ts";
import { CodeView } from "../parts/code-view.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { number } from "../parts/format.ts";

/** Exactly what an agent gets, character for character. */
export function AgentTab({ detail }: { readonly detail: SkillDetail }) {
  const { agentText = "", agentAnswer, kind } = detail;
  return (
    <>
      <p class="muted line">
        {kind === "library"
          ? "The content that get_skill answers with, the general rules first."
          : "What the skill tool answers with."}{" "}
        {number(agentText.length)} characters, about {number(Math.ceil(agentText.length / 4))} tokens.
        <CopyButton text={agentText} what="the text" />
        {agentAnswer === undefined ? null : (
          <CopyButton text={agentAnswer} what="whole answer as JSON" label="Copy whole answer" />
        )}
      </p>
      <CodeView text={agentText} label="Text for the agent" />
    </>
  );
}
