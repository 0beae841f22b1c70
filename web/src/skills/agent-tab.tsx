import type { SkillDetail } from "../../../src/http/api/wire.ts";
import { CodeView } from "../parts/code-view.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { formatNumber } from "../parts/format.ts";

/** Exactly what an agent gets, character for character. */
export function AgentTab({ detail }: { readonly detail: SkillDetail }) {
  const { agentText = "", agentAnswer, kind } = detail;
  return (
    <>
      <p class="muted line">
        {kind === "library"
          ? "The content that get_skill returns, general rules first."
          : "The text that the skill tool returns."}{" "}
        {formatNumber(agentText.length)} characters, about {formatNumber(Math.ceil(agentText.length / 4))} tokens.
        <CopyButton text={agentText} what="the text" />
        {agentAnswer === undefined ? null : (
          <CopyButton text={agentAnswer} what="full response as JSON" label="Copy full response" />
        )}
      </p>
      <CodeView text={agentText} label="Text for the agent" />
    </>
  );
}
