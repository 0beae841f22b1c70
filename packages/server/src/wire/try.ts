/** What a task finds with the tools that one client has. Like wire.ts, it imports nothing. */
export interface TryClient {
  readonly client: string;
  readonly title?: string;
  /** The names of its tools. */
  readonly tools: readonly string[];
  /** Whether its model reads every description at turn 1. */
  readonly complete: boolean;
}

export interface TryWhy {
  readonly name: string;
  readonly isLibrary: boolean;
  /** Of what the task asks, how much the skill contains: 0 to 1. */
  readonly coverage: number;
  /** How alike their meanings are: 0 to 1. */
  readonly meaning: number;
  /** How far it is above the floor; below 0 it does not fit. */
  readonly aboveFloor: number;
  /** How much of it the client's model reads at turn 1; `native`: the client has it already. */
  readonly atTurn1?: "whole" | "cut" | "name" | "absent" | "native";
}
