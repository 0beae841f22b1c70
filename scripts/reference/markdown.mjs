// Tables and notes of generated pages.
const NOTE = "<!-- Written by `npm run docs:generate`. -->";

export const page = (title, ...parts) => `# ${title}\n\n${NOTE}\n\n${parts.join("\n\n")}\n`;

export const code = (text) => `\`${text}\``;

export function table(header, rows) {
  const lines = [header, header.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Text of a table cell, in which a bar would end it and an angle bracket would begin a tag. */
export function cell(text) {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll("{{", "{&#123;");
}
