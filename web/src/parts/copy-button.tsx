import { useDashboard } from "../state/context.ts";

/** Puts a text into the clipboard, and says so. */
export function CopyButton({
  text,
  what,
  label = "Copy",
}: {
  readonly text: string;
  /** What is copied, for those who cannot see what the button stands beside. */
  readonly what: string;
  readonly label?: string;
}) {
  const { say } = useDashboard();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      say(`Copied ${what}.`);
    } catch {
      say("The browser does not let this page copy; it needs https or localhost.");
    }
  };
  return (
    <button type="button" class="small" aria-label={`Copy ${what}`} onClick={() => void copy()}>
      {label}
    </button>
  );
}
