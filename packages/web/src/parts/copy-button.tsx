import { useEffect, useState } from "preact/hooks";
import { Icon } from "../icons/icon.tsx";
import { useDashboard } from "../state/context.ts";

const COPIED_MS = 1_500;

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
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      notify(`Copied ${what}.`);
    } catch {
      notify("The browser blocked the clipboard. Open this page over HTTPS or on localhost.");
    }
  };
  return (
    <button type="button" class="small" aria-label={`Copy ${what}`} onClick={() => void copy()}>
      <Icon name={isCopied ? "check" : "copy"} size={13} />
      <span class="copy-label">{label}</span>
    </button>
  );
}
