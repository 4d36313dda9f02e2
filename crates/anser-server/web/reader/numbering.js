// Numberings of the positions of a layer. hunt/numbering.rs of anser-core specifies `hunt`.

import { damaged } from "../problem.js";
import { Cross33 } from "./cross33.js";
import { Hexapawn } from "./hexapawn.js";
import { Hounds } from "./hounds.js";
import { byRank } from "./order.js";
import { pieces } from "./position.js";

/**
 * @typedef {import("./hunt.js").Hunt} Hunt
 * @typedef {import("./hunt.js").Position} Position
 * @typedef {import("./order.js").Order} Order
 *
 * The numbering of a layer: the order of its group of symmetries, the number of entries by side to
 * move,
 * the number of a position, and the order of the entries in packed tables.
 * @typedef {{symmetries: number, lengths: number[], rank: (position: Position) => number,
 *   order: (side: number) => Order}} Index
 */

/** The greatest number of entries: as a number each is exact. */
export const MOST_ENTRIES = Number.MAX_SAFE_INTEGER;

/**
 * Binomial coefficients by `n` and `k`; those beyond the greatest number of entries are not exact.
 * @type {number[][]}
 */
const BINOMIALS = [];
for (let n = 0; n <= 128; n += 1) {
  BINOMIALS.push(
    Array.from({ length: n + 1 }, (_, k) =>
      k === 0 || k === n ? 1 : BINOMIALS[n - 1][k - 1] + BINOMIALS[n - 1][k],
    ),
  );
}

/** @param {number} n @param {number} k */
const binomial = (n, k) => BINOMIALS[n][k] ?? 0;

/**
 * The number of lesser sets of the same size, of places in ascending order.
 * @param {number[]} places
 */
const colex = (places) => places.reduce((sum, place, at) => sum + binomial(place, at + 1), 0);

/** Most sets of the few on the board. */
const MOST_FEW_SETS = 2 ** 20;

/** The numbering of a layer of a game. @param {Hunt} game @param {number} layer @returns {Index} */
export function indexOf(game, layer) {
  switch (game.numbering) {
    case "hunt 1":
      return new General(game, layer);
    case "cross33 1":
      return new Cross33(game, layer);
    case "hounds 1":
      return new Hounds(game, layer);
    case "hexapawn 1":
      return new Hexapawn(game, layer);
    default:
      throw damaged(
        game.description.name,
        `its positions are numbered by ${game.numbering}, which this reader does not know`,
      );
  }
}

/**
 * Whether a set of points, in ascending order, is less than another of the same size.
 * @param {number[]} a
 * @param {number[]} b
 */
function isLess(a, b) {
  for (let at = a.length - 1; at >= 0; at -= 1) if (a[at] !== b[at]) return a[at] < b[at];
  return false;
}

/** @param {number[]} set @param {Uint8Array} images */
const imageOf = (set, images) => set.map((point) => images[point]).sort((a, b) => a - b);

/**
 * The orbit of a set of the few: its representative, the symmetries that fix it, the place of each free
 * point among them, and in layers by advance the sum of its heights and the numbers of sets by sum.
 * @typedef {{representative: number[], fixedBy: Uint8Array[], places: number[], free: number[],
 *   height: number, sums: Sums | null}} Orbit
 */

/** The numbers of sets of points by size and sum of heights. */
class Sums {
  /** @param {number[]} heights @param {number} most */
  constructor(heights, most) {
    this.heights = heights;
    const greatest = [...heights].sort((a, b) => b - a).slice(0, most).reduce((a, b) => a + b, 0);
    /** By number of first points, size, and sum. @type {number[][][]} */
    this.counts = [
      Array.from({ length: most + 1 }, (_, size) =>
        Array.from({ length: greatest + 1 }, (_, sum) => (size === 0 && sum === 0 ? 1 : 0)),
      ),
    ];
    heights.forEach((height, place) => {
      const before = this.counts[place];
      this.counts.push(
        before.map((sums, size) =>
          sums.map(
            (without, sum) =>
              without + (size > 0 && sum >= height ? before[size - 1][sum - height] : 0),
          ),
        ),
      );
    });
  }

  /**
   * The number of sets of `size` of the first `places` points with this sum.
   * @param {number} places
   * @param {number} size
   * @param {number} sum
   */
  of(places, size, sum) {
    return this.counts[places][size]?.[sum] ?? 0;
  }
}

/** The orbits of the sets of one number of the few, by game. @type {WeakMap<Hunt, Map<number, Few>>} */
const KNOWN = new WeakMap();

