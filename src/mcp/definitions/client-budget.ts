/** Claude Code cuts a tool description at 2,048 characters, in mid-word and without a notice. */
const CUTTING_CLIENTS = /^claude[ _-]?code\b/i;

const BUDGET_FOR_CUTTING_CLIENTS = 2_000;
const BUDGET = 20_000;

/** How long the description of the `skill` tool may be for a client that calls itself `clientName`. */
export function descriptionBudgetFor(clientName: string | undefined): number {
  return clientName !== undefined && CUTTING_CLIENTS.test(clientName) ? BUDGET_FOR_CUTTING_CLIENTS : BUDGET;
}
