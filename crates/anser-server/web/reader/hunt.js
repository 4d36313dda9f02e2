// The rules of a game from its description: positions, moves, ends, and layers. hunt/rules.rs and
// hunt/layers.rs of anser-core have the same in Rust.

import { damaged } from "../problem.js";
import { meaning, readDescription } from "./description.js";
import { Notation } from "./notation.js";
import { pieces } from "./position.js";
import { symmetriesOf } from "./symmetries.js";
import { xxh3 } from "./xxh3.js";

/**
 * @typedef {import("./position.js").Position} Position
 * @typedef {"pass" | "placement" | "step" | "jump" | "capture"} Kind
 *
 * A move with what it leads to. `ended` is the number of the rule by which the move itself ended the
 * game, and null if the position after it decides.
 * @typedef {{kind: Kind, path: number[], position: Position, ended: number | null}} Move
 * @typedef {import("./description.js").Description} Description
 * @typedef {import("./description.js").End} End
 */

/** The outcome of a draw. Every other outcome is the number of the side that wins. */
export const DRAW = -1;

/** @param {number} side */
const other = (side) => 1 - side;

/** The moves of one side, by the point of the piece. */
class Mover {
  /** @param {Description} description @param {number} number */
  constructor(description, number) {
    const of = description.sides[number];
    const lists = () => description.points.map(() => /** @type {number[][]} */ ([]));
    this.of = of;
    this.order = of.order;
    this.region =
      of.region.length === 0
        ? description.points.map((_, point) => point)
        : [...of.region].sort((a, b) => a - b);
    this.steps = lists();
    this.jumps = lists();
    this.captures = lists();
    for (const [from, to] of of.steps) this.steps[from].push([to]);
    for (const [from, over, to] of of.jumps) this.jumps[from].push([over, to]);
    for (const [from, to] of of.captures) this.captures[from].push([to]);
    this.reach = reach(this.steps);
    this.heights = heights(this.steps, this.reach);
  }
}

/** For each point those that a path of steps leads to, itself included. @param {number[][][]} steps */
function reach(steps) {
  return steps.map((_, from) => {
    const found = new Set([from]);
    for (const point of found) for (const [to] of steps[point]) found.add(to);
    return found;
  });
}

/**
 * For each point the greatest number of steps from it that lead to points from which no path leads
 * back.
 * @param {number[][][]} steps
 * @param {Set<number>[]} reached
 */
function heights(steps, reached) {
  /** @type {(number | undefined)[]} */
  const known = steps.map(() => undefined);
  const height = (/** @type {number} */ from) => {
    const before = known[from];
    if (before !== undefined) return before;
    let most = 0;
    for (const member of reached[from]) {
      if (!reached[member].has(from)) continue;
      for (const [to] of steps[member])
        if (!reached[to].has(from)) most = Math.max(most, height(to) + 1);
    }
    known[from] = most;
    return most;
  };
  return steps.map((_, from) => height(from));
}

/** A game, from the text of its description and the name and version of its numbering: `hunt 1`. */
export class Hunt {
  /** @param {string} text @param {string} numbering */
  constructor(text, numbering) {
    const description = readDescription(text);
    this.description = description;
    this.numbering = numbering;
    this.points = description.points.length;
    this.movers = [0, 1].map((side) => new Mover(description, side));
    this.ends = description.ends;
    this.arrivals = [0, 1].map(
      (side) =>
        new Set(
          this.ends
            .filter((end) => end.condition === "arrived" && end.side === side)
            .flatMap((end) => end.points),
        ),
    );
    this.captureRules =
      1 + this.ends.findLastIndex(({ condition }) => condition === "captured" || condition === "fewer");
    this.endsByMoves = description.layers === "pieces" || description.layers === "placement";
    this.start = this.positionOf(
      description.sides.map((side) => side.start),
      description.sides.map((side) => side.hand),
      description.first,
    );
    this.notation = new Notation(this);
    /** The permutations of the points that keep the rules, as images of each point. */
    this.symmetries = symmetriesOf(description);
    this.layering = new Layering(this);
  }

