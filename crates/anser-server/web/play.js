// Playing against perfection, and what was given away.

import { openings, rulesInWords } from "./about.js";
import * as api from "./api.js";
import { result } from "./board.js";
import { choice, h, renew, s } from "./dom.js";
import { problemNote } from "./errors.js";
import { beside } from "./hands.js";
import { capital, text } from "./strings.js";
import { verdict } from "./value.js";

/**
 * @typedef {import("./main.js").App} App
 * @typedef {import("./api.js").Probe} Probe
 */

/** Delay before a move of the computer, in milliseconds. */
export const PAUSE = 450;

/** Levels to choose from, and plies that searches look ahead, the strongest first. */
const LEVELS = ["expert", "skilled", "casual", "beginner"];
const SEARCHES = [12, 7, 4, 2];

/** Best play. */
const PERFECT = { style: "quick", fuzz: 0 };

/** The name under which the browser keeps the players. */
const PLAYERS = "anser.players";

/** The players and the strength that this tab has kept. */
function kept() {
  try {
    const { computer, strength } = JSON.parse(sessionStorage.getItem(PLAYERS) ?? "");
    const isWhole =
      computer.length === 2 &&
      computer.every((/** @type {any} */ it) => typeof it === "boolean") &&
      typeof strength.style === "string" &&
      typeof strength.fuzz === "number";
    return isWhole ? { computer, strength } : {};
  } catch {
    return {};
  }
}

