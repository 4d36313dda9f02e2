// The page: what is shown, what was played, and what is asked next.

import { about, rulesInWords } from "./about.js";
import * as api from "./api.js";
import { BoardView } from "./board.js";
import { h, renew } from "./dom.js";
import { EditPanel } from "./edit.js";
import { entry } from "./entry.js";
import { problemNote, wordsOf } from "./errors.js";
import { explorePanel } from "./explore.js";
import { opening, under } from "./games.js";
import { notOnBoard } from "./hands.js";
import { header } from "./header.js";
import { press } from "./keys.js";
import { addressed, addressOf, decoded, inPath, outOfPath } from "./places.js";
import { PlayPanel } from "./play.js";
import { PuzzlePanel } from "./puzzles.js";
import { follow, recordPanel } from "./record.js";
import { solvingWords, watch } from "./solving.js";
import { recordsPanel, statisticsPanel } from "./statistics.js";
import { capital, gameTitle, text } from "./strings.js";
import { verdict } from "./value.js";

/**
 * @typedef {import("./api.js").Game} Game
 * @typedef {import("./api.js").Probe} Probe
 * @typedef {import("./api.js").Move} Move
 * @typedef {{move: string, side: string, position: string, outcome: string | null,
 *   ending: string | null, by?: string}} Played
 * @typedef {{outcome: string, dtw: number | null, line: string[],
 *   moves?: {move: string, outcome: string, dtw: number | null}[]}} Kept
 * @typedef {"explore" | "play" | "edit" | "puzzles" | "statistics" | "records"} Mode
 */

/** @type {[Mode, string][]} */
const MODES = [
  ["explore", text.explore],
  ["play", text.play],
  ["edit", text.edit],
  ["puzzles", text.puzzles],
  ["statistics", text.statistics],
];

/** Characters of the longest address that is made. */
const LONGEST = 4000;

/** @type {Mode[]} */
const TABS = ["explore", "play", "edit", "puzzles", "statistics", "records"];

export class App {
  /** @param {Game[]} games */
  constructor(games) {
    this.games = games;
    this.rules = games[0].default_rules;
    this.game = under(games[0], this.rules);
    /** The position that the moves begin from. */
    this.start = "";
    /** @type {Played[]} */
    this.played = [];
    this.at = 0;
    /** @type {Probe | null} */
    this.probe = null;
    /** Whether its value comes from kept results. */
    this.isKept = false;
    /** Whether the line of status says that the server is busy. */
    this.isBusy = false;
    /** @type {Mode} */
    this.mode = "explore";
    /** The answer for the position that is shown, without kept results. @type {Probe | null} */
    this.found = null;
    /** The timer of the next question for it. */
    this.watching = 0;
    /** @type {AbortController | null} */
    this.asking = null;
    /** Values from kept results, by address. @type {Map<string, Kept>} */
    this.keptValues = new Map();
    this.play = new PlayPanel(this);
    this.puzzles = new PuzzlePanel(this);
    /**
     * The moves before the puzzles.
     * @type {{game: Game, rules: string, start: string, played: Played[], at: number} | null}
     */
    this.left = null;
    this.edit = new EditPanel(this);
    /** The rules in words. */
    this.rulesShown = h("details", {}, h("summary", {}, text.rulesOf));
    this.status = h("p", { class: "status", role: "status", "aria-live": "polite" });
    this.panel = h("section", { class: "panel", "aria-label": text.panel });
    this.side = h("section", { class: "left", "aria-label": text.board });
    this.body = h("div", { class: "panel" });
    /** Goes through the moves. */
    this.slider = /** @type {HTMLInputElement} */ (h("input", {
      type: "range", class: "slider", min: 0, "aria-label": text.slider,
      oninput: () => this.go(Number(this.slider.value)),
    }));
    this.board = new BoardView(this.game, this.does());
    this.frame();
    // A link within the page, to the moves, is no other place.
    addEventListener("popstate", () => {
      if (!api.isSite || location.hash === "" || location.hash.startsWith("#/")) this.returnTo();
    });
    addEventListener("keydown", (event) => press(this, event));
    document.addEventListener("busy", (event) => {
      const words = `${capital(/** @type {CustomEvent<string>} */ (event).detail)}.`;
      if (this.status.firstChild?.textContent !== words) this.say(words);
      this.isBusy = true;
    });
  }

