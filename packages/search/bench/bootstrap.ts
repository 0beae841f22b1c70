const ROUNDS = 1_000;

/** The 95 % interval of the mean, from samples of the values with replacement: the same ones every time. */
export function interval(values: readonly number[]): readonly [low: number, high: number] {
  let state = 1;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const means = Array.from({ length: ROUNDS }, () => {
    let sum = 0;
    for (let at = 0; at < values.length; at++) sum += values[Math.floor(random() * values.length)] ?? 0;
    return sum / values.length;
  }).sort((a, b) => a - b);
  return [means[Math.floor(ROUNDS * 0.025)] ?? 0, means[Math.floor(ROUNDS * 0.975)] ?? 0];
}
