import { useState } from "preact/hooks";
import type { ToggledAnswer } from "#server/wire";
import { commandText } from "#util/pure";
import { ApiError } from "../api/client.ts";
import { count } from "../parts/format.ts";
import { useDashboard } from "../state/context.ts";

/** For whom skills are enabled or disabled: everyone, one agent, or one profile. */
export interface Whom {
  readonly agent?: string;
  readonly profile?: string;
  /** How it is said, such as `for Codex`; empty for everyone. */
  readonly said: string;
}

export const EVERYONE: Whom = { said: "" };

export type State = "enabled" | "disabled";

const MOST_NAMES = 20;

/** What makes the same change in a terminal. */
export function bulkCommand(names: readonly string[], to: State, { agent, profile }: Whom): string {
  const verb = to === "enabled" ? "enable" : "disable";
  const more = names.length > MOST_NAMES ? " …" : "";
  const flag =
    agent !== undefined ? ` --agent ${agent}` : profile !== undefined ? ` --profile ${profile}` : "";
  return `${commandText([verb, ...names.slice(0, MOST_NAMES)])}${more}${flag}`;
}

/** Enables and disables skills by their files, each time with a way back. */
export function useToggle(): {
  readonly isBusy: boolean;
  toggle(files: readonly string[], to: State, whom?: Whom): Promise<ToggledAnswer | undefined>;
} {
  const { client, notify, reload } = useDashboard();
  const [isBusy, setBusy] = useState(false);
  const send = (files: readonly string[], to: State, { agent, profile }: Whom): Promise<ToggledAnswer> =>
    client.post<ToggledAnswer>("skills/toggle", {
      files,
      to,
      ...(agent === undefined ? {} : { agent }),
      ...(profile === undefined ? {} : { profile }),
    });
  return {
    isBusy,
    async toggle(files, to, whom = EVERYONE) {
      setBusy(true);
      try {
        const answer = await send(files, to, whom);
        const changed = answer.skills.filter((skill) => skill.changed);
        const verb = to === "enabled" ? "Enabled" : "Disabled";
        const what = changed.length === 1 ? (changed[0]?.name ?? "") : count(changed.length, "skill");
        const said = whom.said === "" ? "" : ` ${whom.said}`;
        if (changed.length === 0) notify(`Nothing changed: they are already ${to}${said}.`);
        else
          notify(`${verb} ${what}${said}.`, {
            command: answer.command,
            undo: async () => {
              const back = changed.map(({ file }) => file);
              await send(back, to === "enabled" ? "disabled" : "enabled", whom);
              reload();
            },
          });
        reload();
        return answer;
      } catch (error) {
        notify(error instanceof ApiError ? error.message : String(error));
        return undefined;
      } finally {
        setBusy(false);
      }
    },
  };
}
