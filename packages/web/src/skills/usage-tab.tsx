import { useMemo, useState } from "preact/hooks";
import type { SkillDetail } from "#server/wire";
import { ApiError } from "../api/client.ts";
import { DayChart } from "../parts/chart.tsx";
import { count } from "../parts/format.ts";
import { mayChange, useDashboard } from "../state/context.ts";
import { routeHash } from "../state/route.ts";

export function UsageTab({ detail }: { readonly detail: SkillDetail }) {
  const { navigation } = useDashboard();
  const { usage, name } = detail;
  const key = usage.perDay.join();
  const { days, series } = useMemo(() => {
    const first = Date.parse(usage.since);
    return {
      days: usage.perDay.map((_, index) => new Date(first + index * 86_400_000).toISOString().slice(0, 10)),
      series: [{ label: "Loads", values: usage.perDay, color: "--accent" }],
    };
  }, [usage.since, key]);
  return (
    <>
      <p>
        {usage.total === 0
          ? "Not used in the last 30 days."
          : `Loaded ${count(usage.total, "time")} in the last 30 days.`}
      </p>
      {usage.total === 0 ? null : (
        <DayChart
          days={days}
          series={series}
          unit="Loads"
          label={`${name} was loaded ${count(usage.total, "time")} from ${usage.since} to ${usage.until}`}
          onDay={(day) => navigation.go(routeHash("usage", { day }))}
        />
      )}
      <FeedbackForm name={name} />
    </>
  );
}

function FeedbackForm({ name }: { readonly name: string }) {
  const { client, session, notify } = useDashboard();
  const [comment, setComment] = useState("");
  const [isSent, setSent] = useState(false);
  if (!mayChange(session)) return null;
  if (isSent) return <p role="status">Thank you. Your feedback is in the Usage view.</p>;

  const send = async (useful: boolean): Promise<void> => {
    try {
      await client.post("feedback", {
        skill: name,
        useful,
        ...(comment.trim() === "" ? {} : { comment: comment.trim() }),
      });
      setSent(true);
    } catch (error) {
      notify(error instanceof ApiError ? error.message : String(error));
    }
  };
  return (
    <form class="feedback" onSubmit={(event) => event.preventDefault()}>
      <label for="comment">Was this skill useful?</label>
      <input
        id="comment"
        placeholder="What was good or missing (optional)"
        maxLength={2000}
        value={comment}
        onInput={(event) => setComment(event.currentTarget.value)}
      />
      <button type="button" onClick={() => void send(true)}>
        Useful
      </button>
      <button type="button" onClick={() => void send(false)}>
        Not useful
      </button>
    </form>
  );
}
