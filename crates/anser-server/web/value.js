// The value of a position, in words and as a table of moves.

import { result } from "./board.js";
import { h } from "./dom.js";
import * as api from "./api.js";
import { text } from "./strings.js";

/**
 * @typedef {import("./main.js").App} App
 * @typedef {import("./api.js").Game} Game
 * @typedef {import("./api.js").Probe} Probe
 * @typedef {import("./api.js").Move} Move
 */

/**
 * The value of a position as a sentence.
 * @param {Game} game
 * @param {Probe} probe
 * @returns {{words: string, tone: string}}
 */
export function verdict(game, probe) {
  const { outcome, dtw } = probe;
  const number = game.sides.findIndex((side) => side.name === outcome);
  const tone = number < 0 ? "" : number === 0 ? "first" : "second";
  if (outcome === null) return { words: text.unknown, tone };
  if (dtw === 0) return { words: number < 0 ? text.overDrawn : text.won(game.sides[number]), tone };
  return { words: number < 0 ? text.drawn : text.wins(game.sides[number], dtw), tone };
}

/** Signs of results, for those who do not see the colors. */
const SIGNS = { win: "▲", draw: "◆", loss: "▽", unknown: "?" };

/**
 * The moves, best first, in groups by result.
 * @param {App} app
 * @param {Probe} probe
 */
export function movesTable(app, probe) {
  if (probe.moves.length === 0) {
    return h("p", { id: "moves" }, probe.ending ? text.over(probe.ending) : text.noMoves);
  }
  const mover = probe.to_move === app.game.sides[0].name ? "first" : "second";
  /** @type {Node[]} */
  const rows = [];
  let group = "";
  for (const move of probe.moves) {
    const kind = result(probe, move);
    if (kind !== group) {
      group = kind;
      rows.push(h("tr", {}, h("th", { colspan: 3, scope: "rowgroup" }, text.groups[kind])));
    }
    rows.push(row(app, move, kind, mover));
  }
  return h("table", { class: "moves", id: "moves" },
    h("caption", { class: "away" }, text.moves),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, text.move),
        h("th", { scope: "col" }, text.result),
        h("th", { scope: "col", class: "number" }, text.pliesHead),
      ),
    ),
    h("tbody", {}, ...rows),
  );
}

/**
 * @param {App} app
 * @param {Move} move
 * @param {"win" | "draw" | "loss" | "unknown"} kind
 * @param {string} mover
 */
function row(app, move, kind, mover) {
  const mark = () => {
    app.board.mark(move.move);
    for (const other of app.body.querySelectorAll("tr.marked")) other.classList.remove("marked");
    line.classList.add("marked");
    reply(app, move);
  };
  const unmark = () => {
    app.board.mark(null);
    line.classList.remove("marked");
  };
  const line = h(
    "tr",
    { onpointerenter: mark, onpointerleave: unmark },
    h(
      "td",
      {},
      h(
        "button",
        { type: "button", onfocus: mark, onblur: unmark, onclick: () => app.chosen(move) },
        h("span", { class: `sign ${kind} ${mover}`, "aria-hidden": "true" }, SIGNS[kind]),
        move.move,
      ),
    ),
    h("td", { class: `${kind} ${mover}` }, text.short[kind]),
    h("td", { class: "number" }, move.dtw === null ? "–" : String(move.dtw)));
  return line;
}

/** Says what the best reply is. @param {App} app @param {Move} move */
async function reply(app, move) {
  if (move.ending) {
    app.say(text.over(move.ending));
    return;
  }
  try {
    const after = await api.probe(app.game.game, app.rules, move.position);
    if (app.board.marked !== move.move) return;
    const best = after.moves.find((other) => other.outcome !== null);
    if (best) app.say(text.reply(best.move));
  } catch {
    // Unknown values are left out.
  }
}
