// The board: points, lines, pieces, and arrows, drawn from the geometry that the server sends.

import { h, s } from "./dom.js";
import { text } from "./strings.js";

/**
 * @typedef {import("./api.js").Board} Board
 * @typedef {import("./api.js").Game} Game
 * @typedef {import("./api.js").Probe} Probe
 * @typedef {import("./api.js").Move} Move
 * @typedef {{x: number, y: number}} Place
 */

/** Distance of the two points that are nearest to each other. */
const STEP = 100;

/** Styles of the parts of a picture, from the style sheet. */
const DRAWN = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "opacity",
  "font-size",
  "font-family",
  "text-anchor",
];

/** Names of the points of a move: d4xd6xf6 is d4, d6, f6. @param {string} move */
export const pointsOf = (move) => move.split(/[-x]/);

/**
 * The result of a move for the side that plays it.
 * @param {Probe} probe
 * @param {Move} move
 * @returns {"win" | "draw" | "loss" | "unknown"}
 */
export function result(probe, move) {
  if (move.outcome === null) return "unknown";
  if (move.outcome === "draw") return "draw";
  return move.outcome === probe.to_move ? "win" : "loss";
}

/**
 * Shapes of pieces around the origin: a list of what they stand for, and how they are drawn.
 * @type {[string, () => SVGElement[]][]}
 */
const SHAPES = [
  ["fox foxes wolf wolves coyote coyotes jackal jackals", () => [
    s("path", {
      class: "body",
      d: "M-30 -34 L-12 -22 Q0 -26 12 -22 L30 -34 L28 -6 Q26 22 0 36 Q-26 22 -28 -6 Z",
    }),
    s("path", { class: "detail", d: "M-13 -3 h6 M7 -3 h6 M-4 22 L0 26 L4 22" }),
  ]],
  ["goose geese hen hens bird birds duck ducks crow crows vulture vultures", () => [
    s("circle", { class: "body", r: 29 }),
    s("path", { class: "bill", d: "M-9 2 Q0 -6 9 2 L0 18 Z" }),
    s("path", { class: "detail", d: "M-11 -8 h1 M10 -8 h1" }),
  ]],
  ["hound hounds dog dogs", () => [
    s("path", {
      class: "body",
      d: "M-20 -24 Q0 -34 20 -24 Q34 -22 33 4 Q26 10 21 2 Q20 30 0 32 Q-20 30 -21 2 Q-26 10 -33 4 " +
        "Q-34 -22 -20 -24 Z",
    }),
    s("path", { class: "detail", d: "M-10 -6 h1 M9 -6 h1 M-5 14 L0 19 L5 14 Z" }),
  ]],
  ["hare hares rabbit rabbits", () => [
    s("path", {
      class: "body",
      d: "M-8 -10 Q-24 -40 -12 -42 Q-2 -40 0 -14 Q2 -40 12 -42 Q24 -40 8 -10 Q28 0 24 16 Q18 34 0 " +
        "34 Q-18 34 -24 16 Q-28 0 -8 -10 Z",
    }),
    s("path", { class: "detail", d: "M-10 8 h1 M9 8 h1 M-3 20 h6" }),
  ]],
  ["tiger tigers leopard leopards lion lions jaguar jaguars cat cats bear bears", () => [
    s("path", {
      class: "body",
      d: "M-24 -12 A11 11 0 0 1 -9 -27 Q0 -30 9 -27 A11 11 0 0 1 24 -12 Q33 6 22 20 Q12 33 0 33 " +
        "Q-12 33 -22 20 Q-33 6 -24 -12 Z",
    }),
    s("path", { class: "detail", d: "M-11 -3 h1 M10 -3 h1 M-5 12 L0 16 L5 12 M0 16 V21" }),
  ]],
  ["goat goats sheep lamb lambs calf calves cow cows ox oxen", () => [
    s("path", {
      class: "body",
      d: "M-15 -12 L-31 -4 Q-30 -16 -17 -18 Q-26 -28 -20 -40 Q-12 -30 -5 -24 L5 -24 Q12 -30 20 -40 " +
        "Q26 -28 17 -18 Q30 -16 31 -4 L15 -12 Q20 8 9 30 Q0 37 -9 30 Q-20 8 -15 -12 Z",
    }),
    s("path", { class: "detail", d: "M-7 -5 h1 M6 -5 h1 M-3 22 h6" }),
  ]],
];

