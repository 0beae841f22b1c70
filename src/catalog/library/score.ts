/** The share of a skill's keywords that a context matches, and a thousandth for each point of priority. */
export function scoreOf(matched: number, total: number, priority: number): number {
  const base = total === 0 ? 0 : matched / total;
  return base + priority * 0.001;
}

/** Far below the thousandth that a priority can add, far above what adding fractions leaves behind. */
const NOISE = 1e-9;

/** Whether one number is smaller as people count: 0.5 − 0.4 is not below 0.1, although its floating-point value is. */
export function isBelow(value: number, limit: number): boolean {
  return !(value - limit >= -NOISE);
}

/** A score as it is shown. */
export function roundScore(score: number): number {
  return Math.round(score * 1_000) / 1_000;
}