/** Who plays, and how well. */
export class PlayPanel {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    const { computer, strength } = kept();
    /** Whether the computer plays the first side, and the second. @type {boolean[]} */
    this.computer = computer ?? [false, true];
    /**
     * The computer's style: a level, a search, or `quick` for best play but for its fuzz factor: how
     * much each move that is not best weighs.
     * @type {{style: string, fuzz: number}}
     */
    this.strength = strength ?? PERFECT;
    /** The side that has resigned. @type {string | null} */
    this.resigned = null;
    this.hints = false;
    this.settings = h("div", { class: "settings" });
    /** The choices that are shown, and what they depend on. */
    this.shown = { key: "", choices: /** @type {Node[]} */ ([]) };
    /** The question for the computer's move. @type {AbortController | null} */
    this.asking = null;
    /** Why it has no answer. @type {unknown} */
    this.failed = null;
  }

  /** Keeps the players and the strength while this tab is open. */
  keep() {
    const { computer, strength } = this;
    try {
      sessionStorage.setItem(PLAYERS, JSON.stringify({ computer, strength }));
    } catch {
      // The browser keeps nothing.
    }
  }

  /** Whether the computer searches, also where values are known. */
  isSearch() {
    return this.strength.style.startsWith("search-");
  }

  /** Whether the computer draws any move. */
  isRandom() {
    return this.strength.fuzz === 1;
  }

  /** Whether the computer plays a side. @param {string} name */
  isComputers(name) {
    return this.computer[this.app.game.sides.findIndex((side) => side.name === name)];
  }

  /** Whether a person moves next. @param {Probe} probe */
  isPersons(probe) {
    return !this.isComputers(probe.to_move);
  }

  /** Ends the thinking, when another position is shown. */
  stop() {
    this.asking?.abort();
    [this.resigned, this.failed] = [null, null];
  }

  /** The person who is to move gives up, or the only one that there is. @param {Probe} probe */
  resign(probe) {
    const persons = this.app.game.sides.filter((_, number) => !this.computer[number]);
    const side = persons.find(({ name }) => name === probe.to_move) ?? persons[0];
    if (!side) return;
    this.stop();
    this.resigned = side.name;
    this.app.show();
  }

  /**
   * Whether the game is over, by the rules, by repetition, or because a side resigned.
   * @param {Probe} probe
   */
  isOver(probe) {
    return probe.moves.length === 0 || this.resigned !== null || this.isRepeated(probe);
  }

  /**
   * Whether a position is there for the third time, and not known to be won: the one that is shown, or
   * that after another number of moves.
   * @param {Probe} probe
   * @param {number} at
   */
  isRepeated({ outcome, dtw, position }, at = this.app.at) {
    const { start, played } = this.app;
    const before = [start, ...played.map((made) => made.position)].slice(0, at);
    const isEndless = outcome === this.app.set?.endless && dtw === null;
    return (
      (outcome === null || outcome === "draw" || isEndless) &&
      before.filter((other) => other === position).length >= 2
    );
  }

  /** The sentence about a game that has ended by repetition. */
  repetition() {
    const winner = this.app.game.sides.find(({ name }) => name === this.app.set?.endless);
    return winner ? text.repetitionWon(winner) : text.repetition;
  }

  toggleHints() {
    if (this.app.mode !== "play") return;
    this.hints = !this.hints;
    this.app.show();
  }

  /** Moves for the computer, if it is its turn at the end of the moves. @param {Probe} probe */
  async act(probe) {
    const { app } = this;
    this.asking?.abort();
    this.failed = null;
    if (this.isOver(probe) || this.isPersons(probe) || app.at < app.played.length) return;
    const asking = new AbortController();
    this.asking = asking;
    try {
      const { position, moves } = since(app);
      const [{ chosen, by, searched }] = await Promise.all([
        api.choose(app.game.game, app.rules, position, moves, this.strength, asking.signal),
        api.wait(PAUSE),
      ]);
      if (asking.signal.aborted || app.probe !== probe) return;
      app.make(chosen, false);
      if (by === "search" && !this.isRandom())
        app.played[app.at - 1].by = text.by.searched(searched?.plies ?? 0, this.isSearch());
      else if (this.isDecided(chosen.outcome) && (by === "outcome" || by === "conversion"))
        app.played[app.at - 1].by = text.by[by];
    } catch (error) {
      if (asking.signal.aborted) return;
      this.failed = error;
      app.draw(probe);
    }
  }

  /** Source of the computer's moves, if that is not best play. @param {Probe} probe */
  basis(probe) {
    const { app } = this;
    if (!this.computer.some(Boolean) || this.isOver(probe)) return "";
    const last = app.played.slice(0, app.at).findLast(({ side }) => this.isComputers(side));
    if (last) return last.by ?? "";
    if (this.isSearch() || this.isRandom()) return "";
    if (probe.outcome === null) return api.isSite ? "" : text.by.search;
    return this.isDecided(probe.outcome) && probe.dtw === null ? text.by.outcome : "";
  }

  /** Whether an outcome is a win that comes to an end. @param {string | null} outcome */
  isDecided(outcome) {
    return outcome !== "draw" && outcome !== this.app.set?.endless;
  }

  /** How the game has ended, in a few words and in more. @param {Probe} probe */
  ended(probe) {
    const { game } = this.app;
    const resigned = game.sides.find(({ name }) => name === this.resigned);
    if (resigned) return { words: text.resigned(resigned), tone: "", how: "" };
    const how = probe.ending ? text.over(probe.ending) : "";
    if (this.isRepeated(probe)) return { words: this.repetition(), tone: "", how };
    return { ...verdict(game, probe), how };
  }

  /** @param {Probe} probe @returns {Node[]} */
  draw(probe) {
    const { app } = this;
    const over = this.isOver(probe);
    const side = app.game.sides.find((other) => other.name === probe.to_move);
    const ended = over ? this.ended(probe) : null;
    const shown =
      ended ?? (this.hints ? verdict(app.game, probe) : { words: side ? text.toMove(side) : "", tone: "" });
    // A side that is blocked passes; a move without a point is not one on the board.
    const pass =
      this.isPersons(probe) && !over ? probe.moves.find(({ move }) => move === "pass") : undefined;
    const hints = h(
      "button",
      { type: "button", "aria-pressed": String(this.hints), onclick: () => this.toggleHints() },
      text.hints,
    );
    return [
      h("p", { class: `verdict ${shown.tone}` }, shown.words),
      h(
        "p",
        { class: "turn" },
        ended
          ? ended.how
          : this.isPersons(probe)
            ? ""
            : app.at < app.played.length
              ? text.lookingBack
              : text.thinking,
      ),
      ...(this.failed === null ? [] : [problemNote(this.failed, () => app.show())]),
      h("p", { class: "note" }, this.basis(probe)),
      this.drawSettings(),
      h("p", { class: "note" }, beside(app, probe)),
      rulesInWords(app),
      h("div", { class: "bar" },
        pass ? h("button", { type: "button", onclick: () => app.chosen(pass) }, text.pass) : null,
        h(
          "button",
          { type: "button", disabled: app.before() === null, onclick: () => app.takeBack() },
          text.takeBack,
        ),
        hints,
        h(
          "button",
          {
            type: "button",
            disabled: over || this.computer.every(Boolean),
            onclick: () => this.resign(probe),
          },
          text.resign,
        ),
        h(
          "button",
          { type: "button", onclick: () => app.open(app.game, app.rules, app.start) },
          text.newGame,
        ),
      ),
      h(
        "p",
        { class: "note" },
        [
          ...(api.isSite ? [] : [text.strengthAbout]),
          ...(app.game.fairest_fuzz[app.game.game] ? [text.fuzzAbout] : []),
          text.repetitionRule,
        ].join(" "),
      ),
      ...(over && app.played.length > 0 ? [this.review()] : []),
    ];
  }

  /** The choices. Those of the players and of the strength stay if they are the same. */
  drawSettings() {
    const { app } = this;
    // The choice of the strength keeps its own value.
    const key = JSON.stringify([app.game.game, app.rules, this.computer]);
    if (this.shown.key !== key) this.shown = { key, choices: this.choices() };
    renew(this.settings, ...this.shown.choices, openings(app));
    return this.settings;
  }

  /** The choices of the players and of the strength. */
  choices() {
    const { app } = this;
    const players = app.game.sides.map((owner, number) =>
      choice(
        capital(owner.name),
        `player-${number}`,
        [
          { value: "person", text: text.person },
          { value: "computer", text: text.computer },
        ],
        this.computer[number] ? "computer" : "person",
        (value) => {
          this.computer[number] = value === "computer";
          this.keep();
          // The computer continues from here.
          if (app.probe && !this.isPersons(app.probe)) app.played.length = app.at;
          app.show();
        }));
    const fairest = app.game.fairest_fuzz[app.game.game];
    const strengths = [
      { value: "0", text: text.perfect },
      // Levels err by chances that the server computes, and it searches.
      ...(api.isSite ? [] : [
        ...LEVELS.map((level) => ({ value: level, text: text.level[level] })),
        ...SEARCHES.map((plies) => ({ value: `search-${plies}`, text: text.search(plies) })),
      ]),
      { value: "1", text: text.random },
      ...(fairest ? [{ value: String(fairest), text: text.fairest(fairest) }] : []),
    ];
    const { style, fuzz } = this.strength;
    const chosen = style === "quick" ? String(fuzz) : style;
    // Another game, or a site, may not have the strength.
    const isThere = strengths.some(({ value }) => value === chosen);
    if (!isThere) this.strength = PERFECT;
    return [
      ...players,
      choice(
        text.strength,
        "strength",
        strengths,
        isThere ? chosen : "0",
        (value) => {
          this.strength = Number.isNaN(Number(value))
            ? { style: value, fuzz: 0 }
            : { style: "quick", fuzz: Number(value) };
          this.keep();
        },
      ),
    ];
  }

  /** The errors of both sides, after the game. */
  review() {
    const list = [...mistakesOf(this.app).values()];
    return h("section", { "aria-label": text.mistakes },
      h("h2", {}, text.mistakes),
      list.length === 0
        ? h("p", {}, text.noMistakes)
        : h("ul", {}, ...list.map((words) => h("li", {}, words))),
      graph(this.app),
    );
  }
}

