import type { Platform } from "./platform.ts";
import { POSIX } from "./posix.ts";

export const DARWIN: Platform = {
  ...POSIX,
  name: "darwin",
  files: { ...POSIX.files, foldCase: true },
  // All watches of a process share one stream, which the system makes anew at each one that begins or ends; what happens
  // meanwhile is reported to none of them.
  watching: { ...POSIX.watching, isRecursive: true, isCertain: false },
  programs: { ...POSIX.programs, browsers: (address) => [["open", address]] },
  sandbox: "seatbelt",
};
