/** Computes a value once for each key object. Keyed weakly, so a value is freed together with its key. */
export function memoizeWeak<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const cached = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const known = cached.get(key);
    if (known !== undefined) return known.value;
    const value = compute(key);
    cached.set(key, { value });
    return value;
  };
}