  /** The hash of what the rules mean, which tables carry. */
  get fingerprint() {
    return xxh3(new TextEncoder().encode(`${meaning(this.description)}numbering ${this.numbering}\n`));
  }

  /**
   * The position with these pieces and all plies left.
   * @param {number[][]} sets
   * @param {number[]} hand
   * @param {number} toMove
   * @returns {Position}
   */
  positionOf(sets, hand, toMove) {
    const cells = new Uint8Array(this.points);
    sets.forEach((set, side) => set.forEach((point) => { cells[point] = side + 1; }));
    return { cells, hand: [...hand], left: this.description.plies, toMove };
  }

  /**
   * Whether the side to move has a placement, a step, a jump, or a capture.
   * @param {Position} position
   */
  canMove(position) {
    const { cells, toMove } = position;
    const mover = this.movers[toMove];
    if (position.hand[toMove] > 0) return mover.region.some((point) => cells[point] === 0);
    for (let from = 0; from < cells.length; from += 1) {
      if (cells[from] !== toMove + 1) continue;
      if (mover.steps[from].some(([to]) => cells[to] === 0)) return true;
      if (mover.captures[from].some(([to]) => cells[to] === other(toMove) + 1)) return true;
      if (this.canJump(cells, toMove, from)) return true;
    }
    return false;
  }

  /**
   * Whether the piece on a point can jump.
   * @param {Uint8Array} cells
   * @param {number} side
   * @param {number} from
   */
  canJump(cells, side, from) {
    return this.movers[side].jumps[from].some(
      ([over, to]) => cells[over] === other(side) + 1 && cells[to] === 0,
    );
  }

  /** Whether an end holds in a position. @param {End} end @param {Position} position */
  holds(end, position) {
    const { cells, hand, toMove } = position;
    if (end.toMove !== null && end.toMove !== toMove) return false;
    if (end.afterPlacement && (hand[0] > 0 || hand[1] > 0)) return false;
    if (!this.isTrue(end, position)) return false;
    const { start } = this;
    const isStart = () =>
      toMove === start.toMove &&
      position.left === start.left &&
      hand.every((count, side) => count === start.hand[side]) &&
      cells.every((cell, point) => cell === start.cells[point]);
    return !(end.exceptStart && isStart());
  }

  /** @param {End} end @param {Position} position */
  isTrue({ condition, side, count, points }, position) {
    const { cells } = position;
    const of = side ?? 0;
    switch (condition) {
      case "blocked": return position.toMove === of && !this.canMove(position);
      case "fewer": return pieces(position, of).length + position.hand[of] < count;
      case "reached":
      case "arrived": return points.some((point) => cells[point] === of + 1);
      case "filled": return points.every((point) => cells[point] === of + 1);
      case "escaped": return this.hasEscaped(position);
      case "behind": {
        const [few, many] = [cells.indexOf(1), cells.indexOf(2)];
        return few >= 0 && many >= 0 && few < Math.min(many + count, 255);
      }
      case "out-of-plies": return position.left === 0;
      default: return false;
    }
  }

  /** @param {Position} position */
  hasEscaped(position) {
    const [few] = pieces(position, 0);
    const many = pieces(position, 1);
    const isReached = (/** @type {number} */ point) =>
      many.some((from) => this.movers[1].reach[from].has(point));
    return (
      few !== undefined && !isReached(few) && this.movers[0].steps[few].some(([to]) => !isReached(to))
    );
  }

  /** The number of the first end that holds in a position, or null. @param {Position} position */
  ending(position) {
    const found = this.ends.findIndex((end) => this.holds(end, position));
    return found < 0 ? null : found;
  }

  /**
   * Whether the game is over where a chain could go on: by the pieces and their places. Who is
   * blocked, and how many plies are left, counts after the turn.
   * @param {Position} position
   */
  isOverInTurn(position) {
    const later = ["blocked", "out-of-plies"];
    return this.ends.some((end) => !later.includes(end.condition) && this.holds(end, position));
  }

  /** The number of the end that a move brought about, or null. @param {Move} move */
  endingAfter({ ended, position }) {
    return ended ?? this.ending(position);
  }