/** The shape of pieces that stand for anything else. */
const pawn = () => [
  s("path", {
    class: "body",
    d: "M0 -34 A13 13 0 0 1 9 -11 Q18 -4 8 2 Q10 18 24 26 L24 33 L-24 33 L-24 26 Q-10 18 -8 2 " +
      "Q-18 -4 -9 -11 A13 13 0 0 1 0 -34 Z",
  }),
];

/** The shape of the pieces of a side, by its name. @param {string} name */
const shapeOf = (name) => SHAPES.find(([names]) => names.split(" ").includes(name))?.[1] ?? pawn;

/**
 * The distance of the two points that are nearest to each other.
 * @param {{x: number, y: number}[]} points
 */
function nearest(points) {
  const distances = points.flatMap((a, number) =>
    points.slice(number + 1).map((b) => apart(a, b)),
  );
  return Math.min(...distances);
}

/** The distance of two places. @param {Place} a @param {Place} b */
const apart = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

/**
 * The distance of a place from the line between two others.
 * @param {Place} at
 * @param {Place} a
 * @param {Place} b
 */
function toLine(at, a, b) {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const along = ((at.x - a.x) * dx + (at.y - a.y) * dy) / (dx * dx + dy * dy);
  const part = Math.max(0, Math.min(1, along));
  return apart(at, { x: a.x + part * dx, y: a.y + part * dy });
}

/** The board of one game, on which one acts by pointer and keyboard. */
export class BoardView {
  /**
   * @param {Game} game
   * @param {{move: (move: Move) => void, say: (words: string) => void}} does
   */
  constructor(game, does) {
    this.game = game;
    this.does = does;
    /** @type {Board} */
    this.board = game.board ?? { points: [], lines: [], columns: [], rows: [] };
    this.flipped = false;
    this.mirrored = false;
    /** @type {Probe | null} */
    this.probe = null;
    /** Whether values may be shown. */
    this.values = true;
    /** Whether a person may move now. */
    this.free = true;
    /**
     * Takes the points that are chosen while a position is set up.
     * @type {((number: number) => void) | null}
     */
    this.edits = null;
    /** @type {number | null} */
    this.from = null;
    this.at = 0;
    /** @type {string | null} */
    this.marked = null;
    const { points } = this.board;
    const unit = this.board.lines.length === 0 ? 1 : nearest(points);
    this.width = Math.max(...points.map((point) => point.x)) / unit;
    this.height = Math.max(...points.map((point) => point.y)) / unit;
    this.unit = unit;
    /** Height of names, which is 9 pixels or more where a telephone shows a large board. */
    this.font = Math.max(22, 3.1 * (this.width + 1), 1.9 * (this.height + 1));
    /** Room around the outermost points: squares need half of one, and names. */
    this.margin = (this.board.lines.length === 0 ? 51 : 31) + 1.5 * this.font;
    this.number = new Map(points.map((point, number) => [point.name, number]));
    /** The shapes of the pieces, by side. */
    this.shapes = this.game.sides.map(({ name }) => shapeOf(name));
    this.lines = s("g", { class: "lines", "aria-hidden": "true" });
    this.arrows = s("g", { class: "arrows", "aria-hidden": "true" });
    this.pieces = s("g", { class: "pieces", "aria-hidden": "true" });
    this.spots = s("g", { class: "spots" });
    this.svg = s(
      "svg",
      { class: "board", role: "group", "aria-label": text.board, preserveAspectRatio: "xMidYMid meet" },
      this.lines,
      this.pieces,
      this.arrows,
      this.spots,
    );
    /** Pieces that are not on the board, which words beside the board tell as well. */
    this.tray = h("div", { class: "tray", "aria-hidden": "true" });
    /** Captures of the picked piece that its points do not tell apart. */
    this.captures = h("div", {
      class: "bar", role: "group", "aria-label": text.captures, hidden: true,
    });
    this.element = h("div", { class: "board-box" }, this.svg, this.tray, this.captures);
    this.svg.addEventListener("keydown", (event) => this.key(event));
    this.svg.addEventListener("pointerup", (event) => this.dropped(event));
    this.draw();
  }

