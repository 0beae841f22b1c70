import type { SkillDetail } from "../../../src/http/api/wire.ts";
import { Markdown } from "../parts/markdown.tsx";
import { Empty } from "../parts/notice.tsx";

/** The text as people read it. */
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
      <Empty title="No text">
        <p>This skill has a name and a description, but says nothing below them.</p>
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
