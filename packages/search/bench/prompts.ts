import { readFileSync } from "node:fs";

/** Prompts that were written for this benchmark, one on each line. */
export function readPrompts(name: "no-fit"): readonly string[] {
  const text = readFileSync(new URL(`./prompts/${name}.txt`, import.meta.url), "utf8");
  return text.split("\n").filter((line) => line !== "");
}
