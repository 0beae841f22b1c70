/** Queries that nobody types, and that must not take long. */
export const HOSTILE_QUERIES: Readonly<Record<string, string>> = {
  "a megabyte of one word": "merge ".repeat(170_000),
  "a megabyte without a space": "x".repeat(2 ** 20),
  "a megabyte of different words": Array.from({ length: 130_000 }, (_, number) => `w${number}`).join(" "),
  "a megabyte of Chinese": "请帮我合并这些文件".repeat(40_000),
  emoji: "👩‍👩‍👧‍👦🧵".repeat(20_000),
  "right to left": "דוח הוצאות \u202e مصاريف السفر ".repeat(20_000),
  "NUL and half a pair": "pdf\0\ud800form ".repeat(50_000),
  fences: "```\n".repeat(100_000),
};