  /** The place of a point in the picture. @param {number} number */
  place(number) {
    const point = this.board.points[number];
    return {
      x: this.margin + this.across(point.x / this.unit) * STEP,
      y: this.margin + this.down(point.y / this.unit) * STEP,
    };
  }

  /** Distance of a column from the left. @param {number} x */
  across(x) {
    return this.flipped !== this.mirrored ? this.width - x : x;
  }

  /** Distance of a row from the top. @param {number} y */
  down(y) {
    return this.flipped ? y : this.height - y;
  }

  /** Draws what stays: squares or lines, names, and the points to act on. */
  draw() {
    const { points, lines, columns, rows } = this.board;
    const hasFocus = this.spots.contains(document.activeElement);
    const [width, height] = [2 * this.margin + this.width * STEP, 2 * this.margin + this.height * STEP];
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.element.style.setProperty("--name", `${this.font}px`);
    const base = 0.36 * this.font;
    this.element.style.setProperty("--ratio", String(width / height));
    this.element.style.setProperty("--most", `${width * 1.3}px`);
    // A finger finds points that are 44 pixels apart.
    this.element.style.setProperty("--least", `${width * 0.44}px`);
    this.lines.replaceChildren();
    if (lines.length === 0) {
      const all = new Set(points.map((point) => `${point.x} ${point.y}`));
      for (let x = 0; x <= this.width; x += 1) {
        for (let y = 0; y <= this.height; y += 1) {
          const [left, top] = [this.across(x), this.down(y)];
          this.lines.append(
            s("rect", {
              class:
                all.has(`${x} ${y}`) &&
                (all.size < (this.width + 1) * (this.height + 1) || (x + y) % 2 === 0)
                  ? "square dark"
                  : "square",
              x: this.margin + left * STEP - STEP / 2,
              y: this.margin + top * STEP - STEP / 2,
              width: STEP,
              height: STEP,
            }),
          );
        }
      }
    }
    for (const [a, b] of lines) {
      const [from, to] = [this.place(a), this.place(b)];
      this.lines.append(s("line", { x1: from.x, y1: from.y, x2: to.x, y2: to.y }));
    }
    if (lines.length > 0) {
      points.forEach((_, number) => {
        const { x, y } = this.place(number);
        this.lines.append(s("circle", { class: "well", cx: x, cy: y, r: 9 }));
      });
    }
    columns.forEach((name, x) => {
      this.lines.append(
        s("text", { x: this.margin + this.across(x / this.unit) * STEP, y: height - base }, name),
      );
    });
    rows.forEach((name, y) => {
      this.lines.append(
        s(
          "text",
          { x: 0.64 * this.font, y: this.margin + this.down(y / this.unit) * STEP + base },
          name,
        ),
      );
    });
    if (columns.length === 0) {
      /** @type {Place[]} */
      const named = [];
      points.forEach((point, number) => {
        const at = this.nameOf(number, named);
        named.push(at);
        this.lines.append(s("text", { x: at.x, y: at.y + base }, point.name));
      });
    }
    this.spots.replaceChildren(
      ...points.map(({ name }, number) => {
        const { x, y } = this.place(number);
        // Where nothing is dragged, a finger that goes on may scroll the page.
        const taps = (/** @type {MouseEvent} */ event) =>
          event instanceof PointerEvent && event.pointerType === "touch" &&
          (this.edits !== null || spot.matches(".placeable"));
        const spot = s(
          "g",
          {
            class: "spot",
            role: "button",
            "aria-label": name,
            transform: `translate(${x} ${y})`,
            tabindex: number === this.at ? 0 : -1,
            onpointerdown: (/** @type {PointerEvent} */ event) => {
              if (taps(event)) return;
              event.preventDefault();
              this.focus(number);
              this.chosen(number);
              this.dragged = this.from === number ? number : null;
            },
            // Of a program such as a screen reader; pointers press before they click.
            onclick: (/** @type {MouseEvent} */ event) => {
              if (event.detail === 0 || taps(event)) this.chosen(number);
            },
            onfocus: () => {
              this.at = number;
            },
          },
          s("circle", { class: "hit", r: 46 }),
          s("circle", { class: "ring", r: 42 }),
        );
        return spot;
      }),
    );
    if (hasFocus) this.focus(this.at);
  }

