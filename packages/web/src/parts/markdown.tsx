import { useEffect, useRef, useState } from "preact/hooks";

/** Rendered Markdown. `onFile` is called for links to the skill's own files. */
export function Markdown({
  text,
  onFile,
}: {
  readonly text: string;
  readonly onFile?: (file: string) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [cut, setCut] = useState(false);

  useEffect(() => {
    let isCurrent = true;
    void import("./render-markdown.ts").then(({ renderMarkdown }) => {
      if (!isCurrent) return;
      const rendered = renderMarkdown(text);
      box.current?.replaceChildren(rendered.content);
      // A link without an href cannot be focused, so these become buttons.
      for (const link of box.current?.querySelectorAll<HTMLElement>("a[data-file]") ?? []) {
        link.setAttribute("role", "button");
        link.tabIndex = 0;
      }
      for (const wide of box.current?.querySelectorAll<HTMLElement>("pre, table") ?? []) wide.tabIndex = 0;
      setCut(rendered.cut);
    });
    return () => {
      isCurrent = false;
    };
  }, [text]);

  const follow = (event: Event): void => {
    const link = event.target instanceof Element ? event.target.closest<HTMLElement>("a[data-file]") : null;
    const file = link?.dataset["file"];
    if (file !== undefined) onFile?.(file);
  };
  return (
    <>
      <div
        class="markdown"
        ref={box}
        onClick={follow}
        onKeyDown={(event) => {
          if (event.key === "Enter") follow(event);
        }}
      />
      {cut ? <p class="muted">The text is truncated here; the “Agent text” tab has all of it.</p> : null}
    </>
  );
}
