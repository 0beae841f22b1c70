import { readdirSync, readFileSync } from "node:fs";

/** Tests that look at other processes need /proc. */
export const HAS_PROC = process.platform === "linux";

/** The command line of every process, its arguments parted by spaces. */
export const commandLines = (): readonly string[] => readAll("cmdline");

/** The environment of every process. */
export const environments = (): readonly string[] => readAll("environ");

function readAll(file: "cmdline" | "environ"): readonly string[] {
  if (!HAS_PROC) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/${file}`, "latin1").replaceAll("\0", " ");
      } catch {
        // It has ended meanwhile.
        return "";
      }
    });
}
