import { useEffect, useRef } from "preact/hooks";

/** Plain text with line numbers; long lines wrap. Marked lines are highlighted, and the first of them is scrolled into view. */
export function CodeView({
  text,
  label,
  marked = [],
}: {
  readonly text: string;
  readonly label: string;
  readonly marked?: readonly number[];
}) {
  const box = useRef<HTMLDivElement>(null);
  const lines = text.split("\n");
  const [first] = marked;
  useEffect(() => {
    const line = box.current?.querySelector<HTMLElement>(".marked-line");
    if (box.current !== null && line != null)
      box.current.scrollTop = Math.max(0, line.offsetTop - 3 * line.offsetHeight);
  }, [first, text]);

  // A line has its line feed, so that what is copied is the text; its number is in the style sheet, so that it is not copied.
  return (
    <div class="code" ref={box} tabIndex={0} role="group" aria-label={label}>
      <pre style={{ "--digits": `${String(lines.length).length}ch` }}>
        {lines.map((line, index) => (
          <span key={index} class={marked.includes(index + 1) ? "code-line marked-line" : "code-line"}>
            {index < lines.length - 1 ? `${line}\n` : line}
          </span>
        ))}
      </pre>
    </div>
  );
}
