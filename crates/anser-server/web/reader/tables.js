// The values of positions from the tables of a game, by the rules, or by one ply of look-ahead, as
// probe.rs
// of anser-table finds them, and the answers that `GET /api/v1/probe` and `/line` have of them.

import { DRAW } from "./hunt.js";
import { Problem, damaged } from "../problem.js";

/**
 * @typedef {import("./hunt.js").Hunt} Hunt
 * @typedef {import("./hunt.js").Position} Position
 * @typedef {import("./hunt.js").Move} Move
 * @typedef {import("./table.js").Table} Table
 * @typedef {import("./table.js").Metric} Metric
 * @typedef {import("./table.js").Value} Value
 * @typedef {{move: Move, value: Value | null}} Rated
 * @typedef {import("../api.js").Probe} Probe
 */

/** The longest distance that there is. */
const LONGEST = 32766;

/** A layer without a table. */
export class Missing extends Problem {
  /** @param {Hunt} game @param {number} layer @param {Metric} metric */
  constructor({ description: { name, rules } }, layer, metric) {
    const what = metric === "wdl" ? "outcomes" : "distances";
    super(
      `the ${what} of layer ${layer} of ${name} (rules ${rules}) are not on this site`,
      "choose a position with fewer pieces, or other rules",
      404,
    );
    this.layer = layer;
    this.metric = metric;
  }
}

/** A value of a position in which the game is over. @param {number} outcome @returns {Value} */
const ended = (outcome) => ({ outcome, plies: outcome === DRAW ? null : 0 });

/**
 * Orders values for a side: by outcome, then by distance, of which an unknown one is the worst.
 * @param {Value} value
 * @param {number} side
 */
function score({ outcome, plies }, side) {
  const sign = outcome === DRAW ? 0 : outcome === side ? 1 : -1;
  const distance = outcome === DRAW ? 0 : plies === null ? -Infinity : sign * (1 + LONGEST - plies);
  return [sign, distance];
}

/** @param {number[]} a @param {number[]} b */
const isAbove = (a, b) => a[0] > b[0] || (a[0] === b[0] && a[1] > b[1]);

/** The tables of a game. */
export class Tables {
  /**
   * `open` returns the table of a layer and metric, and is asked for those that `layers` lists.
   * @param {Hunt} game
   * @param {Record<Metric, number[]>} layers
   * @param {(layer: number, metric: Metric) => Promise<Table>} open
   */
  constructor(game, layers, open) {
    this.game = game;
    this.layers = { wdl: new Set(layers.wdl), dtw: new Set(layers.dtw) };
    this.open = open;
  }

  /**
   * The table of a layer, of the preferred metric or else of the other.
   * @param {number} layer
   * @param {Metric} preferred
   */
  table(layer, preferred) {
    const metric = /** @type {Metric[]} */ ([preferred, "wdl", "dtw"]).find((other) =>
      this.layers[other].has(layer),
    );
    if (metric === undefined) throw new Missing(this.game, layer, "wdl");
    return this.open(layer, metric);
  }

  /** The table of distances of a layer. @param {number} layer */
  distances(layer) {
    if (!this.layers.dtw.has(layer)) throw new Missing(this.game, layer, "dtw");
    return this.open(layer, "dtw");
  }

  /** The outcome of a position in which the game is over, or null. @param {Position} position */
  terminal(position) {
    const end = this.game.ending(position);
    return end === null ? null : this.game.ends[end].winner;
  }

  /** The outcome after a move, if the game is over then, or null. @param {Move} move */
  terminalAfter(move) {
    const end = this.game.endingAfter(move);
    return end === null ? null : this.game.ends[end].winner;
  }

  /**
   * The value of a position: its outcome, and its distance if that is preferred and there.
   * @param {Position} position
   * @param {Metric} preferred
   * @returns {Promise<Value>}
   */
  async value(position, preferred) {
    const over = this.terminal(position);
    const layer = this.game.layer(position);
    if (over !== null)
      return preferred === "dtw" && this.layers.dtw.has(layer)
        ? ended(over)
        : { outcome: over, plies: null };
    const table = await this.table(layer, preferred);
    if (!table.stores(position.toMove))
      return this.lookAhead(position, table.metric === "dtw" ? preferred : "wdl");
    return table.value(position);
  }

