import { useEffect, useRef } from "preact/hooks";

/** Plain text with line numbers; long lines wrap. Marked lines are highlighted; the wanted one or the first is scrolled into view. */
export function CodeView({
  text,
  label,
  marked = [],
  line,
}: {
  readonly text: string;
  readonly label: string;
  readonly marked?: readonly number[];
  readonly line?: number | undefined;
}) {
  const box = useRef<HTMLDivElement>(null);
  const lines = text.split("\n");
  const [first] = marked;
  const wanted = line ?? first;
  useEffect(() => {
    const element = box.current?.querySelectorAll<HTMLElement>(".code-line")[(wanted ?? 0) - 1];
    if (box.current === null || element === undefined) return;
    box.current.scrollTop = Math.max(0, element.offsetTop - 3 * element.offsetHeight);
    if (line !== undefined) box.current.scrollIntoView({ block: "nearest" });
  }, [wanted, text]);

  // A line has its line feed, so that what is copied is the text; its number is in the style sheet, so that it is not copied.
  return (
    <div class="code" ref={box} tabIndex={0} role="group" aria-label={label}>
      <pre style={{ "--digits": `${String(lines.length).length}ch` }}>
        {lines.map((each, index) => (
          <span key={index} class={marked.includes(index + 1) ? "code-line marked-line" : "code-line"}>
            {index < lines.length - 1 ? `${each}\n` : each}
          </span>
        ))}
      </pre>
    </div>
  );
}
