// The answers of a site that needs no server: from files that were made beforehand, and from the
// tables.
// Files but the page itself are named by the hash of their content, which is compared.

// @ts-ignore: a site has this module of another project, and the repository does not.
import { decompress } from "./fzstd.js";
import { Problem, damaged } from "../problem.js";
import { gameTitle } from "../strings.js";
import { Hunt } from "./hunt.js";
import { HEADER, Table } from "./table.js";
import { Tables } from "./tables.js";
import { digits, xxh3 } from "./xxh3.js";

/**
 * @typedef {import("../api.js").Game} Game
 * @typedef {import("../api.js").Probe} Probe
 * @typedef {import("../api.js").Move} Move
 * @typedef {import("./hunt.js").Position} Position
 * @typedef {import("./table.js").Metric} Metric
 *
 * A table of a site: the header without the zeros at its end, and its parts by length and hash.
 * @typedef {{name: string, layer: number, metric: Metric, header: string, parts: [number,
 *   string][]}} SiteTable
 * @typedef {{game: string, rules: string, description: string, numbering: string,
 *   answers: Record<string, string>, tables: SiteTable[]}} SiteSet
 * @typedef {{games: Game[], sets: {game: string, rules: string, file: string}[]}} SiteIndex
 * @typedef {{position: string, outcome: string, to_move: string, dtw: number | null,
 *   only_move: boolean}} Puzzle
 */

/** Bytes of parts that are kept in memory. */
const KEPT = 64 << 20;

/** Advice about a part that is missing or was replaced. */
const COPY = "load the page again; if that does not help, the site was not copied completely";

/** @param {string} file */
const addressOf = (file) => new URL(file, document.baseURI).href;

/**
 * Whether the content of a file has the hash that names it.
 * @param {Uint8Array} bytes
 * @param {string} hash
 */
const isRight = (bytes, hash) => digits(xxh3(bytes)) === hash;

/**
 * Fetches a file that is named by its hash. A copy of any age will do, because the content never
 * changes.
 * @param {string} file
 * @param {string} hash
 * @param {string} what
 * @param {number | null} length
 */
async function fetched(file, hash, what, length) {
  for (const cache of /** @type {RequestCache[]} */ (["force-cache", "reload"])) {
    let response;
    try {
      response = await fetch(addressOf(file), { cache });
    } catch {
      throw new Problem(
        `${what} cannot be fetched`,
        "without a network, the page shows what was fetched before",
        0,
      );
    }
    // A stored error is not final.
    if (!response.ok && cache === "force-cache") continue;
    if (!response.ok) throw damaged(what, `${file} is missing (${response.status})`, COPY);
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (isRight(bytes, hash)) return bytes;
    // A wrong copy in a cache is fetched again once.
    if (cache === "force-cache") continue;
    throw length !== null && bytes.length < length
      ? damaged(what, `${file} is truncated: ${bytes.length} bytes of ${length}`, COPY)
      : damaged(what, `${file} was replaced by something else`, COPY);
  }
  throw damaged(what, `${file} cannot be used`, COPY);
}

/** Fetches JSON that is named by its hash. @param {string} hash @param {string} what */
async function json(hash, what) {
  return JSON.parse(new TextDecoder().decode(await fetched(`data/${hash}.json`, hash, what, null)));
}

/**
 * Parts of tables by their hash, the one used last at the end.
 * @type {Map<string, Promise<Uint8Array>>}
 */
const parts = new Map();

/** @param {string} hash @param {string} what @param {number} length */
function part(hash, what, length) {
  const found = parts.get(hash) ?? fetched(`parts/${hash}.bin`, hash, what, length);
  parts.delete(hash);
  parts.set(hash, found);
  found.catch(() => parts.delete(hash));
  for (const other of parts.keys()) {
    if (parts.size <= KEPT >> 17) break;
    parts.delete(other);
  }
  return found;
}

/** @param {string} text */
const bytesOf = (text) => Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));

/**
 * The bytes of a table of a site: the header, and the parts that follow it.
 * @param {SiteTable} table
 * @returns {import("./table.js").Bytes}
 */