  /**
   * The place for the name of a point: in the direction that is farthest from its lines, and off all
   * other lines, points, and names.
   * @param {number} number
   * @param {Place[]} named places of names
   */
  nameOf(number, named) {
    const here = this.place(number);
    const lines = this.board.lines.map((line) => line.map((point) => this.place(point)));
    const own = this.board.lines.filter((line) => line.includes(number)).map(([a, b]) => {
      const other = this.place(a === number ? b : a);
      return Math.atan2(other.y - here.y, other.x - here.x);
    });
    const away = 41 + this.font / 2;
    const at = (/** @type {number} */ angle) =>
      ({ x: here.x + away * Math.cos(angle), y: here.y + away * Math.sin(angle) });
    const room = (/** @type {number} */ angle) => {
      const place = at(angle);
      const turns = own.map((other) =>
        Math.abs(Math.atan2(Math.sin(angle - other), Math.cos(angle - other))),
      );
      const others = [
        ...lines.map(([a, b]) => toLine(place, a, b)),
        ...this.board.points.flatMap((_, other) =>
          other === number ? [] : [apart(place, this.place(other)) - 36],
        ),
        ...named.map((other) => apart(place, other) / 1.5),
      ];
      return Math.min(away * Math.PI, ...turns.map((turn) => away * turn),
        ...others.filter((distance) => distance < this.font));
    };
    // Of equal directions the first is taken, from upward to the right.
    const directions = Array.from({ length: 16 }, (_, turn) => ((turn - 3) * Math.PI) / 8);
    return at(directions.reduce((best, it) => (room(it) > room(best) + 0.01 ? it : best)));
  }

  /**
   * Shows a position.
   * @param {Probe | null} probe
   * @param {{hand: number, lost: number}[]} beside numbers of pieces that are not on the board, by side
   */
  show(probe, beside = []) {
    const rows = beside.flatMap(({ hand, lost }, side) => [
      this.beside(side, "hand", hand),
      this.beside(side, "lost", lost),
    ]);
    this.tray.replaceChildren(...rows.filter((row) => row.childElementCount > 0));
    if (probe?.position !== this.probe?.position) this.from = null;
    const before = this.probe;
    this.probe = probe;
    this.paint(before);
  }

  /**
   * Pieces in hand, or captured ones.
   * @param {number} side
   * @param {"hand" | "lost"} kind
   * @param {number} count
   */
  beside(side, kind, count) {
    const { piece } = this.game.sides[side];
    // No more than the board could hold: any number may be typed.
    const length = Math.min(Math.max(0, count), this.board.points.length);
    const pieces = Array.from({ length }, () =>
      s("svg", { viewBox: "-46 -46 92 92" }, this.piece(piece)),
    );
    return h("span", { class: kind }, ...pieces);
  }