  does() {
    return {
      move: (/** @type {Move} */ move) => this.chosen(move),
      say: (/** @type {string} */ words) => this.say(words),
    };
  }

  /**
   * Writes into the line of status; `more` is spoken, but stands elsewhere on the page.
   * @param {string} words
   * @param {string} more
   */
  say(words, more = "") {
    this.status.replaceChildren(words, h("span", { class: "away" }, ` ${more}`));
  }

  /** The position that is shown. */
  get position() {
    return this.at === 0 ? this.start : this.played[this.at - 1].position;
  }

  get set() {
    return this.game.sets.find((set) => set.rules === this.rules);
  }

  /** Draws what stays while a game is looked at. */
  frame() {
    header(this);
    this.board.element.remove();
    const { flipped, mirrored } = this.board;
    this.board = new BoardView(this.game, this.does());
    if (flipped) this.board.flip();
    if (mirrored) this.board.mirror();
    const button = (
      /** @type {string} */ sign,
      /** @type {string} */ label,
      /** @type {() => void} */ act,
    ) => h("button", { type: "button", "aria-label": label, title: label, onclick: act }, sign);
    renew(
      this.side,
      this.board.element,
      this.status,
      this.slider,
      h(
        "div",
        { class: "bar" },
        button("«", text.first, () => this.go(0)),
        button("‹", text.back, () => this.go(this.at - 1)),
        button("›", text.forward, () => this.go(this.at + 1)),
        button("»", text.last, () => this.go(this.played.length)),
        button("⇅", text.flip, () => this.board.flip()),
        button("⇄", text.mirror, () => this.board.mirror()),
        button("★", text.records, () => this.enter("records")),
      ),
    );
    const main = /** @type {HTMLElement} */ (document.getElementById("main"));
    main.replaceChildren(this.side, this.panel);
    this.tabs();
  }

  /**
   * Returns the game of a name with all of its rule sets, which a list of games may leave out.
   * @param {string} name
   */
  async whole(name) {
    const at = this.games.findIndex((other) => other.game === name);
    const listed = this.games[at];
    if (listed && listed.sets.length >= listed.rule_sets.length) return listed;
    const [game] = await api.games(name);
    if (listed) this.games[at] = game;
    return game;
  }

  /**
   * Opens a game, under the wanted rules if it has them, otherwise under its default ones.
   * @param {string} name
   * @param {string} wanted
   */
  async choose(name, wanted = "") {
    try {
      const game = await this.whole(name);
      const rules = game.sets.some((set) => set.rules === wanted) ? wanted : game.default_rules;
      await this.open(game, rules, opening(game, rules));
    } catch (error) {
      this.stay(error);
    }
  }

  /** Says why another game is not opened, and shows the choices of this one again. @param {unknown} error */
  stay(error) {
    header(this);
    this.say(wordsOf(error));
  }

  tabs() {
    renew(
      this.panel,
      h(
        "nav",
        { class: "tabs", "aria-label": text.modes },
        ...MODES.map(([mode, name]) =>
          h(
            "button",
            {
              type: "button",
              "aria-pressed": String(mode === this.mode),
              onclick: () => this.enter(mode),
            },
            name,
          ),
        ),
      ),
      this.body,
    );
  }

  /** @param {Mode} mode */
  enter(mode) {
    const before = this.mode;
    this.mode = mode;
    this.tabs();
    this.play.stop();
    if (mode === "puzzles") {
      const { game, rules, start, played, at } = this;
      if (before !== "puzzles") this.left = { game, rules, start, played, at };
      this.puzzles.begin();
      return;
    }
    const { left } = this;
    // A game goes on where it was before the puzzles.
    const isSame = left?.game.game === this.game.game && left.rules === this.rules;
    if (mode === "play" && before === "puzzles" && left && isSame) {
      [this.start, this.played, this.at] = [left.start, left.played, left.at];
      this.note(true);
    }
    this.show();
  }

