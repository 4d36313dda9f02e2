// The numbering `hounds`, which hounds/index.rs of anser-core specifies: one piece against a pack that
// only
// goes up, on the squares of one color.

import { damaged } from "../problem.js";
import { byRank } from "./order.js";
import { pieces } from "./position.js";

/**
 * @typedef {import("./hunt.js").Hunt} Hunt
 * @typedef {import("./hunt.js").Position} Position
 */

/**
 * The numbers of sets by number of first squares, size, row sum, and squares on even rows, by game.
 * @type {WeakMap<Hunt, number[][][][]>}
 */
const KNOWN = new WeakMap();

/** @param {number} points @param {number} hounds @param {(square: number) => number} row */
function countSets(points, hounds, row) {
  const most = hounds * row(points - 1);
  const none = () =>
    Array.from({ length: hounds + 1 }, () =>
      Array.from({ length: most + 1 }, () => new Array(hounds + 1).fill(0)),
    );
  const counts = [none()];
  counts[0][0][0][0] = 1;
  for (let square = 0; square < points; square += 1) {
    const next = none();
    const [height, even] = [row(square), row(square) % 2 === 0 ? 1 : 0];
    counts[square].forEach((sums, size) => sums.forEach((evens, sum) => evens.forEach((count, on) => {
      if (count === 0) return;
      next[size][sum][on] += count;
      if (size < hounds) next[size + 1][sum + height][on + even] += count;
    })));
    counts.push(next);
  }
  return counts;
}

/** The numbering `hounds` of a layer. */
export class Hounds {
  /** @param {Hunt} game @param {number} layer */
  constructor(game, layer) {
    const size = Math.sqrt(2 * game.points);
    const hounds = game.description.sides[1].number[1];
    if (!Number.isInteger(size / 2) || game.description.sides[0].number[1] !== 1)
      throw damaged(game.description.name, "its board has no rows");
    this.symmetries = 1;
    this.row = (/** @type {number} */ square) => Math.floor(square / (size / 2));
    this.counts = KNOWN.get(game) ?? countSets(game.points, hounds, this.row);
    KNOWN.set(game, this.counts);
    const most = hounds * (size - 1);
    const [kept, left] = layer <= most ? [1, layer] : [0, layer - most - 1];
    const sum = most - left;
    /** By side to move: the parity of the row of the fox. */
    this.parities = [0, 1].map((turn) => (kept + sum + turn) % 2);
    const all = this.counts[game.points][hounds][sum];
    if (all === undefined) throw damaged(game.description.name, `there is no layer ${layer}`);
    /** By side to move and number of hounds on even rows: the first rank, and the places of the fox. */
    this.groups = this.parities.map((parity) => {
      let start = 0;
      return all.map((sets, even) => {
        const slots = (size * size) / 4 - (parity === 0 ? even : hounds - even);
        const group = { start, slots };
        start += sets * slots;
        return { ...group, end: start };
      });
    });
    this.lengths = this.groups.map((groups) => groups[hounds].end);
  }

  /** @param {Position} position */
  rank(position) {
    const [fox] = pieces(position, 0);
    const parity = this.parities[position.toMove];
    let [number, sum, even, place] = [0, 0, 0, 0];
    const hounds = pieces(position, 1);
    for (let square = 0; square < fox; square += 1)
      if (this.row(square) % 2 === parity && !hounds.includes(square)) place += 1;
    hounds.forEach((square, at) => {
      sum += this.row(square);
      even += this.row(square) % 2 === 0 ? 1 : 0;
      number += this.counts[square][at + 1][sum][even];
    });
    const { start, slots } = this.groups[position.toMove][even];
    return start + number * slots + place;
  }

  /** @param {number} side */
  order(side) {
    return byRank(this.lengths[side]);
  }
}
