import type { SkillDetail } from "../../../src/http/api/wire.ts";
import { Markdown } from "../parts/markdown.tsx";
import { Empty } from "../parts/notice.tsx";

/** The rendered text. */
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