/** The orbits of the sets of one number of the few. */
class Few {
  /** @param {Hunt} game @param {number} count */
  constructor(game, count) {
    const { points, symmetries, movers, description } = game;
    const sets = binomial(points, count);
    if (sets > MOST_FEW_SETS) throw damaged(description.name, `${sets} sets of the few are too many`);
    /** By number of a set: its orbit, from 1, and the symmetry to the representative. */
    this.orbitOf = new Uint32Array(sets);
    this.symmetryOf = new Uint8Array(sets);
    /** @type {Orbit[]} */
    this.orbits = [];
    const inverses = symmetries.map((images) =>
      symmetries.findIndex((back) => images.every((to, point) => back[to] === point)),
    );
    // The sets in ascending order, as colex numbers them.
    const set = Array.from({ length: count }, (_, at) => at);
    for (let number = 0; number < sets; number += 1) {
      if (number > 0) {
        let at = 0;
        while (at + 1 < count && set[at] + 1 === set[at + 1]) at += 1;
        set[at] += 1;
        for (let below = 0; below < at; below += 1) set[below] = below;
      }
      if (this.orbitOf[number] > 0) continue;
      const representative = [...set];
      /** @type {Uint8Array[]} */
      const fixedBy = [];
      symmetries.forEach((images, symmetry) => {
        const image = colex(imageOf(representative, images));
        if (image === number && symmetry > 0) fixedBy.push(images);
        if (this.orbitOf[image] === 0)
          [this.orbitOf[image], this.symmetryOf[image]] = [this.orbits.length + 1, inverses[symmetry]];
      });
      const free = Array.from({ length: points }, (_, point) => point).filter(
        (point) => !representative.includes(point),
      );
      this.orbits.push({
        representative,
        fixedBy,
        free,
        places: Array.from(
          { length: points },
          (_, point) => point - representative.filter((other) => other < point).length,
        ),
        height: representative.reduce((sum, point) => sum + movers[0].heights[point], 0),
        sums:
          description.layers === "advance"
            ? new Sums(
                free.map((point) => movers[1].heights[point]),
                description.sides[1].number[1],
              )
            : null,
      });
    }
  }

  /** @param {Hunt} game @param {number} count */
  static of(game, count) {
    /** @type {Map<number, Few>} */
    const known = KNOWN.get(game) ?? new Map();
    KNOWN.set(game, known);
    const few = known.get(count) ?? new Few(game, count);
    known.set(count, few);
    return few;
  }
}

/** The numbering `hunt`, of any game. */
class General {
  /** @param {Hunt} game @param {number} layer */
  constructor(game, layer) {
    this.game = game;
    this.symmetries = game.symmetries.length;
    const { few, many, height } = game.layering.contentsOf(layer);
    this.least = [few[0], many[0]];
    /**
     * By number of the few above the least, orbit, and number of the many above the least: the first
     * entry, and the sum of the heights of the many.
     * @type {{start: number, height: number}[][][]}
     */
    this.segments = [];
    let start = 0;
    for (let count = few[0]; count <= few[1]; count += 1) {
      this.segments.push(
        Few.of(game, count).orbits.map((orbit) => {
          const segments = [];
          for (let size = many[0]; size <= many[1]; size += 1) {
            const left = height === null ? 0 : height - orbit.height;
            segments.push({ start, height: left });
            if (left >= 0)
              start +=
                orbit.sums === null
                  ? binomial(orbit.free.length, size)
                  : orbit.sums.of(orbit.free.length, size, left);
          }
          return segments;
        }),
      );
    }
    this.lengths = [start, start];
  }

  /** @param {Position} position */
  rank(position) {
    const few = pieces(position, 0);
    const orbits = Few.of(this.game, few.length);
    const set = colex(few);
    const number = orbits.orbitOf[set] - 1;
    const orbit = orbits.orbits[number];
    const symmetry = orbits.symmetryOf[set];
    const there = pieces(position, 1);
    const turned = symmetry > 0 ? imageOf(there, this.game.symmetries[symmetry]) : there;
    const many = orbit.fixedBy
      .map((images) => imageOf(turned, images))
      .reduce((least, image) => (isLess(image, least) ? image : least), turned);
    const { start } = this.segments[few.length - this.least[0]][number][many.length - this.least[1]];
    return start + rankIn(orbit, many);
  }

  order() {
    return byRank(this.lengths[0]);
  }
}

/** The number of lesser sets of the many. @param {Orbit} orbit @param {number[]} many */
function rankIn({ places, sums }, many) {
  if (sums === null) return colex(many.map((point) => places[point]));
  let [rank, sum] = [0, 0];
  many.forEach((point, at) => {
    sum += sums.heights[places[point]];
    rank += sums.of(places[point], at + 1, sum);
  });
  return rank;
}
