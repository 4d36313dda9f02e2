// The numbering `hexapawn`, which hexapawn/index.rs of anser-core specifies: pawns of two sides that go
// to
// each other's first rows.

import { byRank } from "./order.js";

/**
 * @typedef {import("./hunt.js").Hunt} Hunt
 * @typedef {import("./hunt.js").Position} Position
 *
 * Words of a row with equal numbers of pawns: all, those that are their own images, and those that come
 * before their image.
 * @typedef {{white: number, black: number, all: number[], symmetric: number[], least: number[]}} Group
 *
 * The rest of the board above full rows: the pawns below, the rows to go of those here and above, and
 * whether
 * all rows below are their own images.
 * @typedef {{row: number, white: number, black: number, toGo: number, symmetric: boolean}} State
 */

/** The digits of a word, the leftmost column first. @param {number} word @param {number} columns */
const digitsOf = (word, columns) =>
  Array.from({ length: columns }, (_, at) => Math.floor(word / 3 ** at) % 3);

/** @param {number[]} digits */
const wordOf = (digits) => digits.reduceRight((word, digit) => word * 3 + digit, 0);

/** The ways to fill a board, by game. @type {WeakMap<Hunt, Ways>} */
const KNOWN = new WeakMap();

/** The numbers of ways to fill rows, by side to move. */
class Ways {
  /** @param {number} columns @param {number} rows */
  constructor(columns, rows) {
    this.columns = columns;
    this.rows = rows;
    /** @type {Group[]} */
    this.groups = [];
    for (let white = 0; white <= columns; white += 1) {
      for (let black = 0; black + white <= columns; black += 1)
        this.groups.push({ white, black, all: [], symmetric: [], least: [] });
    }
    for (let word = 0; word < 3 ** columns; word += 1) {
      const digits = digitsOf(word, columns);
      const image = wordOf([...digits].reverse());
      const count = (/** @type {number} */ pawn) => digits.filter((digit) => digit === pawn).length;
      const group = this.groups[this.groupOf(count(1), count(2))];
      group.all.push(word);
      if (image === word) group.symmetric.push(word);
      else if (word < image) group.least.push(word);
    }
    /** @type {Map<number, number>} */
    this.known = new Map();
  }

  /** @param {number} white @param {number} black */
  groupOf(white, black) {
    return this.groups.findIndex((group) => group.white === white && group.black === black);
  }

  /**
   * The state after a word of a group that is its own image; null if the row cannot have one.
   * @param {number} side
   * @param {State} state
   * @param {Group} group
   * @returns {State | null}
   */
  after(side, state, { white, black }) {
    const last = this.rows - 1;
    // Only the move just made can have brought a pawn to a far row.
    const most = side === 0 ? [0, 1] : [1, 0];
    if ((state.row === last && white > most[0]) || (state.row === 0 && black > most[1])) return null;
    const toGo = state.toGo - white * (last - state.row) - black * state.row;
    const next = {
      row: state.row + 1,
      white: state.white + white,
      black: state.black + black,
      toGo,
      symmetric: state.symmetric,
    };
    return toGo < 0 || next.white > this.columns || next.black > this.columns ? null : next;
  }

  /**
   * The ways with a word of this group in this row.
   * @param {number} side
   * @param {State} state
   * @param {Group} group
   * @returns {number}
   */
  with(side, state, group) {
    const next = this.after(side, state, group);
    if (next === null) return 0;
    if (!state.symmetric) return group.all.length * this.of(side, next);
    return (
      group.symmetric.length * this.of(side, next) +
      group.least.length * this.of(side, { ...next, symmetric: false })
    );
  }

  /**
   * The ways to fill this row and those above.
   * @param {number} side
   * @param {State} state
   * @returns {number}
   */
  of(side, state) {
    if (state.row === this.rows) {
      // The side that is not to move has a pawn.
      return state.toGo === 0 && (side === 0 ? state.black : state.white) > 0 ? 1 : 0;
    }
    const most = this.columns + 1;
    const key =
      ((((side * this.rows + state.row) * most + state.white) * most + state.black) *
        (2 * this.columns * this.rows + 1) +
        state.toGo) *
        2 +
      (state.symmetric ? 1 : 0);
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const ways = this.groups.reduce((sum, group) => sum + this.with(side, state, group), 0);
    this.known.set(key, ways);
    return ways;
  }
}

/** The numbering `hexapawn` of a layer. */
export class Hexapawn {
  /** @param {Hunt} game @param {number} layer */
  constructor(game, layer) {
    const columns = game.description.sides[1].number[1];
    this.ways = KNOWN.get(game) ?? new Ways(columns, game.points / columns);
    KNOWN.set(game, this.ways);
    this.symmetries = 2;
    this.empty = { row: 0, white: 0, black: 0, toGo: layer, symmetric: true };
    this.lengths = [0, 1].map((side) => this.ways.of(side, this.empty));
  }

  /** @param {Position} position */
  rank({ cells, toMove }) {
    const { ways } = this;
    /** @type {State} */
    let state = this.empty;
    let [mirrored, rank] = [false, 0];
    for (let row = 0; row < ways.rows; row += 1) {
      const digits = [...cells.subarray(row * ways.columns, (row + 1) * ways.columns)];
      const [own, image] = [wordOf(digits), wordOf([...digits].reverse())];
      const count = (/** @type {number} */ pawn) => digits.filter((digit) => digit === pawn).length;
      const number = ways.groupOf(count(1), count(2));
      const group = ways.groups[number];
      for (const before of ways.groups.slice(0, number)) rank += ways.with(toMove, state, before);
      const next = ways.after(toMove, state, group) ?? { ...this.empty, row: row + 1 };
      if (state.symmetric && image !== own) mirrored = image < own;
      const word = mirrored ? image : own;
      if (!state.symmetric) {
        rank += group.all.indexOf(word) * ways.of(toMove, next);
        state = next;
      } else if (image === own) {
        rank += group.symmetric.indexOf(word) * ways.of(toMove, next);
        state = next;
      } else {
        const closed = { ...next, symmetric: false };
        rank +=
          group.symmetric.length * ways.of(toMove, next) +
          group.least.indexOf(word) * ways.of(toMove, closed);
        state = closed;
      }
    }
    return rank;
  }

  /** @param {number} side */
  order(side) {
    return byRank(this.lengths[side]);
  }
}