  /** The place of a position of this game. @param {string} position */
  address(position) {
    return `/${this.game.game}/${this.rules}/${inPath(position)}`;
  }

  /** The address of a position of this game, for a link. @param {string} position */
  href(position) {
    return addressOf(this.address(position));
  }

  /** Remembers what kept results say about a position. @param {string} position @param {Kept} value */
  remember(position, value) {
    const before = this.keptValues.get(this.address(position));
    if (!before || before.line.length === 0) this.keptValues.set(this.address(position), value);
  }

  /** The kept result for the position that is shown. @returns {Kept | null} */
  kept() {
    const opening = this.set?.openings.find(({ position }) => position === this.position);
    return opening ?? this.keptValues.get(this.address(this.position)) ?? null;
  }

  /** Opens an explorer at a position. @param {string} position */
  use(position) {
    this.mode = "explore";
    this.tabs();
    return this.open(this.game, this.rules, position);
  }

  /**
   * Opens a position of a game, as a new place in the browser's history or instead of the last one.
   * @param {Game} game
   * @param {string} rules
   * @param {string} position
   * @param {boolean} isPlace
   */
  open(game, rules, position, isPlace = true) {
    const isNew = game.game !== this.game.game || rules !== this.rules;
    [this.game, this.rules, this.start, this.played, this.at] = [
      under(game, rules),
      rules,
      position,
      [],
      0,
    ];
    this.play.stop();
    if (isNew) this.frame();
    this.note(isPlace);
    if (!isNew || this.mode !== "puzzles") return this.show();
    this.left = { game: this.game, rules, start: position, played: [], at: 0 };
    renew(this.body, h("p", {}, text.loading));
    return this.puzzles.begin(false);
  }

  /** The address of the game that is shown: its start, its moves, the place in them, and the tab. */
  link() {
    const query = [];
    if (this.played.length > 0) query.push(`moves=${this.played.map(({ move }) => move).join(",")}`);
    if (this.at < this.played.length) query.push(`at=${this.at}`);
    if (this.mode !== "explore") query.push(`tab=${this.mode}`);
    if (this.mode === "puzzles") query.push(`kind=${this.puzzles.kind}`);
    return `${this.address(this.start)}${query.length > 0 ? "?" : ""}${query.join("&")}`;
  }

  /** Writes the place into the address bar. @param {boolean} isNew */
  note(isNew) {
    const state = { start: this.start, played: this.played, at: this.at };
    // A game that is too long for an address is still kept by the browser.
    const link = this.link();
    history[isNew ? "pushState" : "replaceState"](
      state,
      "",
      addressOf(link.length <= LONGEST ? link : this.address(this.position)),
    );
    document.title = `${text.title}: ${gameTitle(this.game)}, ${this.position}`;
  }

  /** Shows what the address bar names, or why it cannot. */
  async returnTo() {
    try {
      await this.arrive();
    } catch (error) {
      if (!this.body.isConnected) this.frame();
      this.asking?.abort();
      this.play.stop();
      this.body.removeAttribute("aria-busy");
      renew(this.body, problemNote(error, () => this.returnTo()), this.elsewhere(error));
    }
  }

  /** Links to the games that are here, if what was requested is not. @param {unknown} error */
  elsewhere(error) {
    if (!(error instanceof api.Problem) || error.status !== 404) return "";
    const links = this.games.map((game) =>
      h(
        "li",
        {},
        h("a", { href: addressOf(`/${game.game}/${game.default_rules}`) }, gameTitle(game)),
      ),
    );
    return h("nav", { "aria-label": text.games }, h("p", {}, text.games), h("ul", {}, ...links));
  }

