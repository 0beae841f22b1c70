import type { SkillSeenAnswer } from "#server/wire";
import { CopyButton } from "../parts/copy-button.tsx";
import { Menu } from "../parts/menu.tsx";
import { useToggle } from "../skills/use-changes.ts";
import { mayChange, useDashboard } from "../state/context.ts";
import { routeHash, skillHash } from "../state/route.ts";
import { RULES, type Rule, useRules } from "./use-rules.ts";

type SeenByAgent = SkillSeenAnswer["agents"][number];

/** What changes how an agent sees a skill: what the page can do at once, and what one does elsewhere. */
export function SeenActions({
  file,
  isServed,
  one,
}: {
  /** Undefined where the skill has no file that is known. */
  readonly file: string | undefined;
  readonly isServed: boolean;
  readonly one: SeenByAgent;
}) {
  const { session } = useDashboard();
  const { isBusy, write } = useRules();
  const { isBusy: isToggling, toggle } = useToggle();
  const canChange = mayChange(session) && file !== undefined;
  const { agent, title, levers } = one;
  const whom = { agent, title };
  const items = (isForAll: boolean) =>
    (Object.keys(RULES) as Rule[]).map((rule) => ({
      label: RULES[rule],
      onChoose: () => void write(file ?? "", rule, isForAll ? undefined : whom),
    }));
  const said = { agent, said: `for ${title}` };
  return (
    <span class="seen-actions">
      {levers.map(({ command, does, action, file: other }) => {
        const key = `${command} ${does}`;
        if (action === "review")
          return (
            <a key={key} class="button small" href={routeHash("sources", { part: "review" })}>
              Review
            </a>
          );
        if (action === "open" && other !== undefined)
          return (
            <a key={key} class="button small" href={skillHash({ file: other })}>
              Open the other one
            </a>
          );
        if (action === "repair" && file !== undefined)
          return (
            <a key={key} class="button small" href={skillHash({ file })}>
              Repair
            </a>
          );
        if (canChange && (action === "enable" || action === "enable-for-agent"))
          return (
            <button
              key={key}
              type="button"
              class="small"
              disabled={isToggling}
              onClick={() => void toggle([file], "enabled", action === "enable" ? { said: "" } : said)}
            >
              Enable{action === "enable" ? "" : ` for ${title}`}
            </button>
          );
        if (canChange && (action === "always" || action === "usual"))
          return (
            <button
              key={key}
              type="button"
              class="small"
              disabled={isBusy}
              onClick={() => void write(file, action, whom)}
            >
              {action === "always" ? "Always list it whole" : "List it as usual"}
            </button>
          );
        return (
          <span key={key} class="lever">
            <code>{command}</code> {does} <CopyButton text={command} what="it" />
          </span>
        );
      })}
      {canChange && isServed ? (
        <>
          <Menu
            label={`How it is listed for ${title}`}
            class="small"
            groups={[
              { title: `For ${title}`, items: items(false) },
              {
                title: "For every agent",
                items: items(true).map((item) => ({ ...item, label: `${item.label}, everywhere` })),
              },
            ]}
          >
            Listed…
          </Menu>
          {one.seen === "hidden" ? null : (
            <button
              type="button"
              class="small"
              disabled={isToggling}
              onClick={() => void toggle([file], "disabled", said)}
            >
              Disable for {title}
            </button>
          )}
        </>
      ) : null}
    </span>
  );
}
