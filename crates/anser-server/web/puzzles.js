// Puzzles from the tables, and statistics of layers.

import * as api from "./api.js";
import { result } from "./board.js";
import { h, s } from "./dom.js";
import { movesTable, problemNote } from "./explore.js";
import { capital, plies, text } from "./strings.js";

/**
 * @typedef {import("./main.js").App} App
 * @typedef {import("./api.js").Probe} Probe
 * @typedef {import("./api.js").Move} Move
 */

/** A position in which one move alone keeps the win or the draw. */
export class PuzzlePanel {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {string | null} */
    this.position = null;
    /** @type {"open" | "wrong" | "right"} */
    this.state = "open";
    this.tried = "";
    /** @type {unknown} */
    this.failed = null;
  }

  isDone() {
    return this.state === "right";
  }

  async begin() {
    const { app } = this;
    [this.state, this.failed, this.position] = ["open", null, null];
    try {
      const found = await api.puzzle(app.game.game, app.rules);
      this.position = found.position;
      await app.open(app.game, app.rules, found.position);
    } catch (error) {
      this.failed = error;
      app.show();
    }
  }

  /** Takes a move as the answer. @param {Move} move */
  answered(move) {
    const { app } = this;
    const { probe } = app;
    if (probe === null || this.state === "right" || probe.position !== this.position) return false;
    const isRight = move.outcome === probe.outcome;
    const streak = isRight ? (this.state === "wrong" ? 0 : this.streak() + 1) : 0;
    localStorage.setItem("streak", String(streak));
    [this.state, this.tried] = [isRight ? "right" : "wrong", move.move];
    if (isRight) {
      app.make(move, true);
    } else {
      app.draw(probe);
      app.board.paint();
      app.say(text.wrong(move.move));
    }
    return true;
  }

  streak() {
    return Number(localStorage.getItem("streak") ?? 0);
  }

  /** @param {Probe} probe @returns {Node[]} */
  draw(probe) {
    const next = h("button", { type: "button", onclick: () => this.begin() }, text.next);
    if (this.failed !== null) return [h("p", {}, text.noPuzzle), problemNote(this.failed, () => this.begin())];
    if (this.state === "right") {
      return [
        h("p", { class: "verdict" }, text.right),
        h("p", {}, text.streak(this.streak())),
        next,
        movesTable(this.app, probe),
      ];
    }
    const side = this.app.game.sides.find((other) => other.name === probe.to_move);
    const best = probe.moves[0];
    if (!side || !best || this.position !== probe.position) return [next];
    const what = result(probe, best) === "win" ? text.keepsWin : text.keepsDraw;
    return [
      h("p", { class: "verdict" }, text.puzzle(side, what)),
      h("p", {}, this.state === "wrong" ? text.wrong(this.tried) : ""),
      h("p", {}, text.streak(this.streak())),
      this.app.typed(),
      next,
    ];
  }
}

/** Shares of outcomes by layer. @param {App} app @returns {Promise<Node[]>} */
export async function statisticsPanel(app) {
  let stats;
  try {
    stats = await api.stats(app.game.game, app.rules);
  } catch (error) {
    if (error instanceof api.Problem && error.status === 404) return [h("p", {}, text.noStats)];
    return [problemNote(error, () => app.show())];
  }
  const outcomes = [app.game.sides[0].name, "draw", app.game.sides[1].name];
  const rows = stats.layers.map((/** @type {any} */ layer) => {
    const counts = outcomes.map((name) =>
      Object.values(layer.to_move).reduce((sum, /** @type {any} */ of) => Number(sum) + of[name], 0));
    const all = counts.reduce((sum, count) => sum + count, 0) || 1;
    let left = 0;
    const parts = counts.map((count, number) => {
      const width = (count / all) * 100;
      const part = s("rect", { class: ["part-first", "part-draw", "part-second"][number], x: left, y: 0, width, height: 10 });
      left += width;
      return part;
    });
    const shares = counts.map((count, number) => `${outcomes[number]} ${((count / all) * 100).toFixed(1)} %`).join(", ");
    const longest = layer.longest
      ? Math.max(...Object.values(layer.longest).flatMap((/** @type {any} */ of) => Object.values(of).map(Number)))
      : null;
    return h("tr", {},
      h("th", { scope: "row" }, String(layer.layer)),
      h("td", { class: "number" }, layer.positions.toLocaleString("en")),
      h("td", {}, s("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", role: "img", "aria-label": shares }, s("title", {}, shares), ...parts)),
      h("td", { class: "number" }, longest === null ? "–" : plies(longest)));
  });
  return [
    h("h2", {}, text.share),
    h("p", { class: "note" }, h("span", { class: "tone first" }, `■ ${capital(outcomes[0])}`), ` ■ ${text.draw} `, h("span", { class: "tone second" }, `■ ${outcomes[2]}`)),
    h("table", { class: "shares" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, app.game.layer_unit), h("th", { scope: "col", class: "number" }, text.positions), h("th", { scope: "col" }, text.share), h("th", { scope: "col", class: "number" }, text.longest))),
      h("tbody", {}, ...rows)),
  ];
}
