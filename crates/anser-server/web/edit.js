// Setting a position up: pieces on and off, whose turn it is, and the numbers of the position.

import * as api from "./api.js";
import { choice, h, number, renew } from "./dom.js";
import { fieldsOf, notOnBoard } from "./hands.js";
import { capital, text } from "./strings.js";
import { verdict } from "./value.js";

/**
 * @typedef {import("./main.js").App} App
 * @typedef {import("./api.js").Board} Board
 * @typedef {import("./api.js").Game} Game
 * @typedef {import("./api.js").Probe} Probe
 * @typedef {import("./api.js").Side} Side
 */

/**
 * The notation of a board: rows from the top, runs of empty points as digits, and the side to move.
 * @param {Board} board
 * @param {string[]} letters
 * @param {string} toMove
 */
export function notation(board, letters, toMove) {
  /** @type {Map<number, {x: number, letter: string}[]>} */
  const rows = new Map();
  board.points.forEach(({ x, y }, number) => {
    rows.set(y, [...(rows.get(y) ?? []), { x, letter: letters[number] }]);
  });
  const texts = [...rows.entries()]
    .sort(([a], [b]) => b - a)
    .map(([, row]) => {
      const line = row.sort((a, b) => a.x - b.x).map(({ letter }) => letter).join("");
      return line.replace(/\.{1,9}/g, (empty) => String(empty.length));
    });
  return `${texts.join("/")} ${toMove}`;
}

/** The board as it is being set up. */
export class EditPanel {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {string[]} */
    this.letters = [];
    this.toMove = "";
    /** The address of the position that was shown at first. */
    this.from = "";
    /** The numbers after the side to move: those of `fieldsOf`, and the plies left if they are bounded. */
    this.numbers = /** @type {number[]} */ ([]);
    /** The piece that a click sets, or none. */
    this.brush = ".";
    /** @type {AbortController | null} */
    this.asking = null;
  }

  /** Begins with the position that is shown, or goes on from it. @param {Probe} probe */
  begin(probe) {
    const { game, position } = this.app;
    const { sides } = game;
    if (this.from === this.app.address(position)) return;
    this.from = this.app.address(position);
    this.letters = [...(probe.pieces ?? "")];
    const [before, after] = [probe.position, probe.moves[0]?.position ?? ""].map((position) =>
      position.split(" ").slice(2).map(Number),
    );
    // All plies are left where only the next position has their number.
    const isFull = after.length > before.length;
    this.numbers = isFull ? [...before, after[before.length] + 1] : before;
    this.toMove = (sides.find((side) => side.name === probe.to_move) ?? sides[0]).to_move;
    this.brush = sides[1].piece;
  }

  /** Puts a piece on a point, or takes it off. @param {number} number */
  put(number) {
    this.set(number, this.letters[number] === this.brush ? "." : this.brush);
    this.check();
  }

  /**
   * Changes a point. A piece that is put on the board is taken from the hand.
   * @param {number} number
   * @param {string} letter
   */
  set(number, letter) {
    const { game } = this.app;
    fieldsOf(game).forEach(({ kind, side }, at) => {
      const { piece } = game.sides[side];
      if (kind === "hand")
        this.numbers[at] += Number(this.letters[number] === piece) - Number(letter === piece);
    });
    this.letters[number] = letter;
  }

  /** Draws what is set up, and asks what is wrong with it. */
  async check() {
    const { app } = this;
    const { sides } = app.game;
    const numbers = this.numbers.map((number) => ` ${Math.max(0, number)}`).join("");
    const position = notation(app.board.board, this.letters, this.toMove) + numbers;
    const side = sides.find((other) => other.to_move === this.toMove) ?? sides[0];
    app.board.show({
      game: app.game.game, rules: app.rules, position, to_move: side.name, outcome: null, dtw: null,
      layer: 0, pieces: this.letters.join(""), ending: null, moves: [], unknown: [],
    }, notOnBoard(app, position));
    // The position before is offered until this one is known to be one.
    for (const button of app.body.querySelectorAll("button.use")) button.setAttribute("disabled", "");
    this.asking?.abort();
    const asking = new AbortController();
    this.asking = asking;
    try {
      const probe = await api.probe(app.game.game, app.rules, position, asking.signal);
      if (!asking.signal.aborted && app.mode === "edit")
        this.draw(position, verdict(app.game, probe).words, true);
    } catch (error) {
      if (asking.signal.aborted || app.mode !== "edit") return;
      const words = error instanceof Error && error.message !== "" ? error.message : text.offline;
      this.draw(position, capital(words), false);
    }
  }

  /** @param {string} position @param {string} words @param {boolean} isValid */
  draw(position, words, isValid) {
    const { app } = this;
    const { sides } = app.game;
    const brushes = [
      ...sides.map((side) => ({ letter: side.piece, name: capital(side.name) })),
      { letter: ".", name: text.eraser },
    ];
    const names = fieldsOf(app.game).map(({ kind, side }) =>
      kind === "hand" ? text.handOf(sides[side]) : text.capturedOf(sides[side]),
    );
    renew(
      app.body,
      h("p", { class: isValid ? "verdict" : "problem", role: "status" }, words),
      h("p", { class: "note" }, h("code", {}, position)),
      h("p", { class: "note" }, text.editAbout),
      h("div", { class: "bar", role: "group", "aria-label": text.brush },
        ...brushes.map(({ letter, name }) =>
          h(
            "button",
            {
              type: "button",
              "aria-pressed": String(letter === this.brush),
              onclick: () => {
                this.brush = letter;
                this.draw(position, words, isValid);
              },
            },
            name,
          ),
        ),
      ),
      h(
        "div",
        { class: "settings" },
        choice(
          text.whoMoves,
          "edit-side",
          sides.map((side) => ({ value: side.to_move, text: capital(side.name) })),
          this.toMove,
          (value) => {
            this.toMove = value;
            this.check();
          },
        ),
        ...this.numbers.map((value, at) =>
          number(names[at] ?? text.pliesLeft, `edit-number-${at}`, Math.max(0, value), (changed) => {
            this.numbers[at] = changed;
            this.check();
          }),
        ),
      ),
      h(
        "div",
        { class: "bar" },
        h("button", { type: "button", onclick: () => this.all(".") }, text.clear),
        h("button", { type: "button", onclick: () => this.again() }, text.startOver),
        h(
          "button",
          { type: "button", class: "use", disabled: !isValid, onclick: () => app.use(position) },
          text.use,
        ),
      ),
    );
  }

  /** Begins again with the position that was shown. */
  again() {
    this.from = "";
    this.app.show();
  }

  /** @param {string} letter */
  all(letter) {
    this.letters.forEach((_, number) => this.set(number, letter));
    this.check();
  }
}