  /** @param {string} letter @param {Record<string, any>} attributes */
  piece(letter, { class: more = "", ...attributes } = {}) {
    const isFirst = letter === this.game.sides[0].piece;
    const { name } = this.game.sides[isFirst ? 0 : 1];
    // A side that is called white or black has that color.
    const color = name === "white" || name === "black" ? ` ${name}` : "";
    return s(
      "g",
      { class: `piece ${isFirst ? "first" : "second"}${color}${more}`, ...attributes },
      s("g", { class: "inner" }, ...this.shapes[isFirst ? 0 : 1]()),
    );
  }

  /** Moves of the chosen piece, or all. */
  moves() {
    const moves = this.probe?.moves ?? [];
    const { from } = this;
    return from === null
      ? moves
      : moves.filter((move) => this.number.get(pointsOf(move.move)[0]) === from);
  }

  /** Offers captures of the picked piece below the board. @param {Move[]} moves */
  offerCaptures(moves) {
    const button = (/** @type {Move} */ move) => {
      const mark = () => this.mark(move.move);
      const unmark = () => this.mark(null);
      const play = () => {
        this.from = null;
        this.does.move(move);
      };
      return h(
        "button",
        {
          type: "button", onclick: play, onfocus: mark, onblur: unmark,
          onpointerenter: mark, onpointerleave: unmark,
        },
        move.move,
      );
    };
    if (this.captures.contains(document.activeElement)) this.focus(this.at);
    this.captures.hidden = moves.length === 0;
    this.captures.replaceChildren(...moves.map(button));
  }

  /** Moves of the picked piece to a point. @param {number} number */
  movesTo(number) {
    return this.moves().filter((move) => this.target(move) === number);
  }

  /** Draws what changes. @param {Probe | null} before */
  paint(before = this.probe) {
    const { probe } = this;
    if (this.from === null && !this.captures.hidden) {
      this.marked = null;
      this.offerCaptures([]);
    }
    const letters = [...(probe?.pieces ?? "")];
    const old = [...(before?.pieces ?? "")];
    const shapes = letters.flatMap((letter, number) => {
      if (letter === ".") return [];
      const { x, y } = this.place(number);
      const piece = this.piece(letter, {
        class: number === this.from ? " picked" : "",
        transform: `translate(${x} ${y})`,
      });
      // A piece that came from another point slides.
      if (old.length === letters.length && old[number] !== letter) {
        const left = old.findIndex((was, other) => was === letter && letters[other] !== letter);
        if (left >= 0) {
          const from = this.place(left);
          const inner = /** @type {SVGElement} */ (piece.firstChild);
          inner.animate?.(
            [{ transform: `translate(${from.x - x}px, ${from.y - y}px)` }, { transform: "none" }],
            {
              duration: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 150,
              easing: "ease-out",
            },
          );
        }
      }
      return [piece];
    });
    this.pieces.replaceChildren(...shapes);
    this.paintArrows();
    const isPlacing = this.from === null && this.free && this.edits === null;
    const placed = isPlacing ? this.placements() : [];
    const placeable = new Set(placed.map((move) => this.target(move)));
    const targets = new Set(
      (this.from === null ? [] : this.moves()).map((move) => this.target(move)),
    );
    const movable = new Set(
      (probe?.moves ?? [])
        .filter((move) => !this.placements().includes(move))
        .map((move) => this.number.get(pointsOf(move.move)[0])),
    );
    [...this.spots.children].forEach((spot, number) => {
      const { name } = this.board.points[number];
      const side = this.game.sides.find((owner) => owner.piece === letters[number]);
      const words = [side ? side.name : text.point.empty];
      if (targets.has(number)) words.push(text.point.target);
      else if (placeable.has(number)) words.push(text.point.placeable);
      else if (this.free && movable.has(number)) words.push(text.point.movable);
      spot.setAttribute("aria-label", text.point.label(name, words.join(", ")));
      spot.setAttribute("aria-pressed", String(number === this.from));
      spot.classList.toggle("target", targets.has(number));
      spot.classList.toggle("placeable", placeable.has(number));
      spot.classList.toggle("movable", this.free && movable.has(number));
    });
  }

