/** Where a model can read of a skill: in the `skill` tool's description, or in the server's instructions. */
export type Room = "description" | "instructions";

/** What a limit counts: UTF-16 units, bytes of UTF-8, or units of the text as it is written in JSON. */
export type Unit = "characters" | "bytes" | "json";

export interface Limit {
  readonly count: number;
  readonly unit: Unit;
}
