import { useEffect, useState } from "preact/hooks";
import { Icon } from "../icons/icon.tsx";
import type { ToastOptions } from "../state/context.ts";

export interface Toast extends ToastOptions {
  readonly id: number;
  readonly text: string;
}

const SHOWN_MS = 4_000;
/** Whoever wants to take something back needs time to notice it. */
const UNDO_MS = 12_000;

/** The last message, with a button that takes back what it is about. It stays while it is pointed at or focused. */
export function Toasts({
  toast,
  onClose,
  onUndo,
}: {
  readonly toast: Toast | undefined;
  readonly onClose: () => void;
  readonly onUndo: () => void;
}) {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => setHeld(false), [toast?.id]);
  useEffect(() => {
    if (toast === undefined || isHeld) return undefined;
    const timer = setTimeout(onClose, toast.undo === undefined ? SHOWN_MS : UNDO_MS);
    return () => clearTimeout(timer);
  }, [toast?.id, isHeld]);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toast === undefined ? null : (
        <div
          key={toast.id}
          class="toast"
          onMouseEnter={() => setHeld(true)}
          onMouseLeave={() => setHeld(false)}
          onFocusCapture={() => setHeld(true)}
          onBlurCapture={() => setHeld(false)}
        >
          <span>
            {toast.text}
            {toast.command === undefined ? null : <code title={toast.command}>{toast.command}</code>}
          </span>
          {toast.undo === undefined ? null : (
            <button type="button" onClick={onUndo} aria-keyshortcuts="z">
              <Icon name="undo" size={14} />
              Undo
            </button>
          )}
          <button type="button" class="quiet" aria-label="Dismiss this message" onClick={onClose}>
            <Icon name="cross" size={14} />
          </button>
        </div>
      )}
    </div>
  );
}