/** Characters of the moves in a request. The server reads queries of at most 4000 bytes. */
const LONGEST = 3000;

/**
 * A position of the game and the moves after it, for the choice of the computer, which depends on
 * earlier positions because they may be repeated. No position before the last capture or placement
 * comes again. Of the moves since then, the most recent ones that fit into a request are returned.
 * @param {App} app
 */
function since({ start, played }) {
  const positions = [start, ...played.map(({ position }) => position)];
  // The pieces on the board, and the numbers of those in hand, or of plies left.
  const counts = positions.map((position) => {
    const [board, , ...numbers] = position.split(" ");
    return [...board.replace(/[\d/]/g, "")].sort().join("") + numbers.join(" ");
  });
  const oldest = counts.findLastIndex((count) => count !== counts.at(-1)) + 1;
  let first = played.length;
  // There is no comma before the first move.
  for (let length = -encodeURIComponent(",").length; first > oldest; first -= 1) {
    length += encodeURIComponent(`,${played[first - 1].move}`).length;
    if (length > LONGEST) break;
  }
  return { position: positions[first], moves: played.slice(first).map(({ move }) => move) };
}

/** The probes of the positions of the game. @param {App} app @returns {(Probe | null)[]} */
export const probes = (app) => {
  const seen = (/** @type {string} */ position) => api.seen(app.game.game, app.rules, position);
  return [seen(app.start), ...app.played.map((made) => api.after(seen(made.position), made))];
};

