/** Makes a value at the first call. `made` returns it only if it was made. */
export function once<Value>(make: () => Value): (() => Value) & { made(): Value | undefined } {
  let known: { readonly value: Value } | undefined;
  return Object.assign(
    (): Value => {
      known ??= { value: make() };
      return known.value;
    },
    { made: () => known?.value },
  );
}

/** An object whose values are made when they are first read. Copying it with a spread makes all of them. */
export function onFirstUse<Made extends object>(
  makers: { readonly [Name in keyof Made]: () => Made[Name] },
): Made {
  const made = {} as Made;
  for (const name in makers) {
    const get = once(makers[name]);
    Object.defineProperty(made, name, { enumerable: true, get });
  }
  return made;
}
