import type { Platform } from "./platform.ts";
import { POSIX } from "./posix.ts";

export const DARWIN: Platform = {
  ...POSIX,
  name: "darwin",
  files: { ...POSIX.files, foldCase: true },
  programs: { ...POSIX.programs, browsers: (address) => [["open", address]] },
  sandbox: "seatbelt",
};
