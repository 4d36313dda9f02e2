// The numbering `cross33`, which fox_geese/index.rs of anser-core specifies, on the cross of 33 points.

import { damaged } from "../problem.js";
import { byGrids } from "./order.js";
import { pieces } from "./position.js";

/**
 * @typedef {import("./hunt.js").Hunt} Hunt
 * @typedef {import("./hunt.js").Position} Position
 */

/** The points by their coordinates from the middle, in their order. */
const POINTS = /** @type {number[][]} */ ([]);
for (let y = -3; y <= 3; y += 1) {
  for (let x = -3; x <= 3; x += 1) if (Math.abs(x) <= 1 || Math.abs(y) <= 1) POINTS.push([x, y]);
}
const CENTER = 16;

/** The subgroups of the square, as masks of the symmetries in them. */
const SUBGROUPS = [0x01, 0x03, 0x05, 0x09, 0x11, 0x81, 0x0f, 0x69, 0x99, 0xff];

/** Words of a half. */
const SETS = 1 << 16;

/** By symmetry: the image of each point. */
const IMAGES = Array.from({ length: 8 }, (_, symmetry) =>
  POINTS.map(([x, y]) => {
    const [a, b] = symmetry & 4 ? [y, x] : [x, y];
    const image = [symmetry & 1 ? -a : a, symmetry & 2 ? -b : b];
    return POINTS.findIndex(([px, py]) => px === image[0] && py === image[1]);
  }));

/** By half, outer and inner: the points of its bits. */
const HALVES = [0, 1].map((half) =>
  POINTS.map((_, point) => point).filter((point) => {
    const [x, y] = POINTS[point].map(Math.abs);
    const isInner = Math.max(x, y) === 1 || (Math.max(x, y) === 2 && x + y === 3);
    return point !== CENTER && isInner === (half === 1);
  }));

/** By point: its half, and its bit there. */
const BITS = POINTS.map((_, point) => {
  const half = HALVES[0].includes(point) ? 0 : 1;
  return [half, HALVES[half].indexOf(point)];
});

/** @param {number} mask */
const members = (mask) =>
  IMAGES.map((_, symmetry) => symmetry).filter((symmetry) => (mask >> symmetry) & 1);

/** @param {number} word */
function bitsOf(word) {
  let count = 0;
  for (let rest = word; rest > 0; rest &= rest - 1) count += 1;
  return count;
}

/**
 * By half and symmetry: the images of the low bytes and of the high bytes of words.
 * @type {Uint16Array[][][]}
 */
const BYTES = HALVES.map((points, half) =>
  IMAGES.map((images) =>
    [0, 8].map((first) =>
      Uint16Array.from({ length: 256 }, (_, byte) => {
        let image = 0;
        for (let bit = 0; bit < 8; bit += 1)
          if ((byte >> bit) & 1) image |= 1 << BITS[images[points[first + bit]]][1];
        return image;
      }),
    ),
  ),
);

/** @param {number} half @param {number} word @param {number} symmetry */
const imageOf = (half, word, symmetry) =>
  BYTES[half][symmetry][0][word & 0xff] | BYTES[half][symmetry][1][word >> 8];

/**
 * The classes of outer words: the place of each among the canonical ones with as many points and the
 * same
 * subgroup, the number of that subgroup, and the symmetry to the canonical word; and the canonical
 * words by
 * number of points and subgroup.
 * @typedef {{place: Uint16Array, subgroup: Uint8Array, symmetry: Uint8Array,
 *   canonical: number[][][]}} Outer
 *
 * The classes of inner words: the place of each among those with as many points, and the canonical
 * words.
 * @typedef {{place: Uint16Array, canonical: number[][]}} Inner
 */

/** @type {Map<number, Outer>} */
const OUTER = new Map();
/** @type {Map<number, Inner>} */
const INNER = new Map();

/** @template T @param {Map<number, T>} known @param {number} key @param {() => T} make @returns {T} */
function once(known, key, make) {
  const found = known.get(key) ?? make();
  known.set(key, found);
  return found;
}

/** The classes of outer words under a group. @param {number} mask @returns {Outer} */
const outerOf = (mask) =>
  once(OUTER, mask, () => {
    const group = members(mask);
    const [place, subgroup, symmetry] = [
      new Uint16Array(SETS),
      new Uint8Array(SETS),
      new Uint8Array(SETS),
    ];
    const canonical = Array.from({ length: 17 }, () =>
      SUBGROUPS.map(() => /** @type {number[]} */ ([])),
    );
    for (let word = 0; word < SETS; word += 1) {
      // Words come in ascending order, so the canonical one of each class comes first.
      let [least, best, fixed] = [word, 0, 0];
      for (const member of group) {
        const image = imageOf(0, word, member);
        if (image < least) [least, best] = [image, member];
        if (image === word) fixed |= 1 << member;
      }
      if (least < word) {
        [place[word], subgroup[word], symmetry[word]] = [place[least], subgroup[least], best];
        continue;
      }
      subgroup[word] = SUBGROUPS.indexOf(fixed);
      const list = canonical[bitsOf(word)][subgroup[word]];
      place[word] = list.length;
      list.push(word);
    }
    return { place, subgroup, symmetry, canonical };
  });

/** The classes of inner words under a subgroup. @param {number} number @returns {Inner} */
const innerOf = (number) => once(INNER, number, () => {
  const group = members(SUBGROUPS[number]);
  const place = new Uint16Array(SETS);
  const canonical = Array.from({ length: 17 }, () => /** @type {number[]} */ ([]));
  for (let word = 0; word < SETS; word += 1) {
    let least = word;
    for (const member of group) least = Math.min(least, imageOf(1, word, member));
    if (least < word) {
      place[word] = place[least];
      continue;
    }
    const list = canonical[bitsOf(word)];
    place[word] = list.length;
    list.push(word);
  }
  return { place, canonical };
});

