import { readdirSync, readFileSync } from "node:fs";

/**
 * The descriptors that the program which started the server left open, and that every program which the server starts would get. Node
 * closes the first sixteen for its children, and macOS all of them.
 */
export function inheritedDescriptors(platform: NodeJS.Platform = process.platform): readonly number[] {
  if (platform !== "linux") return [];
  try {
    return readdirSync("/proc/self/fd").map(Number).filter(isPassedOn);
  } catch {
    // Without /proc nothing is known.
    return [];
  }
}

const O_CLOEXEC = 0o2000000;

function isPassedOn(descriptor: number): boolean {
  if (descriptor <= 2) return false;
  try {
    const [, flags = ""] =
      /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8")) ?? [];
    return flags !== "" && (Number.parseInt(flags, 8) & O_CLOEXEC) === 0;
  } catch {
    return false;
  }
}
