import { createWorkspace } from "../workspace.ts";
import { measureCalls } from "./calls.ts";
import { measureLeaks } from "./leaks.ts";
import type { HttpRow } from "./rows.ts";
import { measureStreams } from "./streams.ts";
import { startPair } from "./subjects.ts";

export interface HttpBenchOptions {
  /** The built command line. */
  readonly bin: string;
  readonly rounds: number;
  /** How long each server is loaded in one round. */
  readonly seconds: number;
  readonly connections: readonly number[];
  /** How many sessions come and go to see what stays behind. */
  readonly sessions: number;
  readonly parts: readonly HttpPart[];
}

export const HTTP_PARTS = ["calls", "streams", "memory"] as const;
type HttpPart = (typeof HTTP_PARTS)[number];

/** Loads our server and the bare SDK server in turns, and returns what they showed. */
export async function measureHttp(options: HttpBenchOptions): Promise<readonly HttpRow[]> {
  const workspace = createWorkspace();
  const start = () => startPair(workspace, options.bin);
  const changed = workspace.corpus(100).skills[1]?.file ?? "";
  const measures: Readonly<Record<HttpPart, () => Promise<readonly HttpRow[]>>> = {
    calls: () => measureCalls(start, options),
    streams: () => measureStreams(start, changed),
    memory: () => measureLeaks(start, options.sessions),
  };
  const rows: HttpRow[] = [];
  for (const part of HTTP_PARTS) if (options.parts.includes(part)) rows.push(...(await measures[part]()));
  return rows;
}