/** Whether a place comes after another, x first. @param {number} a @param {number} b */
const isBeyond = (a, b) =>
  POINTS[a][0] > POINTS[b][0] || (POINTS[a][0] === POINTS[b][0] && POINTS[a][1] > POINTS[b][1]);

/** The numbering `cross33` of a layer. */
export class Cross33 {
  /** @param {Hunt} game @param {number} layer */
  constructor(game, layer) {
    if (game.points !== POINTS.length)
      throw damaged(game.description.name, "its board is not the cross of 33 points");
    const kept = members(0xff).filter((symmetry) =>
      game.symmetries.some((images) => images.every((to, point) => to === IMAGES[symmetry][point])),
    );
    const mask = kept.reduce((all, symmetry) => all | (1 << symmetry), 0);
    this.symmetries = kept.length;
    this.geese = layer;
    /** By point: the symmetry to the representative. */
    this.toRepresentative = POINTS.map((_, point) =>
      kept.reduce(
        (best, symmetry) => (isBeyond(IMAGES[symmetry][point], IMAGES[best][point]) ? symmetry : best),
        0,
      ),
    );
    const representatives = POINTS.map((_, point) => point).filter(
      (point) => IMAGES[this.toRepresentative[point]][point] === point,
    );
    representatives.sort((a, b) => (isBeyond(a, b) ? 1 : -1));
    this.classes = representatives.map((fox) => {
      const fixing = members(mask)
        .filter((symmetry) => IMAGES[symmetry][fox] === fox)
        .reduce((all, symmetry) => all | (1 << symmetry), 0);
      return { fox, outer: outerOf(fixing) };
    });
    /** By point: its class. */
    this.classOf = POINTS.map((_, point) =>
      representatives.indexOf(IMAGES[this.toRepresentative[point]][point]),
    );
    /** By class, number of outer points, and subgroup: the first rank. @type {number[][][]} */
    this.bases = [];
    /** @type {{class: number, outer: number, subgroup: number}[]} */
    this.segments = [];
    let length = 0;
    this.classes.forEach(({ outer: { canonical } }, number) => {
      this.bases.push(canonical.map((lists, outer) => lists.map((list, subgroup) => {
        const base = length;
        // Subgroups without words need no tables.
        const size = list.length === 0 ? 0 : list.length * this.inners(subgroup, outer).length;
        if (size > 0) this.segments.push({ class: number, outer, subgroup });
        length += size;
        return base;
      })));
    });
    this.lengths = [length, length];
  }

  /**
   * The canonical inner words beside `outer` outer points.
   * @param {number} subgroup
   * @param {number} outer
   * @returns {number[]}
   */
  inners(subgroup, outer) {
    return innerOf(subgroup).canonical[this.geese - outer] ?? [];
  }

  /** @param {Position} position */
  rank(position) {
    const [fox] = pieces(position, 0);
    const words = [0, 0];
    for (const goose of pieces(position, 1)) {
      // A goose in the middle is written at the bit of the fox's point.
      const [half, bit] = BITS[goose === CENTER ? fox : goose];
      words[half] |= 1 << bit;
    }
    const turned = words.map((word, half) => imageOf(half, word, this.toRepresentative[fox]));
    const number = this.classOf[fox];
    const { place, subgroup, symmetry } = this.classes[number].outer;
    const [outer, inner] = turned.map((word, half) => imageOf(half, word, symmetry[turned[0]]));
    const [count, group] = [bitsOf(outer), subgroup[outer]];
    return (
      this.bases[number][count][group] +
      place[outer] * this.inners(group, count).length +
      innerOf(group).place[inner]
    );
  }

  order() {
    /** @type {Map<number, number[]>} */
    const places = new Map();
    return byGrids(
      this.segments.map((segment) => {
        const {
          fox,
          outer: { canonical },
        } = this.classes[segment.class];
        const [outers, inners] = [
          canonical[segment.outer][segment.subgroup],
          this.inners(segment.subgroup, segment.outer),
        ];
        const key = (segment.class * 17 + segment.outer) * 10 + segment.subgroup;
        // Sorting takes time, so the places of a grid are found when one is asked for.
        return {
          rows: outers.length,
          columns: inners.length,
          row: (number) => once(places, 2 * key, () => placesOf(fox, 0, outers))[number],
          column: (number) => once(places, 2 * key + 1, () => placesOf(fox, 1, inners))[number],
        };
      }),
    );
  }
}

/**
 * The place of each word of a half, in the order of the words read from the point farthest from the
 * fox.
 * @param {number} fox
 * @param {number} half
 * @param {number[]} words
 */
function placesOf(fox, half, words) {
  const square = (/** @type {number} */ a, /** @type {number} */ b) =>
    (POINTS[a][0] - POINTS[b][0]) ** 2 + (POINTS[a][1] - POINTS[b][1]) ** 2;
  const weight = (/** @type {number} */ point) => square(point, fox) + 2 * square(point, CENTER);
  const bits = HALVES[half]
    .map((_, bit) => bit)
    .sort((a, b) => weight(HALVES[half][b]) - weight(HALVES[half][a]) || a - b);
  const reading = (/** @type {number} */ word) =>
    bits.reduce((read, bit, at) => read | (((word >> bit) & 1) << at), 0);
  const readings = words.map(reading);
  const order = words.map((_, number) => number).sort((a, b) => readings[a] - readings[b]);
  /** @type {number[]} */
  const places = [];
  order.forEach((number, place) => { places[number] = place; });
  return places;
}
