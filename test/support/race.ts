import { spawn } from "node:child_process";
import { expect, onTestFinished } from "vitest";

/** `npm run check:security` sets 5 s. Some dozens of the answers of 300 ms meet the link. */
export const RACE_MS = Number(process.env["SKILLS_MCP_RACE_MS"] ?? 300);
/** Longer than any machine needs to meet both sides of a race. */
const MOST_RACE_MS = RACE_MS + 30_000;

/**
 * Asks again and again while another process turns `folder` into a link to `outside` and back, as fast as it can. Every answer
 * that was given, at least the `usual` one and another: otherwise nothing would be tested.
 */
export async function raceWithSwaps(
  { folder, outside, usual }: { readonly folder: string; readonly outside: string; readonly usual: string },
  ask: () => Promise<string>,
): Promise<readonly string[]> {
  const stop = startSwapper(folder, outside);
  onTestFinished(stop);
  const seen = new Set<string>();
  const start = Date.now();
  const isMet = (): boolean => seen.has(usual) && seen.size > 1;
  while (Date.now() < start + (isMet() ? RACE_MS : MOST_RACE_MS)) seen.add(await ask());
  await stop();
  expect({ isMet: isMet(), seen: [...seen] }).toMatchObject({ isMet: true });
  return [...seen];
}

function startSwapper(folder: string, outside: string): () => Promise<void> {
  const program = `
    const fs = require("node:fs");
    const [folder, outside] = process.argv.slice(1);
    const until = Date.now() + ${RACE_MS + 40_000};
    while (Date.now() < until) {
      fs.renameSync(folder, folder + ".kept");
      fs.symlinkSync(outside, folder);
      fs.unlinkSync(folder);
      fs.renameSync(folder + ".kept", folder);
    }`;
  const swapper = spawn(process.execPath, ["-e", program, folder, outside]);
  const ended = new Promise<void>((resolve) => {
    swapper.on("exit", () => resolve());
  });
  return async () => {
    swapper.kill("SIGKILL");
    await ended;
  };
}
