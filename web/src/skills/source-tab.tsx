import type { SkillDetail } from "../../../src/http/api/wire.ts";
import { CodeView } from "../parts/code-view.tsx";
import { Empty } from "../parts/notice.tsx";

/** The raw file, with the lines to fix marked. */
export function SourceTab({ detail }: { readonly detail: SkillDetail }) {
  const { source, diagnostics, file } = detail;
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
      <CodeView text={source.text} label={`Source of ${detail.name}`} marked={[...new Set(marked)]} />
      {source.cut ? <p class="muted">The file is truncated here.</p> : null}
    </>
  );
}