  /** Shows what the address bar names. */
  async arrive() {
    const [path, search] = addressed();
    const [name, rules, place] = decoded(path);
    const query = new URLSearchParams(search);
    const game = name ? await this.whole(name) : this.games[0];
    this.rules = rules || game.default_rules;
    this.game = under(game, this.rules);
    this.start = place ? outOfPath(this.game, place) : opening(game, this.rules);
    [this.played, this.at] = [[], 0];
    const tab = query.get("tab") ?? "explore";
    this.mode = TABS.find((known) => known === tab) ?? "explore";
    this.play.stop();
    const words = this.mode === tab ? [] : [text.noTab(tab)];
    const { state } = history;
    if (state) {
      [this.start, this.played, this.at] = [state.start, state.played, state.at];
    } else if (this.mode === "puzzles" && !place) {
      this.frame();
      this.puzzles.take(null, query.get("kind"));
      return this.puzzles.begin();
    } else {
      const moves = (query.get("moves") ?? "").split(",").filter((move) => move !== "");
      if (moves.length > 0 && this.mode !== "puzzles")
        words.push(...(await this.retrace(moves, query.get("at"))));
    }
    if (this.mode === "puzzles") {
      [this.played, this.at] = [[], 0];
      this.puzzles.take(this.start, query.get("kind"));
    }
    this.frame();
    this.note(false);
    await this.show();
    if (words.length > 0) this.say(words.join(" "));
  }

  /**
   * Plays the moves of an address from the start. Returns what is wrong with them.
   * @param {string[]} moves
   * @param {string | null} place
   */
  async retrace(moves, place) {
    try {
      const { start, played, wrong } = await follow(this.game, this.rules, this.start, moves);
      const at = place !== null && /^\d+$/.test(place) ? Number(place) : played.length;
      [this.start, this.played, this.at] = [start, played, Math.min(at, played.length)];
      return wrong === null ? [] : [text.wrongMove(wrong + 1, moves[wrong])];
    } catch {
      // The question for the position itself says what is wrong.
      return [];
    }
  }

  /** Goes to a place in the moves that were played. @param {number} at */
  go(at) {
    const to = Math.max(0, Math.min(this.played.length, at));
    if (to === this.at) return;
    this.at = to;
    this.play.stop();
    this.note(false);
    this.show();
  }

  /** A person chose a move. @param {Move} move */
  chosen(move) {
    if (this.mode === "puzzles" && this.puzzles.answered(move)) return;
    this.make(move, true);
  }

  /** Plays a move. @param {Move} move @param {boolean} isNew */
  make(move, isNew) {
    const { probe } = this;
    if (probe === null) return;
    const next = this.played[this.at];
    if (next?.move !== move.move) this.played.length = this.at;
    this.played[this.at] = { ...move, side: probe.to_move };
    this.at += 1;
    this.note(isNew);
    this.show();
  }

  /** The place before the last move, in play before that of a person; null without one. */
  before() {
    const isOther = (/** @type {Played} */ { side }) =>
      this.mode === "play" && this.play.isComputers(side);
    const at = this.played.slice(0, this.at).findLastIndex((made) => !isOther(made));
    return at < 0 ? null : at;
  }

  takeBack() {
    const at = this.before();
    if (at !== null) this.go(at);
  }

  /**
   * Waits for an answer, and for no earlier one: until it is drawn nothing can be chosen. Returns the
   * signal that the page waits for a later one.
   */
  wait() {
    this.asking?.abort();
    clearTimeout(this.watching);
    this.asking = new AbortController();
    [this.probe, this.found] = [null, null];
    this.board.wait();
    this.body.setAttribute("aria-busy", "true");
    return this.asking.signal;
  }

  /** Asks for the position that is shown, and draws the answer. */
  async show() {
    const signal = this.wait();
    this.slider.hidden = this.played.length === 0;
    this.slider.max = String(this.played.length);
    this.slider.value = String(this.at);
    this.slider.setAttribute(
      "aria-valuetext",
      this.at === 0 ? text.start : `${this.at}. ${this.played[this.at - 1].move}`,
    );
    const late = setTimeout(() => this.say(text.loading), 400);
    try {
      const found = await api.probe(this.game.game, this.rules, this.position, signal);
      if (signal.aborted) return;
      clearTimeout(late);
      await this.present(found);
    } catch (error) {
      if (signal.aborted) return;
      clearTimeout(late);
      this.say("");
      const tables = h("div", { class: "panel" });
      renew(
        this.body,
        problemNote(error, () => this.show()),
        this.elsewhere(error),
        entry(this),
        tables,
      );
      // The panels about the game need no position, but its rules.
      const isOfPosition = error instanceof api.Problem && error.status === 400 && this.set;
      if (isOfPosition && (this.mode === "statistics" || this.mode === "records"))
        await this.drawTables(tables);
    } finally {
      clearTimeout(late);
      if (!signal.aborted) this.body.removeAttribute("aria-busy");
    }
  }

