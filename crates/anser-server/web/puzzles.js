// Puzzles from the tables: find the only move, win in a few plies, hold the draw.

import { rulesInWords } from "./about.js";
import * as api from "./api.js";
import { choice, h } from "./dom.js";
import { entry } from "./entry.js";
import { problemNote } from "./errors.js";
import { line } from "./explore.js";
import { PAUSE } from "./play.js";
import { reasons } from "./statistics.js";
import { text } from "./strings.js";
import { movesTable } from "./value.js";

/**
 * @typedef {import("./main.js").App} App
 * @typedef {import("./api.js").Probe} Probe
 * @typedef {import("./api.js").Move} Move
 * @typedef {"only" | "win" | "draw"} Kind
 */

/** Plies of the shortest and of the longest win that is asked for. */
const SHORTEST = 3;
const LONGEST = 9;
/** Positions that are drawn at most in search of one with a wrong move. */
const DRAWS = 20;

/** @type {Kind[]} */
const KINDS = ["only", "win", "draw"];

/** Puzzles of three kinds, with a count of those solved in a row, which only the browser keeps. */
export class PuzzlePanel {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {Kind} */
    this.kind = "only";
    /** The position in which a person is to find a move. @type {string | null} */
    this.position = null;
    /** The position after a person's move, to which the computer replies. @type {string | null} */
    this.replies = null;
    /** @type {"open" | "right" | "shown"} */
    this.state = "open";
    /** Whether a wrong move was tried. */
    this.erred = false;
    this.tried = "";
    /** @type {unknown} */
    this.failed = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /** The kinds that there are under these rules: not all of them have draws. */
  kinds() {
    return KINDS.filter((kind) => kind !== "draw" || !this.app.set?.endless);
  }

  isDone() {
    return this.state !== "open";
  }

  /**
   * The requests to the server, in turn. A capture or a move that ends the game is the answer only
   * where it can be wrong, too.
   * @returns {Record<string, string>[]}
   */
  wanted() {
    if (!this.kinds().includes(this.kind)) this.kind = "only";
    const names = this.app.game.sides.map(({ name }) => name);
    if (Math.random() < 0.5) names.reverse();
    /** @type {Record<string, string>[]} */
    const all =
      this.kind === "draw"
        ? [{ outcome: "draw", only_move: "true" }]
        : names.map((name) => ({
            outcome: name,
            to_move: name,
            ...(this.kind === "only"
              ? { only_move: "true" }
              : { min_plies: String(SHORTEST), max_plies: String(LONGEST) }),
          }));
    return all.map((query) => ({ ...query, quiet: "true" }));
  }

  /** Begins with another puzzle, as a new place in the browser's history or instead of the last one. */
  async begin(isPlace = true) {
    const { app } = this;
    this.take(null, null);
    const signal = app.wait();
    for (const query of this.wanted()) {
      try {
        let found = await api.puzzle(app.game.game, app.rules, query, signal);
        // A win that every move leads to is none to be found.
        for (let left = DRAWS; left > 0 && found.moves.every((move) => this.isRight(found, move)); left -= 1)
          found = await api.puzzle(app.game.game, app.rules, query, signal);
        if (signal.aborted) return;
        [this.position, this.failed] = [found.position, null];
        await app.open(app.game, app.rules, found.position, isPlace);
        return;
      } catch (error) {
        if (signal.aborted) return;
        this.failed = error;
      }
    }
    app.show();
  }

  /** Sets a position as the puzzle. @param {string | null} position @param {string | null} kind */
  take(position, kind) {
    this.stop();
    this.kind = KINDS.find((known) => known === kind) ?? this.kind;
    [this.state, this.erred, this.tried, this.failed] = ["open", false, "", null];
    [this.position, this.replies] = [position, null];
  }

  stop() {
    clearTimeout(this.timer);
  }

  /** Whether a move solves a puzzle of this kind. @param {Probe} probe @param {Move} move */
  isRight({ outcome, moves }, move) {
    return move.outcome === outcome && (this.kind !== "win" || move.dtw === moves[0].dtw);
  }

  /** Takes a move as the answer. @param {Move} move */
  answered(move) {
    const { app } = this;
    const { probe } = app;
    if (probe === null || this.state !== "open" || probe.position !== this.position) return false;
    if (!this.isRight(probe, move)) {
      [this.erred, this.tried] = [true, move.move];
      this.keep(0);
      app.draw(probe);
      app.board.paint();
      app.say(this.wrong());
      return true;
    }
    this.tried = "";
    if (this.kind !== "win" || move.ending) {
      this.state = "right";
      if (!this.erred) this.keep(this.streak() + 1);
    } else {
      this.replies = move.position;
    }
    app.make(move, true);
    return true;
  }