function storage({ name, header, parts: listed }) {
  const head = new Uint8Array(HEADER);
  const [fields, hash] = [bytesOf(header.slice(0, -16)), bytesOf(header.slice(-16))];
  head.set(fields.subarray(0, HEADER - 8));
  head.set(hash, HEADER - 8);
  let end = HEADER;
  const places = listed.map(([length, named]) => {
    const start = end;
    end += length;
    return { start, end, hash: named };
  });
  return {
    name, length: end,
    async read(offset, length) {
      if (offset + length <= HEADER) return head.subarray(offset, offset + length);
      const needed = places.filter((place) => place.start < offset + length && place.end > offset);
      const bytes = new Uint8Array(length);
      await Promise.all(needed.map(async ({ start, end: last, hash: named }) => {
        const from = await part(named, name, last - start);
        const [first, to] = [Math.max(offset, start), Math.min(offset + length, last)];
        bytes.set(from.subarray(first - start, to - start), first - offset);
      }));
      return bytes;
    },
  };
}

/** A game under a rule set: its tables, and the answers made beforehand. */
class Values {
  /** @param {SiteSet} set */
  constructor(set) {
    this.set = set;
    this.game = new Hunt(set.description, set.numbering);
    /** Open tables by place in the list. @type {Map<SiteTable, Promise<Table>>} */
    this.open = new Map();
    const layers = (/** @type {Metric} */ metric) =>
      set.tables.filter((table) => table.metric === metric).map(({ layer }) => layer);
    this.tables = new Tables(this.game, { wdl: layers("wdl"), dtw: layers("dtw") }, (layer, metric) =>
      this.table(layer, metric),
    );
  }

  /** @param {number} layer @param {Metric} metric */
  table(layer, metric) {
    const listed = this.set.tables.find((table) => table.layer === layer && table.metric === metric);
    if (listed === undefined) throw damaged(this.set.game, `no table of layer ${layer} is listed`);
    const found =
      this.open.get(listed) ?? Table.open(storage(listed), this.game, (frame) => decompress(frame));
    this.open.set(listed, found);
    found.catch(() => this.open.delete(listed));
    return found.then((table) => {
      if (table.header.layer !== layer || table.metric !== metric)
        throw damaged(listed.name, "its header has another layer or metric");
      return table;
    });
  }

  /** @param {string} position */
  probe(position) {
    return this.tables.probe(this.game.notation.read(position));
  }

  /** An answer that was made beforehand. @param {string} name @returns {Promise<any>} */
  async answer(name) {
    const hash = this.set.answers[name];
    if (hash === undefined)
      throw new Problem(
        `this site has no ${name} of ${this.set.game} (rules ${this.set.rules})`,
        "choose another game or other rules",
        404,
      );
    return json(hash, `the ${name} of ${this.set.game}`);
  }

  /** Best play to the end. @param {string} position */
  line(position) {
    return this.tables.line(this.game.notation.read(position));
  }

  /** A puzzle, drawn at random from those that were made. @param {Record<string, string>} query */
  async puzzle(query) {
    const { puzzles } = /** @type {{puzzles: Puzzle[]}} */ (await this.answer("puzzles"));
    const [least, most] = [Number(query.min_plies ?? 0), Number(query.max_plies ?? Infinity)];
    const fitting = puzzles.filter(
      (one) =>
        one.outcome === (query.outcome ?? one.outcome) &&
        one.to_move === (query.to_move ?? one.to_move) &&
        (query.only_move !== "true" || one.only_move) &&
        ((query.min_plies === undefined && query.max_plies === undefined) ||
          (one.dtw !== null && one.dtw >= least && one.dtw <= most)),
    );
    if (fitting.length === 0)
      throw new Problem(
        "this site has no such position",
        "choose another kind of puzzle, or other rules",
        404,
      );
    return this.probe(fitting[Math.floor(Math.random() * fitting.length)].position);
  }

