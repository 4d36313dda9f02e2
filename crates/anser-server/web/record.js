// Records of games, in the form that `anser play --load` and `anser line --record` read.

import { copies } from "./about.js";
import * as api from "./api.js";
import { h } from "./dom.js";
import { fieldsOf } from "./hands.js";
import { graph, mistakesOf, probes } from "./play.js";
import { text } from "./strings.js";

/**
 * @typedef {import("./main.js").App} App
 * @typedef {import("./main.js").Played} Played
 * @typedef {import("./api.js").Game} Game
 * @typedef {{game: string | null, rules: string | null, position: string | null, moves: string[]}} Read
 */

/** The record of the game that is shown. @param {App} app */
export function recordOf(app) {
  const { play, played } = app;
  const found = probes(app);
  const value = (/** @type {number} */ at) => ({
    outcome: found[at]?.outcome ?? null,
    dtw: found[at]?.dtw ?? null,
  });
  const gave = mistakesOf(app);
  const { sides } = app.game;
  const [start, last] = [found[0], found[played.length]];
  const winner = sides.find(({ name }) => play.resigned !== null && name !== play.resigned);
  const result = winner
    ? { outcome: winner.name, by: "resignation", ending: null }
    : last?.ending
      ? { outcome: last.outcome, by: "end", ending: last.ending }
      : last && play.isRepeated(last, played.length)
        ? { outcome: app.set?.endless ?? "draw", by: "repetition", ending: null }
        : null;
  return JSON.stringify({
    schema: 1,
    game: app.game.game,
    rules: app.rules,
    position: app.start,
    to_move: start?.to_move ?? played[0]?.side ?? sides[0].name,
    ...value(0),
    sides: Object.fromEntries(
      sides.map(({ name }, number) => [
        name,
        app.mode === "play" && play.computer[number] ? "computer" : "person",
      ]),
    ),
    ...play.strength,
    fuzz_as: "printed",
    seed: 0,
    random_plies: 0,
    line: played.map(({ side, move, position, ending }, number) => ({
      ply: number + 1,
      side,
      move,
      ...value(number + 1),
      position,
      ending,
      gave_away: gave.has(number + 1),
    })),
    plies: played.length,
    result,
  });
}

/**
 * Reads a record, or moves with or without a position before them. Null if the words are neither.
 * @param {string} words
 * @param {Game} game
 * @returns {Read | null}
 */
export function readRecord(words, game) {
  if (words.startsWith("{")) {
    try {
      const { game, rules, position, line } = JSON.parse(words);
      if (typeof position !== "string" || !Array.isArray(line)) return null;
      return {
        game: game ?? null,
        rules: rules ?? null,
        position,
        moves: line.map(({ move }) => String(move)),
      };
    } catch {
      return null;
    }
  }
  // Numbers of moves and marks are left out: 1. d4-d5? 2.a3-a4
  const parts = words
    .split(/\s+/)
    .map((part) => part.replace(/^\d+\.+/, "").replace(/[?!]+$/, ""))
    .filter((part) => part !== "");
  // A piece in hand is placed by the name of a point.
  const names = new Set(["pass", ...(game.board?.points ?? []).map(({ name }) => name)]);
  const isMove = (/** @type {string} */ part) =>
    !part.includes("/") && (/[-x]/.test(part) || names.has(part));
  let at = 0;
  if (parts[0]?.includes("/")) {
    // A position is the board, the side to move, and numbers, which may be names of points as well:
    // pieces in hand and captured ones, or the plies left, which the start leaves out.
    const fields = fieldsOf(game);
    const hands = fields.filter(({ kind }) => kind === "hand").length;
    const most = 2 + (fields.length || 1);
    for (at = 2; at < most && /^\d+$/.test(parts[at] ?? ""); ) at += 1;
    if (at < 2 + hands) return null;
  }
  if (at >= parts.length || !isMove(parts[at])) return null;
  if (parts.slice(at).some((part) => part.includes("/"))) return null;
  const position = at === 0 ? null : parts.slice(0, at).join(" ");
  return { game: null, rules: null, position, moves: parts.slice(at) };
}

/**
 * The moves of a record with the positions after them. Throws a `Problem` if the server knows no such
 * position, and returns the number of the first move that is not legal as `wrong`.
 * @param {Game} game
 * @param {string} rules
 * @param {string} position
 * @param {string[]} moves
 * @returns {Promise<{start: string, played: Played[], wrong: number | null}>}
 */
export async function follow(game, rules, position, moves) {
  /** @type {Played[]} */
  const played = [];
  let probe = await api.probe(game.game, rules, position);
  const start = probe.position;
  for (const [number, words] of moves.entries()) {
    const made = probe.moves.find(({ move }) => move === words);
    if (!made) return { start, played, wrong: number };
    played.push({ ...made, side: probe.to_move });
    probe = api.after(await api.probe(game.game, rules, made.position), made);
  }
  return { start, played, wrong: null };
}

/** The moves that were played. @param {App} app */
export function recordPanel(app) {
  if (app.played.length === 0) return h("div", {});
  const gave = app.showsValues() ? mistakesOf(app) : new Map();
  const item = (/** @type {string} */ words, /** @type {number} */ at) =>
    h("li", {}, h("button", {
      type: "button",
      class: gave.has(at) ? "gave" : null,
      title: gave.get(at) ?? null,
      "aria-current": at === app.at ? "step" : null,
      onclick: () => app.go(at),
    }, words));
  return h("section", { "aria-label": text.history },
    h("h2", {}, text.history),
    h(
      "ol",
      { class: "record" },
      item(text.start, 0),
      ...app.played.map(({ move }, number) => item(`${number + 1}. ${move}`, number + 1)),
    ),
    app.showsValues() && app.played.length > 1 ? graph(app) : null,
    h(
      "div",
      { class: "bar" },
      copies(app, text.copyRecord, () => recordOf(app)),
    ),
  );
}