  /** The outcome of a position, as a value. @param {Position} position @returns {Promise<Value>} */
  async outcome(position) {
    return { outcome: (await this.value(position, "wdl")).outcome, plies: null };
  }

  /** The exact value of a position. @param {Position} position @returns {Promise<Value>} */
  async exact(position) {
    const over = this.terminal(position);
    if (over !== null) return ended(over);
    const table = await this.distances(this.game.layer(position));
    return table.stores(position.toMove) ? table.value(position) : this.lookAhead(position, "dtw");
  }

  /**
   * The value that follows from those after each move.
   * @param {Position} position
   * @param {Metric} metric
   * @returns {Promise<Value>}
   */
  async lookAhead(position, metric) {
    const side = position.toMove;
    const isExact = metric === "dtw";
    const lost = 1 - side;
    /** The value if no move is better: a side without a move has lost. @type {Value} */
    let best = isExact ? ended(lost) : { outcome: lost, plies: null };
    const isBest = () => best.outcome === side && (!isExact || best.plies === 1);
    const take = (/** @type {Value} */ after) => {
      const value = {
        outcome: after.outcome,
        plies: after.plies === null ? null : Math.min(LONGEST, after.plies + 1),
      };
      if (isAbove(score(value, side), score(best, side))) best = value;
    };
    /** @type {Position[]} */
    const open = [];
    for (const move of this.game.moves(position)) {
      const over = this.terminalAfter(move);
      if (over === null) open.push(move.position);
      else take(isExact ? ended(over) : { outcome: over, plies: null });
    }
    if (!isBest()) {
      const found = await Promise.allSettled(
        open.map((next) => (isExact ? this.exact(next) : this.outcome(next))),
      );
      for (const one of found) if (one.status === "fulfilled") take(one.value);
      const failed = found.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
      // The best of all is the best whatever the unknown values are. Anything less may not be.
      if (failed.length > 0 && !isBest())
        throw failed.find((error) => !(error instanceof Missing)) ?? failed[0];
    }
    if (best.plies !== null && best.outcome !== DRAW) {
      const table = await this.distances(this.game.layer(position));
      const top = table.header.tops[side][best.outcome];
      if (2 * best.plies + 1 + best.outcome > top)
        throw damaged(table.bytes.name, `the entry of rank ${table.index.rank(position)} is damaged`);
    }
    return best;
  }

  /**
   * The value after a move. With `distances`, games that are over have a distance.
   * @param {Move} move
   * @param {boolean} distances
   * @returns {Promise<Value>}
   */
  async valueAfter(move, distances) {
    const over = this.terminalAfter(move);
    if (over !== null) return distances ? ended(over) : { outcome: over, plies: null };
    return distances ? this.value(move.position, "dtw") : this.outcome(move.position);
  }

  /**
   * The legal moves with their values, best first; those without a value come last.
   * @param {Position} position
   * @returns {Promise<Rated[]>}
   */
  async moves(position) {
    const side = position.toMove;
    const distances = this.layers.dtw.has(this.game.layer(position));
    const rated = await Promise.all(
      this.game
        .moves(position)
        .map(async (move) => ({ move, value: await known(this.valueAfter(move, distances)) })),
    );
    const key = (/** @type {Rated} */ { value }) => (value === null ? [-2, 0] : score(value, side));
    return rated.sort((a, b) => (isAbove(key(a), key(b)) ? -1 : isAbove(key(b), key(a)) ? 1 : 0));
  }