  /**
   * The number of the rule by which a capture itself ends the game, or null.
   * @param {number} side
   * @param {Position} position
   */
  afterCapture(side, position) {
    let ended = null;
    for (let number = 0; number < this.captureRules; number += 1) {
      const end = this.ends[number];
      let byMove = false;
      if (end.condition === "captured" && end.side === side) byMove = ended === null;
      else if (this.holds(end, position)) byMove = this.endsByMoves && end.condition === "fewer";
      else continue;
      ended ??= number;
      if (byMove) return ended;
    }
    return null;
  }

  /** The legal moves, in generation order. @param {Position} position @returns {Move[]} */
  moves(position) {
    /** @type {Move[]} */
    const found = [];
    if (this.ends.some((end) => end.condition !== "blocked" && this.holds(end, position))) return found;
    const { cells, toMove } = position;
    const mover = this.movers[toMove];
    const [own, theirs] = [toMove + 1, other(toMove) + 1];
    const left = position.left === null ? null : Math.max(0, position.left - 1);
    const next = (/** @type {Uint8Array} */ after, hand = position.hand) => ({
      cells: after,
      hand,
      left,
      toMove: other(toMove),
    });
    const changed = (/** @type {Uint8Array} */ before, /** @type {number[][]} */ ...to) => {
      const after = before.slice();
      for (const [point, cell] of to) after[point] = cell;
      return after;
    };
    if (position.hand[toMove] > 0) {
      const hand = position.hand.map((count, side) => (side === toMove ? count - 1 : count));
      for (const point of mover.region) {
        if (cells[point] === 0)
          found.push({
            kind: "placement",
            path: [point],
            position: next(changed(cells, [point, own]), hand),
            ended: null,
          });
      }
    } else {
      const there = pieces(position, toMove);
      const mustJump = mover.of.compulsory && there.some((from) => this.canJump(cells, toMove, from));
      const chain = (
        /** @type {Uint8Array} */ before,
        /** @type {number} */ from,
        /** @type {number[]} */ path,
      ) => {
        for (const [over, to] of mover.jumps[from]) {
          if (before[over] !== theirs || before[to] !== 0) continue;
          const after = changed(before, [from, 0], [over, 0], [to, own]);
          const jumped = [...path, to];
          const ended = this.afterCapture(toMove, next(after));
          const goesOn =
            ended === null &&
            mover.of.chain &&
            this.canJump(after, toMove, to) &&
            !this.isOverInTurn(next(after));
          if (!(goesOn && mover.of.compulsory))
            found.push({ kind: "jump", path: jumped, position: next(after), ended });
          if (goesOn) chain(after, to, jumped);
        }
      };
      for (const from of mover.order.length === 0
        ? there
        : mover.order.filter((point) => cells[point] === own)) {
        chain(cells, from, [from]);
        if (mustJump) continue;
        for (const [to] of mover.steps[from]) {
          if (cells[to] === 0)
            found.push({
              kind: "step",
              path: [from, to],
              position: next(changed(cells, [from, 0], [to, own])),
              ended: null,
            });
        }
        for (const [to] of mover.captures[from]) {
          if (cells[to] !== theirs) continue;
          const after = next(changed(cells, [from, 0], [to, own]));
          found.push({
            kind: "capture",
            path: [from, to],
            position: after,
            ended: this.afterCapture(toMove, after),
          });
        }
      }
    }
    if (found.length === 0 && this.ending(position) === null) {
      found.push({ kind: "pass", path: [], position: next(cells), ended: null });
    }
    return found;
  }

  /**
   * Whether an arrangement, whose numbers of pieces are right, is a position.
   * @param {Position} position
   */
  isPosition(position) {
    const last = other(position.toMove);
    if (pieces(position, last).length === 0 && position.hand[last] === 0) return false;
    const arrived = (/** @type {number} */ side) =>
      pieces(position, side).filter((point) => this.arrivals[side].has(point)).length;
    return arrived(position.toMove) === 0 && arrived(last) <= 1;
  }

  /** The layer of a position. @param {Position} position */
  layer(position) {
    return this.layering.of(position);
  }
}

/**
 * The positions of a layer: the numbers of pieces on the board, those in hand, the plies left, and the
 * sum of heights.
 */
