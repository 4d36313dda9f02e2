// The answers of the server, or of a site that needs none, kept in memory: a position that was seen
// once is
// shown again offline.

import { Problem } from "./problem.js";

/**
 * @typedef {{name: string, noun: string, piece: string, to_move: string, hand: number}} Side
 * @typedef {{x: number, y: number, name: string}} Point
 * @typedef {{points: Point[], lines: number[][], columns: string[], rows: string[]}} Board
 * @typedef {{rules: string, default: boolean, meaning: string, start: string, endless: string | null,
 *   sides: Side[] | null, board: Board | null,
 *   layers: {wdl: number[], dtw: number[], solved: number[]}, whole: string[],
 *   openings: {position: string, outcome: string, dtw: number | null, line: string[],
 *     moves: {move: string, outcome: string, dtw: number | null}[]}[]}} Rules
 * @typedef {{game: string, title: string | null, region: string | null, date: string | null,
 *   source: string | null, about: string, boards: string[], layer_unit: string,
 *   layer_unit_one: string,
 * first_layer: number, default_rules: string, rule_sets: string[], fairest_fuzz: Record<string,
 * number>,
 *   openings: {opening: string, position: string, about: string}[],
 *   sides: Side[], board: Board | null, sets: Rules[],
 * usual?: {sides: Side[], board: Board | null, openings: {opening: string, position: string, about:
 * string}[]}}} Game
 * @typedef {{move: string, outcome: string | null, dtw: number | null, position: string,
 *   ending: string | null}} Move
 * @typedef {{game: string, rules: string, position: string, to_move: string,
 *   outcome: string | null, dtw: number | null, layer: number, pieces: string | null,
 *   ending: string | null, moves: Move[],
 *   unknown: {layer: number, metric: string, reason: string}[], solving?: Solving | null}} Probe
 * @typedef {{layer: number, metric: "wdl" | "dtw", state: "running" | "queued" | "refused" | "failed",
 * progress: number | null, seconds_left: number | null, reason: string | null, command: string | null}}
 * Solving
 * @typedef {Move & {ply: number, side: string}} Ply
 * @typedef {{chosen: Move, by: "only" | "distance" | "outcome" | "conversion" | "search",
 *   searched: {plies: number, positions: number} | null}} Chosen
 */

export { Problem };

/** The hash of the index of the site that this page is of; null if a server answers. */
const SITE = document.querySelector("meta[name=anser-site]")?.getAttribute("content") ?? null;

/** Whether this page is of a site that needs no server. */
export const isSite = SITE !== null;

/** The site, once it is open. @type {Promise<import("./reader/site.js").Site> | null} */
let site = null;

/** Opens the site; after a failure, again with the next question. @param {string} hash */
function opened(hash) {
  site ??= import("./reader/site.js").catch(() => {
    throw new Problem("the reader of tables cannot be loaded", "load the page again", 0);
  }).then(({ Site }) => Site.open(hash));
  site.catch(() => { site = null; });
  return site;
}

/** @type {Map<string, any>} */
const kept = new Map();
const MOST_KEPT = 5000;

/** Greatest number of retries while the server is busy. */
const PATIENCE = 120;

/** @param {number} ms */
export const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Asks the server or the site.
 * @param {string} path
 * @param {Record<string, string>} query
 * @param {AbortSignal | null} signal
 * @param {boolean} keep
 * @param {boolean} isNew whether what was kept does not count
 */
async function ask(path, query, signal, keep = true, isNew = false) {
  const url = `/api/v1/${path}?${new URLSearchParams(query)}`;
  const before = kept.get(url);
  // Values of a layer that was being solved may be known now.
  if (before && !isNew && !before.solving) return before;
  let answer;
  try {
    answer = SITE === null ? await fetched(url, signal) : await (await opened(SITE)).ask(path, query);
  } catch (error) {
    if (before && !isNew && error instanceof Problem && error.status === 0) return before;
    throw error;
  }
  if (signal?.aborted) throw new DOMException("", "AbortError");
  if (keep) {
    if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value ?? "");
    kept.set(url, answer);
    // A position is written in one way, however it was asked.
    if (path === "probe")
      kept.set(`/api/v1/probe?${new URLSearchParams({ ...query, position: answer.position })}`, answer);
  }
  return answer;
}

/**
 * The answer of the server. While it is busy, asks again.
 * @param {string} url
 * @param {AbortSignal | null} signal
 */
