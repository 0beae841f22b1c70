import type { ApiResponse } from "./create-api.ts";

export const JSON_TYPE = { "content-type": "application/json; charset=utf-8" } as const;

export function json(value: unknown, status = 200, headers: ApiResponse["headers"] = {}): ApiResponse {
  const body = JSON.stringify(value);
  return { status, headers: { ...JSON_TYPE, "cache-control": "no-store", ...headers }, body };
}
