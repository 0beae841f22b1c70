import { useState } from "preact/hooks";
import type { SkillDetail, SkillFixAnswer } from "#server/wire";
import { messageOf } from "../api/client.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { TerminalLine } from "../parts/terminal-line.tsx";
import { DiffView } from "../review/diff-view.tsx";
import { mayChange, useDashboard } from "../state/context.ts";
import { whatToWrite } from "./what-to-write.ts";

/** The way out of what is wrong with a file: a correction, or what a person has to write. */
export function Repair({ detail }: { readonly detail: SkillDetail }) {
  const { fix } = detail;
  const toWrite = whatToWrite(detail);
  if (fix !== undefined) return <Correction name={detail.name} fix={fix} />;
  if (toWrite === undefined) return null;
  return (
    <section class="repair" aria-label="What to write">
      <h3>{toWrite.where}, write:</h3>
      <div class="to-write">
        <pre tabIndex={0}>{toWrite.text}</pre>
        <CopyButton text={toWrite.text} what="what to write" />
      </div>
      <p class="muted">Save the file, and this page shows the result by itself.</p>
    </section>
  );
}

/** What `validate --fix` does, with a way back. */
function Correction({ name, fix }: { readonly name: string; readonly fix: SkillFixAnswer }) {
  const { client, session, notify, reload } = useDashboard();
  const [isBusy, setBusy] = useState(false);
  const correct = async (): Promise<void> => {
    setBusy(true);
    try {
      const { file, command } = await client.post<SkillFixAnswer>("skills/fix", { file: fix.file });
      notify(`Corrected ${name}.`, {
        command,
        undo: async () => {
          await client.post("skills/fix/undo", { file });
          reload();
        },
      });
      reload();
    } catch (error) {
      notify(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section class="repair" aria-label="Correction">
      <h3>This can be corrected automatically:</h3>
      <DiffView diff={withoutHeader(fix.diff)} label={`Correction of ${name}`} />
      {mayChange(session) ? (
        <button type="button" class="primary" disabled={isBusy} onClick={() => void correct()}>
          Correct the file
        </button>
      ) : null}
      <TerminalLine command={fix.command} />
    </section>
  );
}

/** The file is named above. */
function withoutHeader(diff: string): string {
  return diff.replace(/^---.*\n\+\+\+.*\n/, "").trimEnd();
}
