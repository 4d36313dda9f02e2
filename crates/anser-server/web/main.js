// The page: what is shown, what was played, and what is asked next.

import * as api from "./api.js";
import { BoardView } from "./board.js";
import { choice, h, renew } from "./dom.js";
import { EditPanel, fieldsOf, inHand } from "./edit.js";
import { movesTable, problemNote, verdict } from "./explore.js";
import { graph, mistakesOf, PlayPanel } from "./play.js";
import { PuzzlePanel } from "./puzzles.js";
import { follow, readRecord, recordOf } from "./record.js";
import { recordsPanel, statisticsPanel } from "./statistics.js";
import { capital, gameTitle, text } from "./strings.js";

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

/**
 * The address of a place of the page, which a site has behind a #: the host knows no others.
 * @param {string} place
 */
const addressOf = (place) => (api.isSite ? `#${place}` : place);

/** The place and the query that the address names. */
function addressed() {
  if (!api.isSite) return [location.pathname, location.search];
  const [place, query] = location.hash.slice(1).split("?");
  return [place.startsWith("/") ? place : "/", query ?? ""];
}

/** The parts of a place. @param {string} place */
function decoded(place) {
  try {
    return place.slice(1).split("/").map(decodeURIComponent);
  } catch {
    throw new api.Problem(
      "this address is not one of the page",
      api.isSite ? "check the part after #" : "check the part after the name of the server",
      400,
    );
  }
}

