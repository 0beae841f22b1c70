/** Letters of other scripts that look like Latin ones, for texts that are written to be read by people alone; each after its Latin letter. */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  [
    "aаɑα bьЬ cсϲ dԁ eеєε gɡ hһ iіıι jј kκк lӏ mм nո oоοσ pрρ qԛ rг sѕ tт uυս vѵν wԝ xхχ yуγ",
    "AАΑ BВΒ CС EЕΕ HНΗ IІΙ JЈ KКΚ MМΜ NΝ OОΟ PРΡ SЅ TТΤ XХΧ YУΥ ZΖ",
  ].flatMap((groups) =>
    groups
      .split(" ")
      .flatMap(([latin = "", ...letters]) => letters.map((letter) => [letter, latin] as const)),
  ),
);

const PLAIN = /^[\t\n\r\x20-\x7e]*$/;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const MAY_BE_MIXED =
  /[A-Za-z][\u0370-\u052f\u0531-\u058f\u0131\u0251\u0261]|[\u0370-\u052f\u0531-\u058f\u0131\u0251\u0261][A-Za-z]/;
/** A word with letters of both scripts; a word of Cyrillic or Greek alone is just that. */
const MIXED =
  /(?=[\p{L}]{0,60}[A-Za-z])(?=[\p{L}]{0,60}[\u0370-\u03ff\u0400-\u052f\u0531-\u058f\u0131\u0251\u0261])[\p{L}]{2,60}/gu;

/**
 * A text as a model reads it: without what cannot be seen, compatibility forms and look-alikes as plain letters. Every
 * line ends in `\n`, and there are as many as before.
 */
export function foldText(text: string): string {
  const lines = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
  if (PLAIN.test(lines)) return lines;
  const visible = lines.replace(INVISIBLE, "").normalize("NFKC");
  if (!MAY_BE_MIXED.test(visible)) return visible;
  return visible.replace(MIXED, (word) =>
    Array.from(word, (letter) => LOOK_ALIKES.get(letter) ?? letter).join(""),
  );
}

/** A name in its plainest form, for comparison alone. */
export function foldName(name: string): string {
  const latin = Array.from(
    name.replace(INVISIBLE, "").normalize("NFKC"),
    (letter) => LOOK_ALIKES.get(letter) ?? letter,
  );
  return latin.join("").toLowerCase();
}