  /** Draws an answer about the position that is shown. @param {Probe} found */
  async present(found) {
    const probe = api.withKept(
      api.after(found, this.at > 0 ? this.played[this.at - 1] : null),
      this.kept(),
    );
    this.isKept = found.outcome === null && probe.outcome !== null && !probe.ending;
    this.probe = probe;
    this.found = found;
    // The server writes positions in one way.
    if (this.at === 0) this.start = probe.position;
    this.note(false);
    this.board.values = this.showsValues();
    this.board.free = this.mode !== "play" || (this.play.isPersons(probe) && !this.play.isOver(probe));
    this.board.marked = null;
    this.board.edits = this.mode === "edit" ? (number) => this.edit.put(number) : null;
    this.board.show(probe, notOnBoard(this, probe.position));
    this.announce(probe);
    if (this.mode === "edit") {
      this.edit.begin(probe);
      await this.edit.check();
      return;
    }
    await this.draw(probe);
    if (this.mode === "play") this.play.act(probe);
    if (this.mode === "puzzles") this.puzzles.act(probe);
    if (this.mode === "explore") watch(this, probe);
  }

  /** Whether the values of moves may be seen. */
  showsValues() {
    if (this.mode === "puzzles") return this.puzzles.isDone();
    return this.mode !== "play" || this.play.hints;
  }

  /** Speaks the move and what it led to. @param {Probe} probe */
  announce(probe) {
    this.isBusy = false;
    const last = this.at > 0 ? this.played[this.at - 1] : null;
    const side = this.game.sides.find((owner) => owner.name === probe.to_move);
    const words = [];
    if (this.mode === "play" && this.play.isOver(probe)) {
      const { words: ended, how } = this.play.ended(probe);
      words.push(ended, how);
    } else {
      if (probe.moves.length > 0 && side) words.push(text.toMove(side));
      if (this.showsValues()) words.push(verdict(this.game, probe).words);
    }
    if (this.mode === "explore") words.push(solvingWords(probe));
    if (this.mode === "puzzles" && this.puzzles.state === "right") words.push(text.solved);
    this.say(last ? text.played(last.side, last.move) : "", words.join(" "));
  }

  /** Draws the panel. @param {Probe} probe */
  async draw(probe) {
    const scroll = this.body.scrollTop;
    if (this.mode === "play") renew(this.body, ...this.play.draw(probe), recordPanel(this));
    else if (this.mode === "puzzles") renew(this.body, ...this.puzzles.draw(probe));
    else if (this.mode === "statistics" || this.mode === "records") await this.drawTables(this.body);
    else {
      const beside = [recordPanel(this), entry(this), about(this), rulesInWords(this)];
      renew(this.body, ...explorePanel(this, probe), ...beside);
    }
    this.body.scrollTop = scroll;
  }

  /** Draws statistics or records. @param {HTMLElement} into */
  async drawTables(into) {
    const { mode, asking } = this;
    // Another panel or position may have been chosen meanwhile.
    const show = (/** @type {Node[]} */ ...parts) => {
      if (this.mode === mode && this.asking === asking && !asking?.signal.aborted)
        renew(into, ...parts);
    };
    const late = setTimeout(() => show(h("p", {}, text.loading)), 400);
    const parts = await (mode === "records" ? recordsPanel(this) : statisticsPanel(this));
    clearTimeout(late);
    show(...parts);
    if (this.isBusy && this.probe) this.announce(this.probe);
  }
}

const begin = async () => {
  try {
    const app = new App(await api.games(null));
    await app.returnTo();
  } catch (error) {
    document.getElementById("main")?.replaceChildren(problemNote(error, begin));
  }
};
begin();
