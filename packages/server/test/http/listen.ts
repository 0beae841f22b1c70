import { onTestFinished } from "vitest";

/** Opens the listening stream of a session, until the test ends. */
export async function listen(url: string, session: string, lastEventId?: string) {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const answer = await fetch(`${url}/mcp`, {
    headers: {
      accept: "text/event-stream",
      "mcp-session-id": session,
      ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
    },
    signal: abort.signal,
  });
  let text = "";
  void (async () => {
    for await (const chunk of answer.body ?? []) text += Buffer.from(chunk as Uint8Array).toString();
  })().catch(() => {});
  return {
    status: answer.status,
    /** Everything that arrived. */
    text: () => text,
    /** The ids of the notices about tools; the same change is announced for resources and prompts too. */
    notices: () =>
      text
        .split("\n\n")
        .filter((event) => event.includes("notifications/tools/list_changed"))
        .map((event) => /^id: (.+)$/m.exec(event)?.[1] ?? ""),
    lastId: () => [...text.matchAll(/^id: (.+)$/gm)].at(-1)?.[1] ?? "",
    stop: () => abort.abort(),
  };
}
