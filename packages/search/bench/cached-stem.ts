/** A stemmer that meets most words again. */
export function cachedStem(stem: (word: string) => string): (word: string) => string {
  const stems = new Map<string, string>();
  return (word) => {
    const known = stems.get(word) ?? stem(word);
    stems.set(word, known);
    return known;
  };
}
