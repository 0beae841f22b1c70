import type { SkillStatus } from "../../../src/http/api/wire.ts";
import { STATUS } from "../skills/status.ts";

export function StatusBadge({ status }: { readonly status: SkillStatus }) {
  const { label, meaning } = STATUS[status];
  return (
    <span class={`badge status-${status}`} title={meaning}>
      {label}
    </span>
  );
}
