/** The SHA-256 of a text or of bytes: 32 bytes, to be written as a caller needs them. */
export function sha256(content: string | Uint8Array): Buffer {
  // Loaded when first needed: node:crypto would slow the start of every server.
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(content).digest();
}
