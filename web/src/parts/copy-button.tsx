import { useDashboard } from "../state/context.ts";

export function CopyButton({
  text,
  what,
  label = "Copy",
}: {
  readonly text: string;
  /** What is copied, for screen readers and the confirmation. */
  readonly what: string;
  readonly label?: string;
}) {
  const { notify } = useDashboard();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      notify(`Copied ${what}.`);
    } catch {
      notify("The browser blocked the clipboard. Open this page over HTTPS or on localhost.");
    }
  };
  return (
    <button type="button" class="small" aria-label={`Copy ${what}`} onClick={() => void copy()}>
      {label}
    </button>
  );
}
