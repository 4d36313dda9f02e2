// Positions of any game.

/**
 * The side on each point (0 none, 1 the few, 2 the many), the pieces in hand by side, the plies left
 * (null if there is no limit), and the side to move, 0 or 1.
 * @typedef {{cells: Uint8Array, hand: number[], left: number | null, toMove: number}} Position
 */

/**
 * The points of the pieces of a side, in ascending order.
 * @param {Position} position
 * @param {number} side
 */
export function pieces({ cells }, side) {
  const found = [];
  for (let point = 0; point < cells.length; point += 1)
    if (cells[point] === side + 1) found.push(point);
  return found;
}
