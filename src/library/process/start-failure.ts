import { Refusal } from "../../skill/refusal.ts";

/** Turns what the system says when it cannot start a process into what can be done about it. */
export function startFailure(label: string, command: string, error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const refuse = (reason: "bad-argument" | "no-runner" | "busy", message: string): Refusal =>
    new Refusal(`${label}: ${message}`, { code: "library", reason }, { cause: error });
  switch (code) {
    case "E2BIG":
      return refuse(
        "bad-argument",
        "its arguments are too long for this system to start a program with. Write long data to a file and pass its path.",
      );
    case "ERR_INVALID_ARG_VALUE":
      return refuse("bad-argument", "a NUL character cannot be passed to a program. Leave it out.");
    case "ENOENT":
    case "EACCES":
    case "ENOEXEC":
    case "EPERM":
      return refuse(
        "no-runner",
        `the program ${command} cannot be started (${code}). Install it again, or name another in scripts.runners.`,
      );
    case "EAGAIN":
    case "EMFILE":
    case "ENFILE":
    case "ENOMEM":
      return refuse(
        "busy",
        `the system cannot start another process now (${code}). Call it again when others have ended.`,
      );
    default:
      return error;
  }
}