/**
 * @typedef {{few: number[], many: number[], hand: number[], left: number | null,
 *   height: number | null}} Contents
 */

/** Layers: which positions they hold. */
class Layering {
  /** @param {Hunt} game */
  constructor(game) {
    this.game = game;
    const { layers, sides, plies } = game.description;
    const [few, many] = sides.map(({ number }) => number);
    /** @type {Contents} */
    const any = { few, many, hand: [0, 0], left: null, height: null };
    /** The positions of each layer. @type {Contents[]} */
    this.contents = [];
    /** By number of captured pieces: the least and the greatest number of the many on the board. */
    this.placed = sides.map(({ number, hand }) => number[1] - hand);
    if (layers === "pieces") {
      for (let layer = 0; layer <= many[1]; layer += 1) {
        this.contents.push(
          layer < many[0] ? { ...any, few: [1, 0], many: [1, 0] } : { ...any, many: [layer, layer] },
        );
      }
    } else if (layers === "plies") {
      for (let left = 0; left <= (plies ?? 0); left += 1) this.contents.push({ ...any, left });
    } else if (layers === "advance") {
      const sum = (/** @type {number} */ end) =>
        sides.reduce((total, { number }, side) => {
          const all = [...game.movers[side].heights].sort((a, b) => (end === 0 ? a - b : b - a));
          return total + all.slice(0, number[end]).reduce((a, b) => a + b, 0);
        }, 0);
      const [low, high] = [sum(0), sum(1)];
      const halves = game.numbering === "hounds 1" ? 2 : 1;
      for (let half = 0; half < halves; half += 1) {
        for (let height = low; height <= high; height += 1) this.contents.push({ ...any, height });
      }
    } else {
      for (let captured = many[1] - many[0]; captured >= 0; captured -= 1) {
        for (let on = few[1]; on >= this.placed[0]; on -= 1) {
          const [least, most] = this.manyPlaced(captured);
          for (let there = most; there >= least; there -= 1) {
            this.contents.push({
              ...any,
              few: [on, on],
              many: [there, there],
              hand: [few[1] - on, many[1] - captured - there],
            });
          }
        }
      }
    }
  }

  /** The least and the greatest number of the many on the board. @param {number} captured */
  manyPlaced(captured) {
    return [
      Math.max(0, this.placed[1] - captured),
      this.game.description.sides[1].number[1] - captured,
    ];
  }

  /** The layer of a position. @param {Position} position */
  of(position) {
    const { description, movers, points, numbering } = this.game;
    const many = pieces(position, 1).length;
    if (description.layers === "pieces") return many;
    if (description.layers === "plies") return position.left ?? 0;
    if (description.layers === "advance") {
      let layer = -(this.contents[0].height ?? 0);
      position.cells.forEach((cell, point) => {
        if (cell > 0) layer += movers[cell - 1].heights[point];
      });
      if (numbering !== "hounds 1") return layer;
      // Play never leaves the half in which rows and side to move have the parity of the start.
      const width = Math.sqrt(points / 2);
      const odd = position.cells.filter(
        (cell, point) => cell > 0 && Math.floor(point / width) % 2 === 1,
      ).length;
      return layer + ((odd + position.toMove + 1) % 2) * (this.contents.length / 2);
    }
    const [most, all] = description.sides.map(({ number }) => number[1]);
    const captured = all - many - position.hand[1];
    const fews = most - this.placed[0] + 1;
    const manies = (/** @type {number} */ number) => {
      const [least, greatest] = this.manyPlaced(number);
      return greatest - least + 1;
    };
    let layer =
      (most - pieces(position, 0).length) * manies(captured) + this.manyPlaced(captured)[1] - many;
    for (let number = captured + 1; number <= all - description.sides[1].number[0]; number += 1)
      layer += fews * manies(number);
    return layer;
  }

  /** The positions of a layer. @param {number} layer @returns {Contents} */
  contentsOf(layer) {
    const found = this.contents[layer];
    if (found === undefined) throw damaged(this.game.description.name, `there is no layer ${layer}`);
    return found;
  }
}
