import type { Identity } from "./identity.mjs";

type Json = Readonly<Record<string, unknown>>;

export function publishedPackage(product: Json, identity: Identity): Json;
export function serverJson(identity: Identity): Json;
export function pluginFiles(identity: Identity): Readonly<Record<string, Json>>;
export function labelledDockerfile(dockerfile: string, identity: Identity, revision: string): string;
export function publishedSbom(sbom: Json, identity: Identity): Json;
export function installLinks(
  identity: Identity,
): Readonly<Record<"cursor" | "cursorPage" | "vscode" | "vscodePage", string>>;
