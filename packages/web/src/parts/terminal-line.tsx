import { CopyButton } from "./copy-button.tsx";

/** The command that does the same in a terminal. */
export function TerminalLine({
  command,
  what = "the command",
}: {
  readonly command: string;
  readonly what?: string;
}) {
  return (
    <div class="terminal-line">
      <code>
        {command.split(/(?<= )/).map((word, place) => (
          // Flags break between words, never after a hyphen.
          <span key={place} class="word">
            {word}
          </span>
        ))}
      </code>
      <CopyButton text={command} what={what} />
    </div>
  );
}