  /** Moves that place a piece in hand. */
  placements() {
    return (this.probe?.moves ?? []).filter(
      (move) => pointsOf(move.move).length === 1 && this.number.has(move.move),
    );
  }

  /** The last point of a move. @param {Move} move */
  target(move) {
    const points = pointsOf(move.move);
    return this.number.get(points[points.length - 1]);
  }

  /** Draws an arrow for each move; those that give something away fade. */
  paintArrows() {
    const { probe } = this;
    this.arrows.replaceChildren();
    if (probe === null || !this.free) return;
    const moves = this.moves();
    const best = moves.length > 0 ? result(probe, moves[0]) : "unknown";
    // The marked move is drawn last, on top of the others.
    const order = [...moves]
      .reverse()
      .sort((a, b) => Number(a.move === this.marked) - Number(b.move === this.marked));
    const mover = probe.to_move === this.game.sides[0].name ? "first" : "second";
    for (const move of order) {
      const kind = this.values ? result(probe, move) : "unknown";
      const weak = this.values && kind !== best && this.from === null;
      const isMarked = move.move === this.marked;
      if (!this.values && this.from === null && !isMarked) continue;
      this.arrows.append(
        this.arrow(
          pointsOf(move.move),
          `${kind} ${mover}${weak ? " weak" : ""}${isMarked ? " marked" : ""}`,
        ),
      );
    }
  }

  /** @param {string[]} names @param {string} kind */
  arrow(names, kind) {
    const places = names.flatMap((name) => {
      const number = this.number.get(name);
      return number === undefined ? [] : [this.place(number)];
    });
    const group = s("g", { class: `arrow ${kind}` });
    if (places.length === 1)
      group.append(s("circle", { class: "placed", cx: places[0].x, cy: places[0].y, r: 18 }));
    if (places.length < 2) return group;
    const [last, end] = places.slice(-2);
    const length = Math.hypot(end.x - last.x, end.y - last.y) || 1;
    const [dx, dy] = [(end.x - last.x) / length, (end.y - last.y) / length];
    const [first, second] = places;
    const span = Math.hypot(second.x - first.x, second.y - first.y) || 1;
    const tip = { x: end.x - dx * 22, y: end.y - dy * 22 };
    const neck = { x: tip.x - dx * 20, y: tip.y - dy * 20 };
    const path = [
      {
        x: first.x + ((second.x - first.x) / span) * 34,
        y: first.y + ((second.y - first.y) / span) * 34,
      },
      ...places.slice(1, -1),
      neck,
    ];
    group.append(
      s("polyline", { points: path.map(({ x, y }) => `${x},${y}`).join(" ") }),
      s("path", {
        d: `M${tip.x} ${tip.y} L${neck.x - dy * 12} ${neck.y + dx * 12} L${neck.x + dy * 12} ` +
          `${neck.y - dx * 12} Z`,
      }),
    );
    return group;
  }

  /** Marks a move, as the list does. @param {string | null} move */
  mark(move) {
    if (this.marked === move) return;
    this.marked = move;
    this.paintArrows();
  }

  /** Takes no moves until the next position is shown. */
  wait() {
    this.from = null;
    this.free = false;
    this.paint();
  }

  /** Turns the board around. */
  flip() {
    this.flipped = !this.flipped;
    this.draw();
    this.paint();
  }

  /** Shows the board as in a mirror. */
  mirror() {
    this.mirrored = !this.mirrored;
    this.draw();
    this.paint();
  }

