// The explorer: the value of a position, its moves, and best play.

import * as api from "./api.js";
import { h, renew } from "./dom.js";
import { showRecord } from "./entry.js";
import { problemNote } from "./errors.js";
import { beside } from "./hands.js";
import { missing } from "./solving.js";
import { text } from "./strings.js";
import { movesTable, verdict } from "./value.js";

/**
 * @typedef {import("./main.js").App} App
 * @typedef {import("./api.js").Probe} Probe
 */

/**
 * The value of the position, its moves, and best play from it.
 * @param {App} app
 * @param {Probe} probe
 */
export function explorePanel(app, probe) {
  const kept = app.isKept ? app.kept() : null;
  const { words, tone } = verdict(app.game, probe);
  const side = app.game.sides.find((owner) => owner.name === probe.to_move);
  const parts = [
    h(
      "div",
      {},
      h("p", { class: `verdict ${tone}` }, words),
      h(
        "p",
        { class: "turn" },
        side && probe.moves.length > 0 ? `${text.toMove(side)} ` : "",
        text.layer(probe.layer, app.game),
        beside(app, probe),
      ),
      kept ? h("p", { class: "note" }, text.keptValue) : null,
      ...missing(app, probe)),
    movesTable(app, probe),
  ];
  if (probe.dtw !== null && probe.moves.length > 0 && !kept) parts.push(line(app));
  else if (kept && kept.line.length > 0) {
    const { line } = kept;
    parts.push(
      h(
        "div",
        {},
        h(
          "button",
          {
            type: "button",
            onclick: () => showRecord(app, app.game, app.rules, app.position, line, 0),
          },
          text.lineShow,
        ),
      ),
    );
  }
  return parts;
}

/** Best play to the end, on request. @param {App} app */
export function line(app) {
  const out = h("div", {});
  const ask = async () => {
    try {
      const { line, end } = await api.line(app.game.game, app.rules, app.position);
      const from = app.at;
      renew(
        out,
        h("h2", {}, text.line),
        h("ol", { class: "record" },
          ...line.map((ply, number) =>
            h("li", {}, h("button", {
              type: "button",
              onclick: () => {
                app.play.stop();
                app.played = [...app.played.slice(0, from), ...line];
                app.at = from + number + 1;
                app.note(true);
                app.show();
              },
            }, ply.move)))),
        h("p", { class: "note" }, end === "repeats" ? text.lineRepeats : ""),
      );
    } catch (error) {
      renew(out, problemNote(error, ask));
    }
  };
  out.append(h("button", { type: "button", onclick: ask }, text.lineShow));
  return out;
}
