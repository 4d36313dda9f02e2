// Games under one of their rule sets, and what is known of these.

import * as api from "./api.js";
import { text } from "./strings.js";

/**
 * @typedef {import("./main.js").App} App
 * @typedef {import("./api.js").Game} Game
 */

/**
 * The game as it is under a rule set, which may have a board, sides, and a start of its own.
 * @param {Game} game @param {string} rules @returns {Game}
 */
export function under(game, rules) {
  const set = game.sets.find((other) => other.rules === rules);
  const { board, sides, openings } = game.usual ?? game;
  // The named positions are those of the default rules.
  const [start] = openings;
  const own = set && set.start !== start.position ? [{ ...start, position: set.start }] : openings;
  return {
    ...game,
    usual: { board, sides, openings },
    board: set?.board ?? board,
    sides: set?.sides ?? sides,
    openings: own,
  };
}

/** The position that a game begins with here. @param {Game} game @param {string} rules */
export function opening(game, rules) {
  const { openings } = under(game, rules);
  return (openings.find(({ position }) => isKnown(game, rules, position)) ?? openings[0]).position;
}

/**
 * Whether the value of an opening is at hand.
 * @param {Game} game
 * @param {string} rules
 * @param {string} position
 */
function isKnown(game, rules, position) {
  const set = game.sets.find((other) => other.rules === rules);
  if (!set) return false;
  const { wdl, solved } = set.layers;
  // Only the layers of Fox-and-Geese are told by the pieces; other games have all layers or none.
  const [, second] = game.sides;
  const count = [...position.split(" ")[0]].filter((letter) => letter === second.piece).length;
  return solved.length > 0 || wdl.includes(count);
}

/** The layers with known values. @param {App} app @param {import("./api.js").Rules} set */
export function served(app, set) {
  const layers = knownLayers(app.game, set);
  return api.isSite ? text.knownOnSite(layers) : text.known(layers);
}

/** Layers as text: 1-7, 9. @param {Game} game @param {import("./api.js").Rules} set */
function knownLayers(game, set) {
  const ranges = (/** @type {number[]} */ layers) => {
    /** @type {number[][]} */
    const found = [];
    for (const layer of layers) {
      const last = found.at(-1);
      if (last && last[1] === layer - 1) last[1] = layer;
      else found.push([layer, layer]);
    }
    return found.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(", ");
  };
  const { wdl, dtw, solved } = set.layers;
  const named = (/** @type {number[]} */ layers) => text.layers(ranges(layers), game);
  const parts = [];
  if (wdl.length > 0) parts.push(text.outcomesOf(named(wdl)));
  if (dtw.length > 0) parts.push(text.distancesOf(named(dtw)));
  if (solved.length > 0) parts.push(text.solvedOf(named(solved)));
  return parts.join("; ") || text.nothing;
}
