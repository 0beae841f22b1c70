import { useEffect, useRef, useState } from "preact/hooks";
import type { SkillDetail, SkillTextAnswer } from "#server/wire";
import { count } from "../parts/format.ts";
import { Message } from "../parts/message.tsx";
import { ResourceView } from "../parts/notice.tsx";
import { useDashboard } from "../state/context.ts";
import { useResource } from "../state/use-resource.ts";
import { useSave } from "./use-save.ts";
import { whatToWrite, withWritten } from "./what-to-write.ts";

/** The file of a skill as text, with what is wrong in it while somebody types. */
export function Editor({ detail }: { readonly detail: SkillDetail }) {
  const { client } = useDashboard();
  const { file } = detail;
  // Read once: what somebody else writes meanwhile is found when it is saved.
  const text = useResource(`text ${file}`, 0, (signal) =>
    client.get<SkillTextAnswer>("skill/text", { file }, signal),
  );
  return (
    <ResourceView resource={text} what="the file">
      {(value) => <Form key={file} detail={detail} before={value} />}
    </ResourceView>
  );
}

const CHECK_AFTER_MS = 250;

function Form({ detail, before }: { readonly detail: SkillDetail; readonly before: SkillTextAnswer }) {
  const { client, navigation } = useDashboard();
  const { file, name } = detail;
  const { isBusy, save } = useSave(detail);
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() => {
    const missing = navigation.route.params.get("edit") === "insert" ? whatToWrite(detail) : undefined;
    return toLf(missing === undefined ? before.text : withWritten(before.text, missing));
  });
  const [checked, setChecked] = useState<SkillTextAnswer>(before);
  const isChanged = text !== toLf(before.text);
  useEffect(() => {
    area.current?.focus();
    goToLine(area.current, Number(navigation.route.params.get("line")) || 1);
  }, []);
  useEffect(() => {
    let isOld = false;
    const timer = setTimeout(() => {
      client.post<SkillTextAnswer>("skills/check", { file, text }).then(
        (answer) => {
          if (!isOld) setChecked(answer);
        },
        () => undefined,
      );
    }, CHECK_AFTER_MS);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [text]);

  const write = (): Promise<void> =>
    save(`Saved ${name}.`, async () => ({
      before: before.text,
      // A text field knows one line end; the file keeps its own.
      after: before.text.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text,
    }));
  const leave = (): void => navigation.change({ edit: undefined }, { replace: true });
  const errors = checked.findings.filter(({ severity }) => severity === "error");
  return (
    <form
      class="editor"
      onSubmit={(event) => {
        event.preventDefault();
        void write();
      }}
    >
      <textarea
        ref={area}
        aria-label={`Text of ${name}`}
        aria-describedby="editor-findings"
        spellcheck={false}
        autocomplete="off"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") {
            event.preventDefault();
            void write();
          } else if (event.key === "Escape") {
            // It would close the skill, and what was typed would be lost.
            event.stopPropagation();
            if (!isChanged) leave();
          }
        }}
      />
      <div id="editor-findings" role="status">
        <p class={errors.length > 0 ? "problem" : "muted"}>
          {checked.text !== text
            ? "Checking …"
            : checked.findings.length === 0
              ? "No findings."
              : errors.length > 0
                ? `${count(errors.length, "error")}.`
                : `${count(checked.findings.length, "piece")} of advice.`}
        </p>
        <ul class="plain">
          {checked.findings.map(({ code, line, message, severity }) => (
            <li key={`${code} ${line ?? ""} ${message}`}>
              <span class={`badge ${severity === "error" ? "bad" : ""}`}>{severity}</span>{" "}
              {line === undefined ? null : (
                <>
                  <button type="button" class="link" onClick={() => goToLine(area.current, line)}>
                    Line {line}
                  </button>{" "}
                </>
              )}
              <Message text={message} />
            </li>
          ))}
        </ul>
      </div>
      <div class="line">
        <button
          type="submit"
          class="primary"
          aria-keyshortcuts="Control+S Meta+S"
          disabled={!isChanged || isBusy}
        >
          Save
        </button>
        <button type="button" onClick={leave}>
          {isChanged ? "Discard" : "Close the editor"}
        </button>
      </div>
    </form>
  );
}

function toLf(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function goToLine(area: HTMLTextAreaElement | null, line: number): void {
  if (area === null) return;
  const start = area.value
    .split("\n")
    .slice(0, line - 1)
    .reduce((sum, each) => sum + each.length + 1, 0);
  const end = area.value.indexOf("\n", start);
  area.focus();
  area.setSelectionRange(start, line === 1 ? start : end === -1 ? area.value.length : end);
}