/** @param {string} position */
const inPath = (position) => position.replaceAll("/", "_").replaceAll(" ", "_");

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
    addEventListener("keydown", (event) => this.key(event));
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

  /** Draws the choices of the game and its rules. */
  head() {
    const top = /** @type {HTMLElement} */ (document.getElementById("top"));
    const sets = this.game.sets.map(({ rules, meaning }) => ({
      value: rules,
      text: rules,
      title: meaning,
    }));
    if (!this.set) sets.push({ value: this.rules, text: this.rules, title: "" });
    // A game of another size than the listed one stands for it.
    const family = (/** @type {string} */ name) => name.split(":")[0];
    const isListed = this.games.some(({ game }) => game === this.game.game);
    const names = this.games.map((other) =>
      !isListed && family(other.game) === family(this.game.game) ? this.game : other,
    );
    const listed = names.map((other) => ({ value: other.game, text: gameTitle(other) }));
    const boards = [...new Set([...this.game.boards, this.game.game])];
    renew(
      top,
      h(
        "a",
        {
          class: "away skip",
          href: "#moves",
          onclick: (/** @type {Event} */ event) => {
            // The address of a site is in use.
            if (!api.isSite) return;
            event.preventDefault();
            const moves = /** @type {HTMLElement | null} */ (
              document.querySelector("#moves button, #moves")
            );
            moves?.focus();
          },
        },
        text.skip,
      ),
      h("h1", {}, text.title),
      choice(
        text.game,
        "game",
        listed.sort((a, b) => a.text.localeCompare(b.text)),
        this.game.game,
        (name) => this.choose(name),
      ),
      boards.length < 2
        ? ""
        : choice(
            text.size,
            "size",
            boards.map((name) => ({ value: name, text: text.sizeOf(name) })),
            this.game.game,
            (name) => this.choose(name, this.rules),
          ),
      choice(text.rules, "rules", sets, this.rules, (rules) =>
        this.open(this.game, rules, opening(this.game, rules)),
      ),
      h("span", { class: "space" }),
      api.isSite ? "" : h("a", { href: "/api", title: text.apiAbout }, text.api),
      h("button", { class: "plain", type: "button", onclick: () => this.help() }, text.keys),
      h("button", { class: "plain", type: "button", onclick: () => changeTheme() }, text.theme),
    );
  }

  /** Draws what stays while a game is looked at. */
  frame() {
    this.head();
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
    this.head();
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
   * A button that copies what `words` returns, and shows the result for two seconds: the line of status
   * may be far away.
   * @param {string} label
   * @param {() => string} words
   */
  copies(label, words) {
    let shown = 0;
    const button = h("button", { type: "button", onclick: async () => {
      const copied = words();
      let said = text.copied;
      try {
        await navigator.clipboard.writeText(copied);
      } catch {
        // Only pages over HTTPS, and those of this machine, may use the clipboard directly.
        if (!copySelected(copied)) said = text.notCopied;
      }
      this.say(said);
      button.textContent = said;
      clearTimeout(shown);
      shown = setTimeout(() => (button.textContent = label), 2000);
    } }, label);
    return button;
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
        this.typed(),
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
    this.board.show(probe, this.notOnBoard(probe.position));
    this.announce(probe);
    if (this.mode === "edit") {
      this.edit.begin(probe);
      await this.edit.check();
      return;
    }
    await this.draw(probe);
    if (this.mode === "play") this.play.act(probe);
    if (this.mode === "puzzles") this.puzzles.act(probe);
    if (this.mode === "explore") this.watch(probe);
  }

  /** Asks again later while the server solves what is unknown. @param {Probe} probe */
  watch({ solving }) {
    clearTimeout(this.watching);
    if (!solving || !isPending(solving)) return;
    const seconds = Math.min(10, Math.max(1, (solving.seconds_left ?? 4) / 4));
    this.watching = setTimeout(() => this.renew(), 1000 * seconds);
  }

  /** Asks again for the position that is shown, and draws what has become known. */
  async renew() {
    const { asking, found: before } = this;
    if (!asking || asking.signal.aborted || before === null || this.mode !== "explore") return;
    if (document.hidden) {
      document.addEventListener("visibilitychange", () => this.renew(), { once: true });
      return;
    }
    try {
      const found = await api.probe(this.game.game, this.rules, this.position, asking.signal, true);
      if (asking.signal.aborted || this.found !== before || this.mode !== "explore") return;
      const values = (/** @type {Probe} */ probe) =>
        JSON.stringify([probe.outcome, probe.dtw, probe.moves, probe.unknown]);
      if (values(found) === values(before)) {
        const words = solvingWords(found);
        if (words !== solvingWords(before)) this.say(this.status.firstChild?.textContent ?? "", words);
        this.found = found;
        if (this.probe) this.probe.solving = found.solving;
        this.body.querySelector(".solving")?.replaceWith(this.solving(found));
        this.watch(found);
        return;
      }
      const { sets } = (await api.games(this.game.game, true))[0];
      if (asking.signal.aborted || this.found !== before) return;
      for (const game of [this.game, ...this.games]) if (game.game === this.game.game) game.sets = sets;
      // The button of the same move stays chosen.
      const chosen = document.activeElement?.closest("#moves button")?.lastChild?.textContent;
      await this.present(found);
      const buttons = /** @type {NodeListOf<HTMLElement>} */ (
        this.body.querySelectorAll("#moves button")
      );
      for (const button of buttons)
        if (chosen && button.lastChild?.textContent === chosen) button.focus();
    } catch (error) {
      if (asking.signal.aborted) return;
      const place = this.body.querySelector(".solving");
      place?.replaceWith(h("div", { class: "solving" }, problemNote(error, () => this.renew())));
    }
  }

  /** Progress of solving the missing layer, or the reason why it is not solved. @param {Probe} probe */
  solving({ solving }) {
    if (!solving) return h("div", { class: "solving" });
    const { layer, metric, state, progress, seconds_left: left } = solving;
    const layers = text.layers(layer, this.game);
    const what = metric === "wdl" ? text.outcomesOf(layers) : text.distancesOf(layers);
    if (isPending(solving)) {
      return h(
        "div",
        { class: "solving note" },
        h(
          "p",
          {},
          progress === null ? text.solvingLater(what) : text.solvingNow(what, progress, left ?? 0),
        ),
        progress === null
          ? null
          : h("progress", { max: 1, value: progress, "aria-label": text.solvingAbout }),
      );
    }
    return h("div", { class: "solving note" },
      h("p", {}, refusalOf(solving)),
      state === "failed"
        ? h("button", { type: "button", onclick: () => this.renew() }, text.retry)
        : null,
    );
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
    if (this.mode === "play") renew(this.body, ...this.play.draw(probe), this.record());
    else if (this.mode === "puzzles") renew(this.body, ...this.puzzles.draw(probe));
    else if (this.mode === "statistics" || this.mode === "records") await this.drawTables(this.body);
    else renew(this.body, ...this.explore(probe));
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

  /** @param {Probe} probe */
  explore(probe) {
    const kept = this.isKept ? this.kept() : null;
    const { words, tone } = verdict(this.game, probe);
    const side = this.game.sides.find((owner) => owner.name === probe.to_move);
    const parts = [
      h(
        "div",
        {},
        h("p", { class: `verdict ${tone}` }, words),
        h(
          "p",
          { class: "turn" },
          side && probe.moves.length > 0 ? `${text.toMove(side)} ` : "",
          text.layer(probe.layer, this.game),
          this.beside(probe),
        ),
        kept ? h("p", { class: "note" }, text.keptValue) : null,
        ...this.missing(probe)),
      movesTable(this, probe),
    ];
    if (probe.dtw !== null && probe.moves.length > 0 && !kept) parts.push(this.line());
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
              onclick: () => this.follow(this.game, this.rules, this.position, line, 0),
            },
            text.lineShow,
          ),
        ),
      );
    }
    parts.push(this.record(), this.typed(), this.about(), this.rulesInWords());
    return parts;
  }

  /** Missing layers, known layers, and the command that solves more. @param {Probe} probe */
  missing(probe) {
    const { unknown } = probe;
    if (unknown.length === 0) return [];
    const { game, rules } = this;
    const highest = Math.max(...unknown.map(({ layer }) => layer));
    const solve = `anser solve ${game.game} --rules ${rules} --layers ` +
      `${game.first_layer}-${highest} --metric wdl,dtw --tables tables`;
    return [
      ...unknown.map(({ reason }) => h("p", { class: "note" }, `${capital(reason)}.`)),
      this.solving(probe),
      this.set ? h("p", { class: "note" }, this.served(this.set)) : null,
      api.isSite
        ? null
        : h(
            "details",
            { class: "note" },
            h("summary", {}, text.more),
            h("p", {}, text.moreAbout),
            h("pre", { tabindex: 0 }, `${solve}\nanser serve --tables tables`),
          ),
    ];
  }

  /**
   * Shows the moves of a record, from its end or from another place in it.
   * @param {Game} game
   * @param {string} rules
   * @param {string} position
   * @param {string[]} moves
   * @param {number} at
   */
  async follow(game, rules, position, moves, at = moves.length) {
    try {
      const { start, played, wrong } = await follow(game, rules, position, moves);
      // The moves played so far stay if nothing of the record can be shown.
      if (wrong === 0) {
        this.tell(text.wrongFirst(moves[0]));
        return;
      }
      await this.open(game, rules, start);
      this.played = played;
      this.at = Math.min(at, played.length);
      this.note(false);
      await this.show();
      if (wrong !== null) this.tell(text.wrongMove(wrong + 1, moves[wrong]));
    } catch (error) {
      this.tell(wordsOf(error));
    }
  }

  /** Plays moves from the position that is shown. @param {string[]} moves */
  async continue(moves) {
    const first = this.probe?.moves.find(({ move }) => move === moves[0]);
    if (!first) {
      this.tell(text.noMove(moves[0]));
      return;
    }
    try {
      const { position, at } = this;
      const { played, wrong } = await follow(this.game, this.rules, position, moves);
      // Another position may have been opened meanwhile.
      if (this.position !== position) return;
      this.play.stop();
      this.played = [...this.played.slice(0, at), ...played];
      this.at = this.played.length;
      this.note(true);
      await this.show();
      if (wrong !== null) this.tell(text.wrongMove(wrong + 1, moves[wrong]));
    } catch (error) {
      this.tell(wordsOf(error));
    }
  }

  /** Says what is wrong with what was typed, also below the field. @param {string} words */
  tell(words) {
    this.say(words);
    this.body.querySelector("form")?.after(h("p", { class: "problem" }, words));
  }

  /** Opens a position that was typed, unless there is none like it. @param {string} position */
  async openTyped(position) {
    const { game, rules } = this;
    try {
      const found = await api.probe(game.game, rules, position);
      // Another game may have been opened meanwhile.
      if (this.game !== game || this.rules !== rules) return;
      if (this.mode === "puzzles") this.puzzles.take(found.position, null);
      await this.open(game, rules, position);
    } catch (error) {
      const form = this.body.querySelector("form");
      form?.after(problemNote(error, () => this.take(position)));
    }
  }

  /** Takes what was typed or pasted: a move, a position, or a record. @param {string} words */
  async take(words) {
    for (const note of this.body.querySelectorAll("form ~ .problem")) note.remove();
    this.say("");
    const record = readRecord(words, this.game);
    const alone = record?.position === null && record.moves.length === 1 ? record.moves[0] : words;
    const move = this.probe?.moves.find((other) => other.move === alone);
    if (move && this.board.free) {
      this.chosen(move);
    } else if (move) {
      this.tell(text.notNow(alone));
    } else if (record && this.mode !== "puzzles" && record.position === null) {
      await this.continue(record.moves);
    } else if (record && this.mode !== "puzzles") {
      let game = null;
      try {
        game = await this.whole(record.game ?? this.game.game);
      } catch (error) {
        this.tell(wordsOf(error));
      }
      if (game)
        await this.follow(
          game,
          record.rules ?? (game.game === this.game.game ? this.rules : game.default_rules),
          record.position,
          record.moves,
        );
    } else if (words.startsWith("{")) {
      this.tell(this.mode === "puzzles" ? text.noRecordHere : text.noRecord);
    } else if (words.includes("/")) {
      await this.openTyped(words);
    } else if (words !== "") {
      this.tell(text.noMove(words));
    }
  }

  /** Offers the board as a picture to be saved. */
  savePicture() {
    const address = URL.createObjectURL(new Blob([this.board.picture()], { type: "image/svg+xml" }));
    const link = h("a", { href: address, download: `${inPath(this.position)}.svg` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  /**
   * The numbers of pieces in hand, and of those captured, by side. A position has the number of
   * captured pieces of the second side if the start has it; else those since the start are counted.
   * @param {string} position
   */
  notOnBoard(position) {
    const { sides } = this.game;
    const captured = fieldsOf(this.game).findIndex(({ kind }) => kind === "captured");
    const [before, now] = [inHand(sides, this.start), inHand(sides, position)];
    const count = (/** @type {string} */ position, /** @type {string} */ piece) =>
      [...position.split(" ")[0]].filter((letter) => letter === piece).length;
    return sides.map(({ name, piece }, number) => ({
      name,
      hand: now[number],
      lost:
        captured >= 0 && number === 1
          ? Number(position.split(" ")[2 + captured])
          : this.mode === "edit"
            ? 0
            : count(this.start, piece) + before[number] - count(position, piece) - now[number],
    }));
  }

  /** These numbers in words. @param {Probe} probe */
  beside(probe) {
    const numbers = this.notOnBoard(probe.position);
    const hands = numbers.filter(({ hand }) => hand > 0);
    const lost = numbers.filter(({ lost }) => lost > 0);
    return (
      (hands.length === 0 ? "" : ` ${text.inHand(hands)}`) +
      (lost.length === 0 ? "" : ` ${text.captured(lost)}`)
    );
  }

  /** Best play to the end, on request. */
  line() {
    const out = h("div", {});
    const ask = async () => {
      try {
        const { line, end } = await api.line(this.game.game, this.rules, this.position);
        const from = this.at;
        renew(
          out,
          h("h2", {}, text.line),
          h("ol", { class: "record" },
            ...line.map((ply, number) =>
              h("li", {}, h("button", {
                type: "button",
                onclick: () => {
                  this.play.stop();
                  this.played = [...this.played.slice(0, from), ...line];
                  this.at = from + number + 1;
                  this.note(true);
                  this.show();
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

  /** The moves that were played. */
  record() {
    if (this.played.length === 0) return h("div", {});
    const gave = this.showsValues() ? mistakesOf(this) : new Map();
    const item = (/** @type {string} */ words, /** @type {number} */ at) =>
      h("li", {}, h("button", {
        type: "button",
        class: gave.has(at) ? "gave" : null,
        title: gave.get(at) ?? null,
        "aria-current": at === this.at ? "step" : null,
        onclick: () => this.go(at),
      }, words));
    return h("section", { "aria-label": text.history },
      h("h2", {}, text.history),
      h(
        "ol",
        { class: "record" },
        item(text.start, 0),
        ...this.played.map(({ move }, number) => item(`${number + 1}. ${move}`, number + 1)),
      ),
      this.showsValues() && this.played.length > 1 ? graph(this) : null,
      h(
        "div",
        { class: "bar" },
        this.copies(text.copyRecord, () => recordOf(this)),
      ),
    );
  }

  /** The field in which moves and positions are typed. */
  typed() {
    const input = h("input", {
      id: "typed",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
    });
    return h(
      "form",
      {
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          this.take(/** @type {HTMLInputElement} */ (input).value.trim());
        },
      },
      h("label", { for: "typed" }, text.typed),
      input,
      h("button", { type: "submit" }, text.go),
    );
  }

  /** A choice of the game's openings, if it has several. */
  openings() {
    const { openings } = this.game;
    if (openings.length < 2) return null;
    const options = openings.map(({ opening: name, about }) => ({
      value: name,
      text: `${name}: ${about}`,
    }));
    const here = openings.find(({ position }) => position === this.start)?.opening ?? "";
    return choice(text.opening, "opening", [{ value: "", text: "–" }, ...options], here, (name) => {
      const found = openings.find((other) => other.opening === name);
      if (found) this.open(this.game, this.rules, found.position);
    });
  }

  /** What can be done with the position: copies, a picture, another opening. */
  about() {
    return h("div", { class: "panel" },
      h("div", { class: "bar" },
        this.copies(text.copyPosition, () => this.position),
        this.copies(text.copyLink, () => location.href),
        h("button", { type: "button", onclick: () => this.savePicture() }, text.savePicture)),
      this.openings());
  }

  /** The rules in words, which stay open while positions of the game are shown. */
  rulesInWords() {
    const { game, set } = this;
    const parts = [`${game.about}.`, set?.meaning ?? ""];
    const notes = [text.origin(game), set ? this.served(set) : ""];
    const [summary] = this.rulesShown.children;
    this.rulesShown.replaceChildren(
      summary,
      ...parts.map((words) => h("p", {}, words)),
      ...notes.filter(Boolean).map((words) => h("p", { class: "note" }, words)),
    );
    return this.rulesShown;
  }

  /** The layers with known values. @param {import("./api.js").Rules} set */
  served(set) {
    const layers = knownLayers(this.game, set);
    return api.isSite ? text.knownOnSite(layers) : text.known(layers);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)
    )
      return;
    if (document.querySelector("dialog[open]")) return;
    const acts = /** @type {Record<string, () => void>} */ ({
      ArrowLeft: () => this.go(this.at - 1),
      ArrowRight: () => this.go(this.at + 1),
      f: () => this.board.flip(),
      m: () => this.board.mirror(),
      u: () => this.takeBack(),
      h: () => this.play.toggleHints(),
      "?": () => this.help(),
      Escape: () => this.board.letGo(),
    });
    const act = acts[event.key];
    // A position that is being set up stays.
    if (!act || (this.mode === "edit" && ["ArrowLeft", "ArrowRight", "u"].includes(event.key))) return;
    event.preventDefault();
    act();
  }

  help() {
    const dialog = /** @type {HTMLDialogElement} */ (
      h("dialog", { "aria-labelledby": "keys" },
        h("h2", { id: "keys" }, text.keys),
        h("dl", {}, ...text.help.flatMap(([key, about]) => [h("dt", {}, key), h("dd", {}, about)])),
        h("button", { type: "button", onclick: () => dialog.close() }, text.close)));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }
}

/** Copies words by selecting them. Returns whether that was possible. @param {string} words */
function copySelected(words) {
  const before = /** @type {HTMLElement | null} */ (document.activeElement);
  const field = /** @type {HTMLTextAreaElement} */ (h("textarea", { class: "away", readonly: true }, words));
  document.body.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  before?.focus({ preventScroll: true });
  return copied;
}

/** What went wrong, as a sentence. @param {unknown} error */
const wordsOf = (error) =>
  error instanceof Error && error.message !== "" ? error.message : text.offline;

/** What becomes of values that are unknown, in a few words. @param {Probe} probe */
const solvingWords = ({ solving }) => {
  if (!solving) return "";
  if (solving.state === "running") return text.solvingBegins;
  return solving.state === "queued" ? text.solvingWaits : refusalOf(solving);
};

/** Why a layer is not solved, as a sentence. @param {import("./api.js").Solving} solving */
const refusalOf = ({ reason }) => `${capital(reason ?? text.offline)}.`;

/** Whether values come without another request. @param {import("./api.js").Solving} solving */
const isPending = ({ state }) => state === "running" || state === "queued";

/** Layers as text: 1-7, 9. @param {Game} game @param {import("./api.js").Rules} set */
function knownLayers(game, set) {
  const ranges = (/** @type {number[]} */ layers) => {
    /** @type {number[][]} */
    const found = [];
    for (const layer of layers) {
      const last = found.at(-1);
      if (last && last[1] === layer - 1) last[1] = layer;
      else found.push([layer, layer]);
    }
    return found.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(", ");
  };
  const { wdl, dtw, solved } = set.layers;
  const named = (/** @type {number[]} */ layers) => text.layers(ranges(layers), game);
  const parts = [];
  if (wdl.length > 0) parts.push(text.outcomesOf(named(wdl)));
  if (dtw.length > 0) parts.push(text.distancesOf(named(dtw)));
  if (solved.length > 0) parts.push(text.solvedOf(named(solved)));
  return parts.join("; ") || text.nothing;
}

/**
 * Whether the value of an opening is at hand.
 * @param {Game} game
 * @param {string} rules
 * @param {string} position
 */
function isKnown(game, rules, position) {
  const set = game.sets.find((other) => other.rules === rules);
  if (!set) return false;
  const { wdl, solved } = set.layers;
  // Only the layers of Fox-and-Geese are told by the pieces; other games have all layers or none.
  const [, second] = game.sides;
  const count = [...position.split(" ")[0]].filter((letter) => letter === second.piece).length;
  return solved.length > 0 || wdl.includes(count);
}

/** The position that a game begins with here. @param {Game} game @param {string} rules */
function opening(game, rules) {
  const { openings } = under(game, rules);
  return (openings.find(({ position }) => isKnown(game, rules, position)) ?? openings[0]).position;
}

/**
 * The game as it is under a rule set, which may have a board, sides, and a start of its own.
 * @param {Game} game @param {string} rules @returns {Game}
 */
function under(game, rules) {
  const set = game.sets.find((other) => other.rules === rules);
  const { board, sides, openings } = game.usual ?? game;
  // The named positions are those of the default rules.
  const [start] = openings;
  const own = set && set.start !== start.position ? [{ ...start, position: set.start }] : openings;
  return {
    ...game,
    usual: { board, sides, openings },
    board: set?.board ?? board,
    sides: set?.sides ?? sides,
    openings: own,
  };
}

/**
 * A position from its form in the address, in which _ stands for / and for the space.
 * @param {Game} game
 * @param {string} place
 */
function outOfPath(game, place) {
  const parts = place.split("_");
  const rows = game.openings[0].position.split(" ")[0].split("/").length;
  return `${parts.slice(0, rows).join("/")} ${parts.slice(rows).join(" ")}`.trim();
}

/** Changes between light and dark. theme.js reads the choice. */
function changeTheme() {
  const wanted = localStorage.getItem("theme");
  const isDark = wanted ? wanted === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const other = isDark ? "light" : "dark";
  localStorage.setItem("theme", other);
  document.documentElement.dataset.theme = other;
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