  /** Replies to a right move, if the win is not reached yet. @param {Probe} probe */
  act(probe) {
    const { app } = this;
    this.stop();
    if (this.replies === null || probe.position !== this.replies) return;
    const [best] = probe.moves;
    this.timer = setTimeout(() => {
      if (app.probe !== probe || app.mode !== "puzzles") return;
      [this.position, this.replies] = [best.position, null];
      app.make(best, false);
    }, PAUSE);
  }

  /** Gives up: shows the solution, which ends the series. */
  reveal() {
    this.state = "shown";
    this.keep(0);
    this.app.show();
  }

  /** Whether a position, which an address may name, is a puzzle of this kind. @param {Probe} probe */
  fits(probe) {
    const best = probe.moves.filter(({ outcome }) => outcome === probe.outcome);
    const isWanted = probe.outcome === (this.kind === "draw" ? "draw" : probe.to_move);
    return isWanted && (this.kind === "win" || best.length === 1);
  }

  wrong() {
    return this.kind === "win" ? text.slow(this.tried) : text.wrong(this.tried);
  }

  streak() {
    return Number(localStorage.getItem(`streak.${this.kind}`) ?? 0);
  }

  best() {
    return Number(localStorage.getItem(`best.${this.kind}`) ?? 0);
  }

  /** @param {number} streak */
  keep(streak) {
    localStorage.setItem(`streak.${this.kind}`, String(streak));
    if (streak > this.best()) localStorage.setItem(`best.${this.kind}`, String(streak));
  }

  /** @param {Probe} probe @returns {Node[]} */
  draw(probe) {
    const { app } = this;
    const kinds = this.kinds().map((kind) => ({ value: kind, text: text.puzzleKinds[kind] }));
    const settings = h(
      "div",
      { class: "settings" },
      choice(text.puzzleKind, "puzzle-kind", kinds, this.kind, (kind) => {
        this.kind = /** @type {Kind} */ (kind);
        this.begin();
      }),
    );
    const foot = [
      h("p", { class: "streak" }, text.streak(this.streak(), this.best())),
      h(
        "div",
        { class: "bar" },
        h("button", { type: "button", onclick: () => this.begin() }, text.next),
      ),
      rulesInWords(app),
    ];
    if (this.failed !== null) {
      if (!(this.failed instanceof api.Problem) || this.failed.status !== 404)
        return [settings, problemNote(this.failed, () => this.begin()), ...foot];
      const { layers } = app.set ?? {};
      const isKnown = layers && Object.values(layers).some((numbers) => numbers.length > 0);
      const why = isKnown ? [] : reasons(this.failed);
      return [settings, h("p", { role: "status" }, text.noPuzzle), ...why, ...foot];
    }
    if (this.state === "right") {
      const words = this.erred ? text.rightLate : text.right[this.kind];
      return [settings, h("p", { class: "verdict" }, words), ...foot, movesTable(app, probe)];
    }
    const [best] = probe.moves;
    if (this.state === "shown") {
      const isHere = probe.position === this.position;
      if (isHere) app.board.mark(best.move);
      const words = this.kind === "win" ? text.solution(best.move) : text.onlySolution(best.move);
      return [
        settings,
        h("p", { class: "verdict" }, isHere ? words : ""),
        ...foot,
        movesTable(app, probe),
        isHere && probe.dtw !== null ? line(app) : h("div", {}),
      ];
    }
    const side = app.game.sides.find((other) => other.name === probe.to_move);
    if (!side || this.position !== probe.position) {
      const words = this.replies !== null ? text.goOn : this.position === null ? "" : text.notHere;
      return [settings, h("p", { class: "verdict" }, words), ...foot];
    }
    if (!this.fits(probe)) return [settings, h("p", { role: "status" }, text.notAPuzzle), ...foot];
    return [
      settings,
      h("p", { class: "verdict" }, text.puzzle(side, this.kind, probe.dtw)),
      h("p", {}, this.tried === "" ? "" : this.wrong()),
      entry(app),
      h(
        "div",
        { class: "bar" },
        h("button", { type: "button", onclick: () => this.reveal() }, text.showSolution),
      ),
      ...foot,
    ];
  }
}
