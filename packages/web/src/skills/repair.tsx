import { useState } from "preact/hooks";
import type { SkillDetail, SkillFixAnswer, SkillTextAnswer } from "#server/wire";
import { messageOf } from "../api/client.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { DiffView } from "../parts/diff-view.tsx";
import { TerminalLine } from "../parts/terminal-line.tsx";
import { mayChange, useDashboard } from "../state/context.ts";
import { useSave } from "./use-save.ts";
import { type ToWrite, whatToWrite, withWritten } from "./what-to-write.ts";

/** The way out of what is wrong with a file: a correction, or what is missing in it. */
export function Repair({ detail }: { readonly detail: SkillDetail }) {
  const { fix } = detail;
  const toWrite = whatToWrite(detail);
  if (fix !== undefined) return <Correction name={detail.name} fix={fix} />;
  return toWrite === undefined ? null : <Missing detail={detail} toWrite={toWrite} />;
}

function Missing({ detail, toWrite }: { readonly detail: SkillDetail; readonly toWrite: ToWrite }) {
  const { client, session, navigation } = useDashboard();
  const { isBusy, save } = useSave(detail);
  const { line, text, where, isTemplate } = toWrite;
  const mayEdit = mayChange(session) && detail.isOwn === true;
  const insert = (): Promise<void> =>
    save(`Completed ${detail.name}.`, async () => {
      // The page shows hidden characters as escapes; the file has to keep them.
      const { text: before } = await client.get<SkillTextAnswer>("skill/text", { file: detail.file });
      return { before, after: withWritten(before, toWrite) };
    });
  return (
    <section class="repair" aria-label="What to write">
      <h3>{where}, write:</h3>
      <div class="to-write">
        <pre tabIndex={0}>{text}</pre>
        <CopyButton text={text} what="what to write" />
      </div>
      {mayEdit ? (
        <div class="line">
          {isTemplate || line === undefined ? null : (
            <button type="button" class="primary" disabled={isBusy} onClick={() => void insert()}>
              Insert this
            </button>
          )}
          <button
            type="button"
            onClick={() => navigation.change({ tab: "source", edit: isTemplate ? "insert" : "1" })}
          >
            Edit
          </button>
        </div>
      ) : (
        <p class="muted">Save the file, and this page shows the result by itself.</p>
      )}
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
      const { file, command } = fix;
      await client.post("skills/fix", { files: [file] });
      notify(`Corrected ${name}.`, {
        command,
        undo: async () => {
          await client.post("skills/fix/undo", { files: [file] });
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
