import path from "node:path";
import type { AuditLogTarget } from "#config";
import { describeError, type Log } from "#util";
import { openRecordFile, type RecordFile } from "./record-file.ts";
import { hasPolicy } from "./trust.ts";

/** What a caller or a person did. Never what they wrote: no prompt, no search, no value of an argument. */
interface AuditEntry {
  /** A tool, a method of the protocol, or what a person did: `skill`, `resources/read`, `approve`. */
  readonly action: string;
  /** Who, by their token or account; absent on a server without authentication. */
  readonly caller?: string;
  /** The program, such as `claude-code/2.1.0`. */
  readonly client?: string;
  readonly remote?: boolean;
  readonly skill?: string;
  readonly file?: string;
  readonly script?: string;
  readonly digest?: string;
  readonly commit?: string;
  readonly repository?: string;
  readonly sandbox?: string;
  readonly exit_code?: number;
  readonly duration_ms?: number;
  /** `refused`: the answer was a refusal; `failed`: a script ended with another code than 0. */
  readonly result: "ok" | "refused" | "failed" | "error";
}

export interface AuditLog {
  /** Whether anything is recorded. If not, callers need not collect what to record. */
  isOn(): boolean;
  record(entry: AuditEntry): void;
  close(): Promise<void>;
}

interface AuditLogOptions {
  readonly ownFolder: string;
  /** What the operator's settings say; undefined: it is on over HTTP, and where there are rules of trust. */
  readonly target: AuditLogTarget | undefined;
  /** Over HTTP. On stdio, standard output carries the protocol and nothing else. */
  readonly isHttp: boolean;
  readonly log: Log;
}

const MOST_BYTES = 10 * 1024 * 1024;
const FILES = 5;

/** The record of who was served what. Nothing is opened before the first entry. */
export function createAuditLog({ ownFolder, target, isHttp, log }: AuditLogOptions): AuditLog {
  const file = path.join(ownFolder, "audit.jsonl");
  let chosen: AuditLogTarget | undefined;
  let opened: RecordFile | undefined;
  const choose = (): AuditLogTarget => {
    const wanted = target ?? (isHttp || hasPolicy(ownFolder) ? "file" : "off");
    if (wanted !== "stdout" || isHttp) return wanted;
    log.warn(`audit.log is stdout, which carries the protocol here, so the record goes to ${file}`);
    return "file";
  };
  const isOn = (): boolean => {
    chosen ??= choose();
    return chosen !== "off";
  };
  return {
    isOn,
    record(entry) {
      if (!isOn()) return;
      const line = JSON.stringify({ time: new Date().toISOString(), ...entry });
      if (chosen === "stdout") {
        process.stdout.write(`${line}\n`);
        return;
      }
      const onFailure = (error: unknown): void =>
        log.error(`${file} cannot be written: ${describeError(error)}; entries wait in memory`);
      opened ??= openRecordFile({ file, mostBytes: MOST_BYTES, files: FILES, onFailure });
      opened.add(line);
    },
    close: async () => opened?.close(),
  };
}
