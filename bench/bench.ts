import type { BenchArguments } from "./arguments.ts";
import type { Peer } from "./peers/peers.ts";
import type { BenchRow } from "./report/row.ts";
import type { Workspace } from "./workspace.ts";

/** What every section is given. */
export interface Bench {
  readonly options: BenchArguments;
  readonly workspace: Workspace;
  /** The other servers that are measured with ours; none unless they were asked for. */
  readonly peers: readonly Peer[];
  /** Keeps a figure of another server, taken in the rounds of the row with that id. */
  peerFigure(peer: Peer, row: string, samples: readonly number[]): void;
  /** Keeps what stopped another server. It is not asked again. */
  peerProblem(peer: Peer, problem: string): void;
  /** A line on stderr: what is being measured now. */
  progress(text: string): void;
}

/** A part of the suite. */
export type Section = (bench: Bench) => Promise<readonly BenchRow[]>;

/** The size for what is measured at one size only: 10,000 skills, or the most that were asked for. */
export function largeSize({ options: { sizes } }: Bench): number {
  const most = sizes.filter((size) => size <= 10_000);
  return Math.max(...(most.length === 0 ? sizes : most));
}

/** `10,000` */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}
