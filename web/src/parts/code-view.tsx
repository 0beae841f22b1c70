import { useEffect, useRef } from "preact/hooks";

const LINE_HEIGHT = 18;

/** Plain text with line numbers; marked lines are highlighted, and the first of them is scrolled into view. */
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
  const lines = text.split("\n").length;
  const [first] = marked;
  useEffect(() => {
    if (first !== undefined && box.current !== null)
      box.current.scrollTop = Math.max(0, (first - 4) * LINE_HEIGHT);
  }, [first, text]);

  const numbers = Array.from({ length: lines }, (_, index) => index + 1).join("\n");
  return (
    <div class="code" ref={box} tabIndex={0} role="group" aria-label={label}>
      {marked.map((line) => (
        <div key={line} class="marked-line" style={{ top: `${8 + (line - 1) * LINE_HEIGHT}px` }} />
      ))}
      <pre class="numbers" aria-hidden="true">
        {numbers}
      </pre>
      <pre class="text">{text}</pre>
    </div>
  );
}