/**
 * The moves that changed the outcome, by their number.
 * @param {App} app
 * @returns {Map<number, string>}
 */
export function mistakesOf(app) {
  const found = new Map();
  const before = probes(app);
  const worth = { win: 2, draw: 1, loss: 0, unknown: -1 };
  app.played.forEach(({ move }, number) => {
    const probe = before[number];
    const made = probe?.moves.find((other) => other.move === move);
    if (!probe || !made || probe.moves[0].outcome === null || made.outcome === null) return;
    const [best] = probe.moves;
    if (worth[result(probe, made)] < worth[result(probe, best)]) {
      found.set(number + 1, text.mistake(number + 1, move, best.move));
    }
  });
  return found;
}

/** The value after each move, as a curve: wins by their distance. @param {App} app */
export function graph(app) {
  const found = probes(app);
  const [first] = app.game.sides;
  const [width, height] = [360, 90];
  const longest = Math.max(2, ...found.map((probe) => probe?.dtw ?? 0));
  const step = width / Math.max(1, found.length - 1);
  const points = found.map((probe, number) => {
    if (!probe || probe.outcome === null) return null;
    const sign = probe.outcome === "draw" ? 0 : probe.outcome === first.name ? 1 : -1;
    // A win is the higher the nearer it is.
    const part = probe.dtw === null ? 0.6 : 1 - (0.75 * probe.dtw) / longest;
    return { x: number * step, y: height / 2 - sign * part * (height / 2 - 4), number };
  });
  const known = points.flatMap((point) => (point === null ? [] : [point]));
  const path = known.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
  const gave = mistakesOf(app);
  const area = (/** @type {string} */ kind, /** @type {(y: number) => number} */ clip) =>
    known.length < 2
      ? null
      : s("polygon", {
          class: kind,
          points: `${known[0].x},${height / 2} ` +
            `${known.map(({ x, y }) => `${x.toFixed(1)},${clip(y).toFixed(1)}`).join(" ")} ` +
            `${known[known.length - 1].x},${height / 2}`,
        });
  const svg = s(
    "svg",
    {
      class: "graph",
      viewBox: `-4 -4 ${width + 8} ${height + 8}`,
      role: "img",
      "aria-label": `${text.graph}. ${text.graphAbout}`,
      onclick: (/** @type {MouseEvent} */ event) => {
        const box = svg.getBoundingClientRect();
        app.go(Math.round(((event.clientX - box.left) / box.width) * (found.length - 1)));
      },
    },
    area("up", (y) => Math.min(y, height / 2)),
    area("down", (y) => Math.max(y, height / 2)),
    s("line", { class: "axis", x1: 0, y1: height / 2, x2: width, y2: height / 2 }),
    s("polyline", { class: "curve", points: path }),
    s("line", { class: "here", x1: app.at * step, y1: 0, x2: app.at * step, y2: height }),
    ...known
      .filter(({ number }) => gave.has(number))
      .map(({ x, y }) => s("circle", { class: "gave", cx: x, cy: y, r: 5 })),
  );
  return svg;
}