  /** The board as it is seen, as a file of SVG. */
  picture() {
    const copy = /** @type {SVGSVGElement} */ (this.svg.cloneNode(true));
    const [seen, drawn] = [this.svg.querySelectorAll("*"), copy.querySelectorAll("*")];
    seen.forEach((element, number) => {
      const style = getComputedStyle(element);
      for (const name of DRAWN) drawn[number].setAttribute(name, style.getPropertyValue(name));
    });
    copy.querySelector(".spots")?.remove();
    const { width, height } = this.svg.viewBox.baseVal;
    copy.prepend(s("rect", { width, height, fill: getComputedStyle(document.body).backgroundColor }));
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    return new XMLSerializer().serializeToString(copy);
  }

  /** Goes to a point. @param {number} number */
  focus(number) {
    this.spots.children[this.at]?.setAttribute("tabindex", "-1");
    this.at = number;
    const spot = /** @type {SVGElement} */ (this.spots.children[number]);
    spot.setAttribute("tabindex", "0");
    spot.focus({ preventScroll: true });
  }

  /** Picks up the piece of a point, or puts the picked one down there. @param {number} number */
  chosen(number) {
    const { probe } = this;
    if (this.edits !== null) {
      this.edits(number);
      return;
    }
    if (probe === null || !this.free) return;
    const { points } = this.board;
    const placement = this.placements().find((move) => this.target(move) === number);
    if (placement !== undefined) {
      this.from = null;
      this.does.move(placement);
      return;
    }
    if (this.from !== null && number !== this.from) {
      const moves = this.movesTo(number);
      if (moves.length === 1) {
        this.from = null;
        this.does.move(moves[0]);
        return;
      }
      if (moves.length > 1) {
        this.offerCaptures(moves);
        this.does.say(text.several);
        return;
      }
    }
    const side = this.game.sides.find((owner) => owner.name === probe.to_move);
    const letter = [...(probe.pieces ?? "")][number];
    if (this.from === number) {
      this.letGo();
    } else if (probe.moves.some((move) => this.number.get(pointsOf(move.move)[0]) === number)) {
      this.from = number;
      // The point itself lets go of the piece.
      const round = this.movesTo(number);
      this.offerCaptures(round);
      this.does.say(text.picked(points[number].name) + (round.length > 0 ? ` ${text.round}` : ""));
    } else if (this.from !== null) {
      this.does.say(text.illegal(points[this.from].name, points[number].name));
    } else if (side && probe.moves.length > 0) {
      this.does.say(letter === side.piece ? text.stuck : text.notTheirs(side));
    }
    this.paint();
  }

  letGo() {
    if (this.from === null) return;
    this.from = null;
    this.does.say(text.letGo);
    this.paint();
  }

  /** Ends a drag. @param {PointerEvent} event */
  dropped(event) {
    const { dragged } = this;
    this.dragged = null;
    if (dragged === null || dragged === undefined || this.from !== dragged) return;
    const matrix = this.svg.getScreenCTM();
    if (matrix === null) return;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const near = this.board.points.findIndex((_, number) => {
      const { x, y } = this.place(number);
      return Math.hypot(x - at.x, y - at.y) < STEP / 2;
    });
    if (near >= 0 && near !== dragged) this.chosen(near);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const directions = /** @type {Record<string, [number, number]>} */ ({
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    });
    const direction = directions[event.key];
    if (direction) {
      event.preventDefault();
      event.stopPropagation();
      const here = this.place(this.at);
      let [nearest, least] = [this.at, Infinity];
      this.board.points.forEach((_, number) => {
        const { x, y } = this.place(number);
        const along = (x - here.x) * direction[0] + (y - here.y) * direction[1];
        const aside = Math.abs((x - here.x) * direction[1]) + Math.abs((y - here.y) * direction[0]);
        // Sideways counts three times, so that straight lines are followed.
        if (along > 0 && along + 3 * aside < least) [nearest, least] = [number, along + 3 * aside];
      });
      this.focus(nearest);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.chosen(this.at);
    } else if (event.key === "Escape") {
      event.stopPropagation();
      this.letGo();
    }
  }
}