async function fetched(url, signal) {
  for (let attempt = 0; ; attempt += 1) {
    let response;
    try {
      response = await fetch(url, { signal });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new Problem("", null, 0);
    }
    const isBusy = response.status === 503 || response.status === 429;
    if (isBusy && attempt < PATIENCE) {
      // A proxy answers with a page.
      const { detail } = await response.json().catch(() => ({}));
      if (signal && typeof detail === "string")
        document.dispatchEvent(new CustomEvent("busy", { detail }));
      await wait(1000 * (Number(response.headers.get("retry-after")) || 1));
      if (signal?.aborted) throw new DOMException("", "AbortError");
      continue;
    }
    const answer = await response.json();
    // The hint of a busy server is for programs.
    const hint = isBusy ? null : (answer.error?.hint ?? null);
    if (!response.ok) throw new Problem(answer.detail, hint, response.status);
    return answer;
  }
}

/** @param {string | null} game @param {boolean} isNew @returns {Promise<Game[]>} */
export const games = async (game, isNew = false) =>
  (await ask("games", game === null ? {} : { game }, null, true, isNew)).games;

/**
 * @param {string} game
 * @param {string} rules
 * @param {string} position
 * @param {AbortSignal | null} signal
 * @param {boolean} isNew @returns {Promise<Probe>}
 */
export const probe = (game, rules, position, signal = null, isNew = false) =>
  ask("probe", { game, rules, position }, signal, true, isNew);

/**
 * @param {string} game
 * @param {string} rules
 * @param {string} position
 * @returns {Promise<{line: Ply[], end: string}>}
 */
export const line = (game, rules, position) => ask("line", { game, rules, position }, null);

/**
 * The statistics, which change with the layers.
 * @param {string} game
 * @param {string} rules
 * @param {AbortSignal | null} signal
 * @returns {Promise<any>}
 */
export const stats = (game, rules, signal) => ask("stats", { game, rules }, signal, false);

/** @param {string} game @param {string} rules @returns {Promise<any>} */
export const census = (game, rules) => ask("census", { game, rules }, null);

/** @param {string} game @param {string} rules @returns {Promise<any>} */
export const hardest = (game, rules) => ask("hardest", { game, rules, all: "true" }, null);

/**
 * @param {string} game
 * @param {string} rules
 * @param {Record<string, string>} query
 * @param {AbortSignal} signal
 * @returns {Promise<Probe>}
 */
export const puzzle = (game, rules, query, signal) =>
  ask("random", { game, rules, ...query }, signal, false);

/**
 * The move that the computer chooses after moves from a position.
 * @param {string} game @param {string} rules @param {string} position @param {string[]} moves
 * @param {{style: string, fuzz: number}} strength
 * @param {AbortSignal} signal @returns {Promise<Chosen>}
 */
export const choose = (game, rules, position, moves, { style, fuzz }, signal) =>
  ask(
    "move",
    { game, rules, position, moves: moves.join(","), style, fuzz: String(fuzz) },
    signal,
    false,
  );

/**
 * The value after a move. A move that ends the game decides it: the position that the move leads to may
 * be in play if it is requested alone.
 * @template {Probe | null} P
 * @param {P} probe @param {{outcome: string | null, ending: string | null} | null} move @returns {P}
 */
export const after = (probe, move) =>
  move?.ending
    ? {
        ...probe,
        outcome: move.outcome,
        dtw: 0,
        ending: move.ending,
        moves: [],
        unknown: [],
        solving: null,
      }
    : probe;

/**
 * The value of a position whose table is not served, from a run whose results are kept. A lost
 * position has only moves that lose; of a won one the first move of best play is known, and of the
 * start those that are kept.
 * @param {Probe} probe
 * @param {import("./main.js").Kept | null} kept
 * @returns {Probe}
 */
export const withKept = (probe, kept) => {
  if (probe.outcome !== null || kept === null) return probe;
  const { outcome, dtw, line: [best], moves: values = [] } = kept;
  const isLost = outcome !== "draw" && outcome !== probe.to_move;
  const moves = probe.moves.map((move) => {
    const value = values.find((other) => other.move === move.move);
    if (move.outcome === null && value) return { ...move, outcome: value.outcome, dtw: value.dtw };
    if (move.outcome !== null || (move.move !== best && !isLost)) return move;
    return { ...move, outcome, dtw: move.move === best && dtw !== null ? dtw - 1 : null };
  });
  // The best ones first; a win is the better the shorter it is, a loss the longer.
  const sign = outcome === probe.to_move ? 1 : -1;
  const rank = (/** @type {Move} */ move) =>
    [Number(move.outcome !== outcome), Number(move.move !== best), sign * (move.dtw ?? 0)];
  const differs = (/** @type {Move} */ a, /** @type {Move} */ b) =>
    rank(a).map((part, at) => part - rank(b)[at]).find((difference) => difference !== 0);
  moves.sort((a, b) => differs(a, b) ?? 0);
  return { ...probe, outcome, dtw, moves };
};

/**
 * Answers to earlier requests.
 * @param {string} game
 * @param {string} rules
 * @param {string} position
 * @returns {Probe | null}
 */
export const seen = (game, rules, position) =>
  kept.get(`/api/v1/probe?${new URLSearchParams({ game, rules, position })}`) ?? null;
