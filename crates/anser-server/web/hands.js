// Pieces that are not on the board: in hand, and captured.

import { text } from "./strings.js";

/**
 * @typedef {import("./main.js").App} App
 * @typedef {import("./api.js").Game} Game
 * @typedef {import("./api.js").Probe} Probe
 * @typedef {import("./api.js").Side} Side
 */

/**
 * The numbers that positions have after the side to move, as the start has them: the pieces of a side
 * in hand, and the captured ones of the second side. The plies left follow, which a start leaves out.
 * @param {Game} game
 * @returns {{kind: "hand" | "captured", side: number}[]}
 */
export function fieldsOf({ sides, openings }) {
  /** @type {{kind: "hand" | "captured", side: number}[]} */
  const hands = sides.flatMap(({ hand }, side) => (hand > 0 ? [{ kind: "hand", side }] : []));
  const numbers = openings[0].position.split(" ").length - 2;
  return numbers > hands.length ? [...hands, { kind: "captured", side: 1 }] : hands;
}

/**
 * Numbers of pieces in hand, by side: they stand after the side to move, for sides with a hand.
 * @param {Side[]} sides
 * @param {string} position
 */
export function inHand(sides, position) {
  const numbers = position.split(" ").slice(2);
  return sides.map((side) => (side.hand > 0 ? Number(numbers.shift()) : 0));
}

/**
 * The numbers of pieces in hand, and of those captured, by side. A position has the number of
 * captured pieces of the second side if the start has it; else those since the start are counted.
 * @param {App} app
 * @param {string} position
 */
export function notOnBoard(app, position) {
  const { sides } = app.game;
  const captured = fieldsOf(app.game).findIndex(({ kind }) => kind === "captured");
  const [before, now] = [inHand(sides, app.start), inHand(sides, position)];
  const count = (/** @type {string} */ position, /** @type {string} */ piece) =>
    [...position.split(" ")[0]].filter((letter) => letter === piece).length;
  return sides.map(({ name, piece }, number) => ({
    name,
    hand: now[number],
    lost:
      captured >= 0 && number === 1
        ? Number(position.split(" ")[2 + captured])
        : app.mode === "edit"
          ? 0
          : count(app.start, piece) + before[number] - count(position, piece) - now[number],
  }));
}

/** These numbers in words. @param {App} app @param {Probe} probe */
export function beside(app, probe) {
  const numbers = notOnBoard(app, probe.position);
  const hands = numbers.filter(({ hand }) => hand > 0);
  const lost = numbers.filter(({ lost }) => lost > 0);
  return (
    (hands.length === 0 ? "" : ` ${text.inHand(hands)}`) +
    (lost.length === 0 ? "" : ` ${text.captured(lost)}`)
  );
}
