import { startOf, useDashboard } from "../state/context.ts";
import { CopyButton } from "./copy-button.tsx";

/** A command for a terminal. One of `skills-mcp` is shown so that it starts the program of this server. */
export function TerminalLine({
  command,
  what = "the command",
}: {
  readonly command: string;
  readonly what?: string;
}) {
  const { shown } = startOf(useDashboard().session);
  const line = command.replace(/^skills-mcp(?= )/, () => shown);
  return (
    <div class="terminal-line">
      <code>
        {line.split(/(?<= )/).map((word, place) => (
          // Flags break between words, never after a hyphen.
          <span key={place} class="word">
            {word}
          </span>
        ))}
      </code>
      <CopyButton text={line} what={what} />
    </div>
  );
}
