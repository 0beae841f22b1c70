// What was measured, as a line for the terminal. Pure.
const WIDTHS = [42, 10, 14, 14, 22, 18, 12];

const line = (cells) =>
  cells
    .map((cell, index) => String(cell).padEnd(WIDTHS[index] ?? 0))
    .join(" ")
    .trimEnd();

export const HEADER = line(["agent", "version", "names", "descriptions", "skill", "instructions", "loaded"]);

const DESCRIBE = {
  skills: ({ skills, found }) => [
    `${found.names} of ${skills}`,
    `${found.whole} (${found.begun} begun)`,
    found.tool === "shown" ? `shown, ${found.description.seen} of ${found.description.sent}` : found.tool,
    `${found.instructions.seen} of ${found.instructions.sent}`,
    found.loaded,
  ],
  folders: ({ found }) => [
    `reads ${found.reads.join(" ") || "no folder"}; ${found.twice.length} twice, ${found.missing.length} missing`,
  ],
  long: ({ found }) => [
    `long file: ${found.file} characters, ${found.sent} sent, ${found.seen} seen, ${found.reached}`,
  ],
  slash: ({ found }) => [`${found.typed}: ${found.loaded}`],
};

export function describe(host, result) {
  const cells = result.found.error === undefined ? DESCRIBE[result.what](result) : [result.found.error];
  return line([host.title, result.version, ...cells]);
}
