import { useState } from "preact/hooks";
import type { VisibilityAnswer } from "#server/wire";
import { ApiError } from "../api/client.ts";
import { useDashboard } from "../state/context.ts";

/** How the operator wants a skill to be listed; `usual` against a rule of config.yaml. */
export type Rule = "always" | "name-only" | "manual" | "usual";

export const RULES: Readonly<Record<Rule, string>> = {
  always: "Whole and first",
  "name-only": "By its name alone",
  manual: "In no list",
  usual: "As usual",
};

/** Writes how skills are listed for one agent, or without one for all, each time with a way back. */
export function useRules(): {
  readonly isBusy: boolean;
  write(file: string, rule: Rule, agent?: { readonly agent: string; readonly title: string }): Promise<void>;
} {
  const { client, notify, reload } = useDashboard();
  const [isBusy, setBusy] = useState(false);
  const send = (file: string, rule: Rule | undefined, agent: string | undefined): Promise<VisibilityAnswer> =>
    client.post<VisibilityAnswer>("skills/visibility", {
      files: [file],
      ...(rule === undefined ? {} : { rule }),
      ...(agent === undefined ? {} : { agent }),
    });
  return {
    isBusy,
    async write(file, rule, whom) {
      setBusy(true);
      try {
        const { skills } = await send(file, rule, whom?.agent);
        const [changed] = skills;
        notify(`${changed?.name ?? "It"} is listed ${LISTED[rule]} for ${whom?.title ?? "every agent"}.`, {
          undo: async () => {
            await send(file, changed?.before, whom?.agent);
            reload();
          },
        });
        reload();
      } catch (error) {
        notify(error instanceof ApiError ? error.message : String(error));
      } finally {
        setBusy(false);
      }
    },
  };
}

const LISTED: Readonly<Record<Rule, string>> = {
  always: "first, with its whole description,",
  "name-only": "by its name alone",
  manual: "nowhere",
  usual: "as usual",
};
