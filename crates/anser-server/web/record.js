// Records of games, in the form that `anser play --load` and `anser line --record` read.

import * as api from "./api.js";
import { mistakesOf } from "./play.js";

/**
 * @typedef {import("./main.js").App} App
 * @typedef {import("./main.js").Played} Played
 * @typedef {import("./api.js").Game} Game
 * @typedef {{game: string | null, rules: string | null, position: string | null, moves: string[]}} Read
 */

/** The record of the game that is shown. @param {App} app */
export function recordOf(app) {
  const { play, played } = app;
  const value = (/** @type {string} */ position) => {
    const probe = api.seen(app.game.game, app.rules, position);
    return { outcome: probe?.outcome ?? null, dtw: probe?.dtw ?? null };
  };
  const gave = mistakesOf(app);
  const { sides } = app.game;
  const last = played.length === 0 ? null : api.seen(app.game.game, app.rules, played[played.length - 1].position);
  const winner = sides.find(({ name }) => play.resigned !== null && name !== play.resigned);
  const start = api.seen(app.game.game, app.rules, app.start);
  const result = winner
    ? { outcome: winner.name, by: "resignation" }
    : last && last.moves.length === 0 ? { outcome: last.outcome, by: "end" } : null;
  return JSON.stringify({
    schema: 1,
    game: app.game.game,
    rules: app.rules,
    position: app.start,
    to_move: start?.to_move ?? played[0]?.side ?? sides[0].name,
    ...value(app.start),
    sides: Object.fromEntries(sides.map(({ name }, number) => [name, app.mode === "play" && play.computer[number] ? "computer" : "person"])),
    style: "quick",
    fuzz: play.fuzz,
    fuzz_as: "printed",
    seed: 0,
    random_plies: 0,
    line: played.map(({ side, move, position }, number) => ({
      ply: number + 1, side, move, position, ...value(position), gave_away: gave.has(number + 1),
    })),
    plies: played.length,
    result,
  });
}

/**
 * Reads a record, or moves with or without a position before them. Null if the words are neither.
 * @param {string} words
 * @returns {Read | null}
 */
export function readRecord(words) {
  if (words.startsWith("{")) {
    try {
      const { game, rules, position, line } = JSON.parse(words);
      if (typeof position !== "string" || !Array.isArray(line)) return null;
      return { game: game ?? null, rules: rules ?? null, position, moves: line.map(({ move }) => String(move)) };
    } catch {
      return null;
    }
  }
  // Numbers of moves and marks are left out: 1. d4-d5? a3-a4
  const parts = words.split(/\s+/).map((part) => part.replace(/[?!]+$/, "")).filter((part) => part !== "" && !/^\d+\.+$/.test(part));
  const at = parts.findIndex((part) => /[-x]/.test(part) && !part.includes("/"));
  if (at < 0 || parts.slice(at).some((part) => part.includes("/"))) return null;
  const position = at === 0 ? null : parts.slice(0, at).join(" ");
  // One move alone is a move, not a record.
  if (position === null ? parts.length < 2 : !position.includes("/")) return null;
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
    // A move may end the game without a position after it.
    if (made.position === null) break;
    played.push({ move: made.move, side: probe.to_move, position: made.position });
    probe = await api.probe(game.game, rules, made.position);
  }
  return { start, played, wrong: null };
}
