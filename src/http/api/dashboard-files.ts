import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { RequestHeaders } from "./api-request.ts";
import type { ApiResponse } from "./create-api.ts";

export interface DashboardFiles {
  /** These files contain no secrets and need no credentials. */
  has(path: string): boolean;
  answer(path: string, headers: RequestHeaders): Promise<ApiResponse>;
}

/**
 * No third-party content, nothing inline, no eval, and HTML only from DOMPurify. Image previews are blobs.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types dompurify",
].join("; ");

const HEADERS = {
  "content-security-policy": POLICY,
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
} as const;

/** The file types that the build writes. Files of skills are not served here. */
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

const ENCODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

/** Beside the bundle, or in `dist/` when run from source. */
export function dashboardFolder(): string | undefined {
  const here = path.dirname(fileURLToPath(import.meta.url));
  return ["web", "../web", "../../../dist/web"]
    .map((relative) => path.join(here, relative))
    .find((folder) => existsSync(path.join(folder, "index.html")));
}

/** Serves exactly the files that are there now, each in the smallest encoding that the client accepts. */
export async function createDashboardFiles(folder: string): Promise<DashboardFiles> {
  const names = new Set(await readdir(folder));
  const nameOf = (wanted: string): string | undefined => {
    const name = wanted === "/" ? "index.html" : wanted.slice(1);
    return names.has(name) && TYPES[path.extname(name)] !== undefined ? name : undefined;
  };
  return {
    has: (wanted) => nameOf(wanted) !== undefined,
    async answer(wanted, headers) {
      const name = nameOf(wanted);
      if (name === undefined) return { status: 404, headers: HEADERS, body: "" };
      const accepted = String(headers["accept-encoding"] ?? "");
      const [encoding, suffix] =
        ENCODINGS.find(
          ([word, ending]) => new RegExp(`\\b${word}\\b`).test(accepted) && names.has(name + ending),
        ) ?? [];
      return {
        status: 200,
        headers: {
          ...HEADERS,
          "content-type": TYPES[path.extname(name)] ?? "",
          // All names but the page's own contain a hash of the content.
          "cache-control": name === "index.html" ? "no-cache" : "public, max-age=31536000, immutable",
          vary: "Accept-Encoding",
          ...(encoding === undefined ? {} : { "content-encoding": encoding }),
        },
        body: await readFile(path.join(folder, name + (suffix ?? ""))),
      };
    },
  };
}
