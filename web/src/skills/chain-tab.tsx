import type { WirePart } from "../../../src/http/api/wire.ts";
import { Markdown } from "../parts/markdown.tsx";
import { libraryKey, skillHash } from "../state/route.ts";

/** The parts of a library skill, in the order an agent receives them, each with its file. */
export function ChainTab({ parts }: { readonly parts: readonly WirePart[] }) {
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
              <code class="path">{file}</code> <a href={skillHash({ name: libraryKey(name) })}>Open</a>
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
