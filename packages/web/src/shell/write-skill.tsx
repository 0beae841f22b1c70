import { useState } from "preact/hooks";
import { Icon } from "../icons/icon.tsx";
import { LazyDialog } from "./lazy-dialog.tsx";

/** A button that opens the dialog for a new skill. */
export function WriteSkill() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        <Icon name="edit" size={14} />
        Write a skill
      </button>
      {isOpen ? (
        <LazyDialog
          load={async () => (await import("../usage/new-skill-dialog.tsx")).NewSkillDialog}
          props={{ requests: NONE, onClose: () => setOpen(false) }}
        />
      ) : null}
    </>
  );
}

const NONE: readonly string[] = [];
