// Compares the reader of the page with lines of JSON from the library. `web` beside this file has
// the modules.

import { Hunt } from "./web/reader/hunt.js";
import { indexOf } from "./web/reader/numbering.js";
import { Table } from "./web/reader/table.js";
import { Tables } from "./web/reader/tables.js";
import { digits, xxh3 } from "./web/reader/xxh3.js";

const MOST_SHOWN = 20;

/** The same object with its keys in order. */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).map(([key, of]) => [key, sorted(of)]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A comparison: the numbers of lines by kind, how many differ, and the first of them. */
export class Comparison {
  /** `read` returns the bytes of a file, and `decompress` those of a frame. */
  constructor(read, decompress) {
    [this.read, this.decompress] = [read, decompress];
    [this.counts, this.wrong, this.shown] = [{}, 0, []];
    this.game = null;
  }

  /** Notes what differs from the library. */
  note(what) {
    this.wrong += 1;
    const { name, rules } = this.game?.description ?? {};
    if (this.wrong <= MOST_SHOWN) this.shown.push(`${name} ${rules} ${what}`);
  }

  same(what, found, expected) {
    const [here, there] = [JSON.stringify(found), JSON.stringify(expected)];
    if (here !== there) this.note(`${what}\n  here ${here}\n  there ${there}`);
  }

  /** Compares a line. */
  async line(text) {
    const { kind, ...rest } = JSON.parse(text);
    this.counts[kind] = (this.counts[kind] ?? 0) + 1;
    try {
      await this[kind](rest);
    } catch (error) {
      this.note(`${text.slice(0, 200)}: ${error.stack}`);
    }
  }

  hash({ text, hash }) {
    this.same("hash", digits(xxh3(new TextEncoder().encode(text))), hash);
  }

  set({ text, numbering, fingerprint, symmetries }) {
    this.game = null;
    [this.game, this.indexes] = [new Hunt(text, numbering), new Map()];
    this.same("fingerprint", digits(this.game.fingerprint), fingerprint);
    // Some numberings use fewer symmetries than the rules have.
    if (numbering === "hunt 1") this.same("symmetries", this.game.symmetries.length, symmetries);
  }

  position({ position, layer, rank, entries, ending, moves }) {
    const { game, indexes } = this;
    const here = game.notation.read(position);
    this.same(`${position}: text`, game.notation.write(here), position);
    this.same(`${position}: layer`, game.layer(here), layer);
    if (!indexes.has(layer)) indexes.set(layer, indexOf(game, layer));
    const index = indexes.get(layer);
    this.same(`${position}: rank`, [index.rank(here), index.lengths], [rank, entries]);
    const text = (end) => (end === null ? null : game.ends[end].text);
    this.same(`${position}: ending`, text(game.ending(here)), ending);
    const found = game.moves(here).map((move) => [
      game.notation.writeMove(move),
      game.notation.write(move.position),
      text(game.endingAfter(move)),
    ]);
    this.same(`${position}: moves`, found, moves);
  }

  malformed({ text, column, problem }) {
    let found;
    try {
      found = this.game.notation.write(this.game.notation.read(text));
    } catch (error) {
      found = error.message;
    }
    const place = column === null ? "" : `this is not a position: column ${column}: `;
    this.same(`${text}: read`, found, `${place}${problem}`);
  }

  async tables({ files }) {
    const opened = new Map();
    for (const path of files) {
      const bytes = await this.read(path);
      const read = async (offset, length) => bytes.subarray(offset, offset + length);
      const storage = { name: path, length: bytes.length, read };
      const table = await Table.open(storage, this.game, this.decompress);
      opened.set(`${table.header.layer} ${table.metric}`, table);
    }
    const of = (metric) => [...opened.values()].filter((table) => table.metric === metric);
    const layers = (metric) => of(metric).map((table) => table.header.layer);
    const open = async (layer, metric) => opened.get(`${layer} ${metric}`);
    this.values = new Tables(this.game, { wdl: layers("wdl"), dtw: layers("dtw") }, open);
  }

  async best(expected) {
    const found = await this.values.line(this.game.notation.read(expected.position));
    this.same(`${expected.position}: line`, sorted(found), sorted(expected));
  }

  async probe(expected) {
    const found = await this.values.probe(this.game.notation.read(expected.position));
    // A server serves tables, and a site has them.
    for (const one of expected.unknown) {
      one.reason = one.reason.replace("are not served here", "are not on this site");
    }
    this.same(`${expected.position}: probe`, sorted(found), sorted(expected));
  }
}
