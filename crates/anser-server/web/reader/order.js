// The order of the entries of packed tables, which order.rs of anser-core specifies.

/**
 * The place of an entry by its rank.
 * @typedef {{place: (rank: number) => number}} Order
 *
 * A grid of entries: the number of its rows and columns, and the places of both.
 * @typedef {{rows: number, columns: number, row: (number: number) => number,
 *   column: (number: number) => number}} Grid
 */

/** Entries of a word. */
const WORD = 64;

/** The order of entries by rank. @param {number} length @returns {Order} */
export function byRank(length) {
  // One row: its whole groups of columns are the second part, and what is left of them the third.
  return { place: (rank) => (rank < length ? rank : -1) };
}

/**
 * The order of grids, whose ranks follow each other.
 * @param {Grid[]} all
 * @returns {Order}
 */
export function byGrids(all) {
  const grids = all.filter(({ rows, columns }) => rows * columns > 0);
  const whole = (/** @type {number} */ count) => count - (count % WORD);
  const lengths = grids.map(({ rows, columns }) => [
    whole(rows) * columns,
    (rows % WORD) * whole(columns),
    (rows % WORD) * (columns % WORD),
  ]);
  /** By grid: the first place of each part. */
  const parts = grids.map(() => [0, 0, 0]);
  let place = 0;
  for (const part of [0, 1, 2]) {
    grids.forEach((_, number) => {
      parts[number][part] = place;
      place += lengths[number][part];
    });
  }
  let start = 0;
  const starts = grids.map(({ rows, columns }) => {
    const first = start;
    start += rows * columns;
    return first;
  });
  return {
    place(rank) {
      let [low, high] = [0, grids.length];
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (starts[middle] <= rank) low = middle;
        else high = middle;
      }
      const { rows, columns, row: rowPlace, column: columnPlace } = grids[low];
      const [first, second, third] = parts[low];
      const offset = rank - starts[low];
      const [row, column] = [rowPlace(Math.floor(offset / columns)), columnPlace(offset % columns)];
      if (row < whole(rows)) return first + whole(row) * columns + (row % WORD) + column * WORD;
      const left = row - whole(rows);
      if (column < whole(columns))
        return second + (((column / WORD) | 0) * (rows % WORD) + left) * WORD + (column % WORD);
      return third + left * (columns % WORD) + column - whole(columns);
    },
  };
}
