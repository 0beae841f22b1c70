import type { SkillDetail } from "#server/wire";
import { Icon } from "../icons/icon.tsx";
import { CodeView } from "../parts/code-view.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { formatNumber } from "../parts/format.ts";
import { Markdown } from "../parts/markdown.tsx";
import { Empty } from "../parts/notice.tsx";
import { Path } from "../parts/path.tsx";
import { mayChange, useDashboard } from "../state/context.ts";
import { libraryKey, skillHash } from "../state/route.ts";
import { Editor } from "./editor.tsx";
import { OpenInEditor } from "./open-in-editor.tsx";

export function ReadTab({
  detail,
  onFile,
}: {
  readonly detail: SkillDetail;
  readonly onFile: (path: string) => void;
}) {
  const { body = "", files } = detail;
  const known = new Set(files.map(({ path }) => path));
  if (body.trim() === "") {
    return (
      <Empty title="No instructions">
        <p>This skill has a name and a description, but no text below them.</p>
      </Empty>
    );
  }
  return (
    <Markdown
      text={body}
      onFile={(path) => {
        if (known.has(path)) onFile(path);
      }}
    />
  );
}

/** Exactly what an agent gets, character for character. */
export function AgentTab({ detail }: { readonly detail: SkillDetail }) {
  const { agentText = "", agentAnswer, kind } = detail;
  return (
    <>
      <p class="muted line">
        {kind === "library"
          ? "The content that get_skill returns, general rules first."
          : "The text that the skill tool returns."}{" "}
        {formatNumber(agentText.length)} characters, about {formatNumber(Math.ceil(agentText.length / 4))}{" "}
        tokens.
        <CopyButton text={agentText} what="the text" />
        {agentAnswer === undefined ? null : (
          <CopyButton text={agentAnswer} what="full response as JSON" label="Copy full response" />
        )}
      </p>
      <CodeView text={agentText} label="Text for the agent" />
    </>
  );
}

/** The raw file, with the lines to fix marked. */
export function SourceTab({
  detail,
  line,
}: {
  readonly detail: SkillDetail;
  /** The line that somebody asked for. */
  readonly line: number | undefined;
}) {
  const { session, navigation } = useDashboard();
  const { source, diagnostics, file } = detail;
  const mayEdit = mayChange(session) && detail.isOwn === true;
  if (mayEdit && navigation.route.params.has("edit")) return <Editor detail={detail} />;
  if (source === undefined) {
    return (
      <Empty title="The file cannot be shown">
        <p>It was removed, is not a regular file, or the server has no permission to read it.</p>
      </Empty>
    );
  }
  const marked = diagnostics.flatMap((each) =>
    each.file === file && each.line !== undefined ? [each.line] : [],
  );
  return (
    <>
      <div class="line">
        {mayEdit ? (
          <button type="button" class="small" onClick={() => navigation.change({ edit: "1" })}>
            <Icon name="edit" size={14} />
            Edit
          </button>
        ) : null}
        <OpenInEditor file={file} line={line ?? marked[0]} />
      </div>
      <CodeView
        text={source.text}
        label={`Source of ${detail.name}`}
        marked={[...new Set(marked)]}
        line={line}
      />
      {source.cut ? <p class="muted">The file is truncated here.</p> : null}
    </>
  );
}

/** The parts of a library skill, in the order an agent receives them, each with its file. */
export function ChainTab({ parts }: Pick<SkillDetail, "parts">) {
  return (
    <ol class="chain">
      {parts.map(({ name, file, text }, level) => (
        <li key={name}>
          <details open={level === parts.length - 1}>
            <summary>
              <strong>{name}</strong>
              <span class="muted">{level === parts.length - 1 ? "the skill itself" : "inherited"}</span>
            </summary>
            <p class="muted">
              <Path path={file} /> <a href={skillHash({ name: libraryKey(name) })}>Open</a>
            </p>
            {text === undefined ? (
              <p class="problem">The file no longer exists.</p>
            ) : (
              <Markdown text={text} />
            )}
          </details>
        </li>
      ))}
    </ol>
  );
}