  /**
   * Returns the answer of the API about a position: its value, its moves, and why values are unknown.
   * @param {Position} position
   * @returns {Promise<Probe>}
   */
  async probe(position) {
    const { game } = this;
    const { description } = game;
    const layer = game.layer(position);
    /** @type {Missing[]} */
    const missing = [];
    const over = this.terminal(position);
    const note = (/** @type {Missing | null} */ lack) => {
      if (lack !== null && missing.every((before) => before.layer !== lack.layer)) missing.push(lack);
    };
    const [found, moves] = await Promise.all([
      over === null ? this.value(position, "dtw").catch(onlyMissing) : ended(over),
      this.moves(position),
    ]);
    const value = found instanceof Missing ? null : found;
    if (found instanceof Missing) missing.push(found);
    else if (found.outcome !== DRAW && found.plies === null) note(await lackOf(this.exact(position)));
    for (const { move, value: after } of moves) {
      if (move.ended !== null) continue;
      if (after === null) note(await lackOf(this.outcome(move.position)));
      else if (this.layers.dtw.has(layer) && after.outcome !== DRAW && after.plies === null)
        note(await lackOf(this.exact(move.position)));
    }
    const end = game.ending(position);
    return {
      ...this.answer(position, over === null ? value : ended(over), over !== null),
      ending: end === null ? null : game.ends[end].text,
      moves: moves.map((rated) => this.moveAnswer(rated)),
      layer,
      pieces: [...position.cells]
        .map((cell) => (cell === 0 ? "." : description.sides[cell - 1].letter))
        .join(""),
      unknown: missing.map((lack) => ({
        layer: lack.layer,
        metric: lack.metric,
        reason: lack.message,
      })),
      solving: null,
    };
  }

  /**
   * Returns the answer of the API about best play to the end: of equal moves the first.
   * @param {Position} start
   */
  async line(start) {
    const { description, notation } = this.game;
    const value = await this.exact(start);
    const line = [];
    /** By position: the plies after which it came up. @type {Map<string, number>} */
    const seen = new Map();
    let here = start;
    let isOver = this.terminal(here) !== null;
    while (!isOver && !seen.has(notation.write(here))) {
      seen.set(notation.write(here), line.length);
      const side = here.toMove;
      const rated = await Promise.all(
        this.game.moves(here).map(async (move) => {
          const over = this.terminalAfter(move);
          return { move, value: over === null ? await this.exact(move.position) : ended(over) };
        }),
      );
      const best = rated.reduce((most, one) =>
        isAbove(score(one.value, side), score(most.value, side)) ? one : most,
      );
      line.push({ ply: line.length + 1, side: description.sides[side].name, ...this.moveAnswer(best) });
      here = best.move.position;
      isOver = this.terminalAfter(best.move) !== null;
    }
    const from = isOver ? null : (seen.get(notation.write(here)) ?? null);
    return {
      ...this.answer(start, value, this.terminal(start) !== null),
      line,
      end: isOver ? "over" : "repeats",
      repeats_from: from,
    };
  }

  /** @param {Position} position @param {Value | null} value @param {boolean} isOver */
  answer(position, value, isOver) {
    const { description, notation } = this.game;
    return {
      game: description.name, rules: description.rules, position: notation.write(position),
      to_move: description.sides[position.toMove].name, ...this.keys(value, isOver),
    };
  }

  /** @param {Rated} rated */
  moveAnswer({ move, value }) {
    const over = this.terminalAfter(move);
    const end = this.game.endingAfter(move);
    return {
      move: this.game.notation.writeMove(move),
      ...this.keys(over === null ? value : ended(over), over !== null),
      position: this.game.notation.write(move.position),
      ending: end === null ? null : this.game.ends[end].text,
    };
  }

  /**
   * The name of the outcome, and the distance: 0 where the game is over, also by a draw.
   * @param {Value | null} value
   * @param {boolean} isOver
   */
  keys(value, isOver) {
    return {
      outcome: value === null ? null : this.outcomeName(value.outcome),
      dtw: isOver ? 0 : (value?.plies ?? null),
    };
  }

  /** The side that an outcome is won for, or `draw`. @param {number} outcome */
  outcomeName(outcome) {
    const winner = outcome === DRAW ? this.game.description.endless : outcome;
    return winner === null ? "draw" : this.game.description.sides[winner].name;
  }
}

/**
 * The value, or null where a layer is missing.
 * @param {Promise<Value>} value
 * @returns {Promise<Value | null>}
 */
async function known(value) {
  const found = await value.catch(onlyMissing);
  return found instanceof Missing ? null : found;
}

/**
 * The layer that is missing for a value, or null.
 * @param {Promise<Value>} value
 * @returns {Promise<Missing | null>}
 */
async function lackOf(value) {
  const found = await value.catch(onlyMissing);
  return found instanceof Missing ? found : null;
}

/** @param {unknown} error @returns {Missing} */
function onlyMissing(error) {
  if (error instanceof Missing) return error;
  throw error;
}
