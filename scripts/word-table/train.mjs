import { SHARES } from "./pairs.mjs";

const STEPS = 300;
/** Pairs a step: each text has the others' partners for what it is not about. */
const BATCH = 384;
const RATE = 0.005;
/** How much nearer than others a partner must be. */
const TEMPERATURE = 0.1;
/** How much rows are drawn to where they were: rare words are in few pairs. */
const ANCHOR = 1e-3;

/**
 * Moves rows so that the texts of a pair are near each other and far from those of other pairs (InfoNCE with Adagrad). A text is
 * the sum of its rows, so that the length of a row is what its word weighs, and is learned too. The same every time.
 */
export function train(table, dimensions, pairs, log) {
  const count = table.length / dimensions;
  const unit = meanLength(table, dimensions);
  const rows = Float64Array.from(table, (value) => value / unit);
  const before = rows.slice();
  const squares = new Float64Array(rows.length).fill(1e-6);
  const gradient = new Float64Array(rows.length);
  const touched = new Uint8Array(count);
  const random = randomNumbers(1);
  for (let step = 1; step <= STEPS; step++) {
    const batch = Array.from({ length: BATCH }, () => drawnPair(pairs, random));
    const sides = [0, 1].map((side) => batch.map((pair) => vectorOf(pair[side], rows, dimensions)));
    const { gradients, loss } = contrast(sides, dimensions);
    const used = [];
    for (const [side, texts] of gradients.entries()) {
      for (const [at, change] of texts.entries()) {
        for (const [row, weight] of batch[at][side]) {
          if (touched[row] === 0) used.push(row);
          touched[row] = 1;
          for (let d = 0; d < dimensions; d++) gradient[row * dimensions + d] += weight * change[d];
        }
      }
    }
    for (const row of used) {
      touched[row] = 0;
      for (let at = row * dimensions; at < (row + 1) * dimensions; at++) {
        const slope = gradient[at] + ANCHOR * (rows[at] - before[at]);
        squares[at] += slope * slope;
        rows[at] -= (RATE * slope) / Math.sqrt(squares[at]);
        gradient[at] = 0;
      }
    }
    if (step % 50 === 0) log(`step ${step} of ${STEPS}: loss ${loss.toFixed(2)}`);
  }
  return rows.map((value) => value * unit);
}

function meanLength(table, dimensions) {
  let sum = 0;
  for (let row = 0; row < table.length; row += dimensions) {
    sum += Math.hypot(...table.subarray(row, row + dimensions));
  }
  return (sum * dimensions) / table.length;
}

function drawnPair(pairs, random) {
  const all = Object.values(SHARES).reduce((sum, share) => sum + share, 0);
  let at = random() * all;
  const kind = Object.keys(SHARES).find((name) => {
    at -= SHARES[name];
    return at < 0;
  });
  const list = pairs[kind];
  return list[Math.floor(random() * list.length)];
}

function vectorOf(text, rows, dimensions) {
  const vector = new Float64Array(dimensions);
  for (const [row, weight] of text) {
    for (let d = 0; d < dimensions; d++) vector[d] += weight * rows[row * dimensions + d];
  }
  const length = Math.hypot(...vector) + 1e-6;
  return { unit: vector.map((value) => value / length), length };
}

/** How each text's sum should change, and how far the batch is from right. */
function contrast([ones, others], dimensions) {
  const likely = ones.map(({ unit }) =>
    others.map((other) => Math.exp((dot(unit, other.unit) - 1) / TEMPERATURE)),
  );
  const inRow = likely.map((row) => row.reduce((sum, value) => sum + value, 0));
  const inColumn = others.map((_, column) => likely.reduce((sum, row) => sum + row[column], 0));
  const gradients = [ones, others].map((side) => side.map(() => new Float64Array(dimensions)));
  let loss = 0;
  for (const [a, row] of likely.entries()) {
    for (const [b, value] of row.entries()) {
      const slope =
        ((value / inRow[a] + value / inColumn[b]) / 2 - (a === b ? 1 : 0)) / (TEMPERATURE * ones.length);
      if (a === b) loss -= (Math.log(value / inRow[a]) + Math.log(value / inColumn[b])) / 2 / ones.length;
      for (let d = 0; d < dimensions; d++) {
        gradients[0][a][d] += slope * others[b].unit[d];
        gradients[1][b][d] += slope * ones[a].unit[d];
      }
    }
  }
  for (const [side, texts] of [ones, others].entries()) {
    for (const [at, { unit, length }] of texts.entries()) {
      const change = gradients[side][at];
      const along = dot(change, unit);
      for (let d = 0; d < dimensions; d++) change[d] = (change[d] - along * unit[d]) / length;
    }
  }
  return { gradients, loss };
}

function dot(one, other) {
  let sum = 0;
  for (let d = 0; d < one.length; d++) sum += one[d] * other[d];
  return sum;
}

function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
