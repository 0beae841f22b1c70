/** More lines make a page slow that nobody reads to its end. */
const MOST_LINES = 5_000;

const KINDS: Readonly<Record<string, string>> = { "+": "added", "-": "removed", "@": "place" };

/** A unified diff, line by line. */
export function DiffView({ diff, label }: { readonly diff: string; readonly label: string }) {
  const lines = diff.split("\n");
  const shown = lines.slice(0, MOST_LINES);
  const more = lines.length - shown.length;
  return (
    <div class="code diff" tabIndex={0} role="group" aria-label={label}>
      <pre>
        {shown.map((line, index) => (
          <span key={index} class={isHeader(lines, index) ? "place" : (KINDS[line[0] ?? ""] ?? "")}>
            {`${visible(line)}\n`}
          </span>
        ))}
        {more > 0 ? `… and ${more} more lines; skills-mcp approve --diff shows all of them.` : ""}
      </pre>
    </div>
  );
}

/** Whether a line names a file. Only a header is followed by a place without a blank before it, so no content passes for one. */
function isHeader(lines: readonly string[], index: number): boolean {
  const first = lines[index]?.startsWith("--- ") === true ? index : index - 1;
  return (
    lines[first]?.startsWith("--- ") === true &&
    lines[first + 1]?.startsWith("+++ ") === true &&
    lines[first + 2]?.startsWith("@@") === true
  );
}

/** Characters that nobody sees, or that change the order of others, are shown by their numbers. */
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e0fff}]/gu;

function visible(line: string): string {
  return line.replaceAll(UNSEEN, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}