  /**
   * The move of the computer: a best one, or with some weight another.
   * @param {string} text @param {string[]} moves @param {number} fuzz
   */
  async choose(text, moves, fuzz) {
    const { game } = this;
    let here = game.notation.read(text);
    const before = new Set();
    for (const words of moves) {
      before.add(game.notation.write(here));
      const made = game.moves(here).find((move) => game.notation.writeMove(move) === words);
      if (made === undefined)
        throw new Problem(
          `${words} is no legal move in ${game.notation.write(here)}`,
          "check the moves in the address, or begin at the start of the game",
          400,
        );
      here = made.position;
    }
    const probe = await this.tables.probe(here);
    const [first] = probe.moves;
    if (first === undefined)
      throw new Problem(
        "there is no move to choose from",
        "take back, or choose another position",
        404,
      );
    // An unknown move may be better than a known loss or draw, unless the position has that value.
    const isBest =
      first.outcome !== null && (first.outcome === probe.to_move || first.outcome === probe.outcome);
    const isOpen = !isBest && probe.moves.some(({ outcome }) => outcome === null);
    if (isOpen && probe.moves.length > 1) {
      throw new Problem(
        "values that decide which move is best are not on this site, so the computer has no move here",
        "take back, or choose another position",
        404,
      );
    }
    const isExact = probe.moves.every(({ outcome, dtw }) => outcome === "draw" || dtw !== null);
    const equal = probe.moves.filter(
      ({ outcome, dtw }) => outcome === first.outcome && dtw === first.dtw,
    );
    // Without distances, a win makes progress where positions do not come up again, and pieces are
    // captured.
    const fresh = equal.filter(({ position }) => !before.has(position));
    const loud = fresh.filter(({ move }) => move.includes("x"));
    const best = isExact ? equal : [loud, fresh, equal].find((list) => list.length > 0) ?? equal;
    const weights = probe.moves.map((move) => (best.includes(move) ? 1 : fuzz));
    let at = Math.random() * weights.reduce((a, b) => a + b, 0);
    const chosen = probe.moves.find((_, number) => (at -= weights[number]) < 0) ?? best[0];
    const by = probe.moves.length === 1 ? "only" : isExact ? "distance" : "outcome";
    return { chosen, by, searched: null };
  }
}

/** Whether the service worker is being installed. */
let isWatched = false;

/** Installs the service worker, where the browser allows one: over HTTPS, and on this machine. */
function watch() {
  if (isWatched || !("serviceWorker" in navigator)) return;
  isWatched = true;
  navigator.serviceWorker
    .register(addressOf("worker.js"))
    .then(() => navigator.serviceWorker.ready)
    .then(({ active }) => {
      // Files fetched before there was a worker are fetched by it again, out of the cache of the
      // browser.
      const send = () =>
        active?.postMessage(performance.getEntriesByType("resource").map(({ name }) => name));
      send();
      setTimeout(send, 2000);
    })
    .catch(() => undefined);
}

/** A site: it answers what a server would be asked. */
export class Site {
  /** @param {SiteIndex} index */
  constructor(index) {
    this.index = index;
    /** @type {Map<string, Promise<Values>>} */
    this.values = new Map();
  }

  /** Opens the site whose index has this hash. @param {string} hash */
  static async open(hash) {
    const site = new Site(await json(hash, "the index of this site"));
    watch();
    return site;
  }

  /**
   * The values of a game under a rule set.
   * @param {string} game
   * @param {string} rules
   * @returns {Promise<Values>}
   */
  set(game, rules) {
    const listed = this.index.sets.find((set) => set.game === game && set.rules === rules);
    const known = this.index.games.find((other) => other.game === game);
    const title = gameTitle(known ?? { game, title: null });
    if (listed === undefined)
      throw new Problem(
        `${title} (rules ${rules}) is not on this site`,
        "choose other rules, or one of the games listed",
        404,
      );
    const found =
      this.values.get(listed.file) ??
      json(listed.file, `the tables of ${title} (rules ${rules})`).then((set) => new Values(set));
    this.values.set(listed.file, found);
    found.catch(() => this.values.delete(listed.file));
    return found;
  }

  /**
   * Answers as the server does at this path.
   * @param {string} path
   * @param {Record<string, string>} query
   * @returns {Promise<any>}
   */
  async ask(path, query) {
    if (path === "games") {
      const games = this.index.games.filter(
        ({ game }) => query.game === undefined || game === query.game,
      );
      if (games.length === 0)
        throw new Problem(
          `${gameTitle({ game: query.game, title: null })} is not on this site`,
          "choose one of the games listed",
          404,
        );
      return { games };
    }
    const values = await this.set(query.game, query.rules);
    switch (path) {
      case "probe":
        return values.probe(query.position);
      case "line":
        return values.line(query.position);
      case "random":
        return values.puzzle(query);
      case "move":
        return values.choose(
          query.position,
          query.moves.split(",").filter((move) => move !== ""),
          Number(query.fuzz),
        );
      default:
        return values.answer(path);
    }
  }
}
