// Packed tables. format/mod.rs of anser-table specifies the file.

import { damaged } from "../problem.js";
import { DRAW } from "./hunt.js";
import { indexOf, MOST_ENTRIES } from "./numbering.js";
import { digits, xxh3 } from "./xxh3.js";

/**
 * @typedef {import("./hunt.js").Hunt} Hunt
 * @typedef {import("./hunt.js").Position} Position
 * @typedef {"wdl" | "dtw"} Metric
 *
 * The bytes of a file: `read` returns those of a range, or fails with a `Problem`.
 * @typedef {{name: string, length: number, read: (offset: number,
 *   length: number) => Promise<Uint8Array>}} Bytes
 *
 * The value of a position: the side that wins, or `DRAW`, and the plies to the win, or null where they
 * are
 * not known and in a draw.
 * @typedef {{outcome: number, plies: number | null}} Value
 * @typedef {(frame: Uint8Array) => Uint8Array} Decompress
 */

export const HEADER = 4096;
const SIGNATURE = [0x89, 0x48, 0x55, 0x4e, 0x54, 0x0d, 0x0a, 0x1a];
/** @type {Metric[]} */
const METRICS = ["wdl", "dtw"];
const MEANINGS = ["D12-", "D12+"];

/** Flags of a frame of distances: numbers are plies, and they have two bytes. */
const PLIES = 1;
const WIDE = 2;

/** Bytes of decoded blocks that are kept. */
const KEPT = 32 << 20;

/** @param {number} sides @param {number} side */
const has = (sides, side) => ((sides >> side) & 1) === 1;

/** A decoded block. @typedef {{form: number, content: Uint8Array, entries: number}} Block */

/** The header of a packed table. */
export class Header {
  /** @param {string} file @param {Uint8Array} bytes */
  constructor(file, bytes) {
    const wrong = (/** @type {string} */ problem) => damaged(file, problem);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    if (!SIGNATURE.every((byte, at) => bytes[at] === byte)) throw wrong("it is not a table");
    const version = bytes.length < 10 ? 0 : view.getUint16(8, true);
    if (version !== 1) throw wrong(`format version ${version} is not known here`);
    if (bytes.length !== HEADER) throw wrong("it is truncated");
    if (xxh3(bytes.subarray(0, HEADER - 8)) !== view.getBigUint64(HEADER - 8, true))
      throw wrong("the header is damaged");
    const invalid = (/** @type {string} */ field) => wrong(`the header is invalid (${field})`);
    const number = (/** @type {number} */ at) => {
      const value = view.getBigUint64(at, true);
      if (value > BigInt(MOST_ENTRIES)) throw invalid("a number that is too large");
      return Number(value);
    };
    const text = (/** @type {number} */ at, /** @type {number} */ length) => {
      const field = bytes.subarray(at, at + length);
      const end = field.indexOf(0);
      const found = String.fromCharCode(...field.subarray(0, end < 0 ? length : end));
      if (end < 1 || !/^[ -~]+$/.test(found) || field.subarray(end).some((byte) => byte !== 0))
        throw invalid("a name that is empty, too long, or not printable ASCII");
      return found;
    };
    const isZero = (/** @type {number} */ from, /** @type {number} */ to) =>
      bytes.subarray(from, to).every((byte) => byte === 0);
    if (bytes[10] !== 1) throw wrong("it is not a packed table");
    if (bytes[11] !== 1) throw wrong("it is not complete");
    if (view.getUint32(12, true) !== HEADER) throw invalid("header length");
    const metric = METRICS[bytes[122]];
    if (metric === undefined) throw invalid("metric");
    /** By side to move and winner: the largest code, 0 where there is none. */
    this.tops = [0, 1].map((side) =>
      [0, 1].map((winner) => view.getUint16(368 + 4 * side + 2 * winner, true)),
    );
    const tops = this.tops.flat();
    if (tops.some((code, at) => code === 0xffff || (code > 0 && code % 2 !== (at % 2 === 0 ? 1 : 0))))
      throw invalid("largest codes");
    this.metric = metric;
    this.largest = metric === "wdl" ? 2 : Math.max(...tops);
    const bits = Math.max(1, 32 - Math.clz32(this.largest));
    if (
      bytes[123] !== bits ||
      String.fromCharCode(...bytes.subarray(124, 128)) !== MEANINGS[bytes[122]]
    )
      throw invalid("value codes");
    if (metric === "wdl" && tops.some((code) => code > 0))
      throw invalid("redundant or reserved fields");
    this.game = text(16, 32);
    this.rules = text(48, 64);
    this.fingerprint = view.getBigUint64(112, true);
    this.layer = view.getUint16(120, true);
    this.numbering = `${text(128, 16)} ${view.getUint16(144, true)}`;
    this.symmetries = view.getUint16(146, true);
    this.entries = [number(152), number(160)];
    /** The sides to move that are stored, as bits. */
    this.stored = bytes[320];
    this.blockEntries = view.getUint32(324, true);
    if (this.stored < 1 || this.stored > 3) throw invalid("packing");
    if (!(
      this.blockEntries >= 64 &&
      this.blockEntries <= 1 << 20 &&
      (this.blockEntries & (this.blockEntries - 1)) === 0
    ))
      throw invalid("size of blocks");
    this.blocks = this.entries.map((entries, side) =>
      has(this.stored, side) ? Math.ceil(entries / this.blockEntries) : 0,
    );
    this.payload = { offset: number(216), length: number(224) };
    this.checks = { offset: number(232), length: number(240) };
    this.description = { offset: number(344), length: number(352) };
    const frames = this.blocks[0] + this.blocks[1];
    const isRight =
      this.blocks.every((blocks, side) => blocks === number(328 + 8 * side)) &&
      this.payload.offset === HEADER &&
      this.checks.offset === Math.ceil((HEADER + this.payload.length) / 8) * 8 &&
      this.checks.length === 16 * frames + 8 &&
      this.description.offset === this.checks.offset + this.checks.length &&
      this.description.length <= 1 << 18;
    if (!isRight || !isZero(148, 152) || !isZero(322, 324) || !isZero(376, 4088))
      throw invalid("redundant or reserved fields");
    this.length = this.description.offset + this.description.length;
  }
}

/** An open packed table. */
export class Table {
  /** @param {Bytes} bytes @param {Header} header @param {Hunt} game @param {Decompress} decompress */
  constructor(bytes, header, game, decompress) {
    this.bytes = bytes;
    this.header = header;
    this.decompress = decompress;
    const wrong = (
      /** @type {string} */ what,
      /** @type {unknown} */ found,
      /** @type {unknown} */ expected,
    ) => damaged(bytes.name, `a table of another ${what}: ${found}, where ${expected} was expected`);
    if (bytes.length !== header.length)
      throw damaged(bytes.name, `${bytes.length} bytes where the header says ${header.length}`);
    const { name, rules } = game.description;
    if (header.game !== name) throw wrong("game", header.game, name);
    if (header.rules !== rules) throw wrong("rule set", header.rules, rules);
    if (header.numbering !== game.numbering) throw wrong("numbering", header.numbering, game.numbering);
    if (header.fingerprint !== game.fingerprint)
      throw wrong("meaning of the rules", digits(header.fingerprint), digits(game.fingerprint));
    this.index = indexOf(game, header.layer);
    if (header.symmetries !== this.index.symmetries)
      throw wrong("number of symmetries", header.symmetries, this.index.symmetries);
    this.index.lengths.forEach((length, side) => {
      if (header.entries[side] !== length)
        throw wrong("number of entries", header.entries[side], length);
    });
    this.orders = [0, 1].map((side) => this.index.order(side));
    /**
     * Decoded blocks, and those that are being read, the one used last at the end.
     * @type {Map<number, Promise<Block>>}
     */
    this.blocks = new Map();
  }

  /** Opens a table of a game. @param {Bytes} bytes @param {Hunt} game @param {Decompress} decompress */
  static async open(bytes, game, decompress) {
    return new Table(bytes, new Header(bytes.name, await bytes.read(0, HEADER)), game, decompress);
  }

  get metric() {
    return this.header.metric;
  }

  /** Whether entries with a side to move are stored. @param {number} side */
  stores(side) {
    return has(this.header.stored, side);
  }

  /**
   * The value of a position, whose side to move is stored.
   * @param {Position} position
   * @returns {Promise<Value>}
   */
  async value(position) {
    const code = await this.code(position.toMove, this.index.rank(position));
    if (code === 0) return { outcome: DRAW, plies: null };
    return { outcome: (code + 1) % 2, plies: this.metric === "wdl" ? null : (code - 1) >> 1 };
  }

  /** The code of an entry. @param {number} side @param {number} rank */
  async code(side, rank) {
    const { blockEntries, largest } = this.header;
    const damage = () => damaged(this.bytes.name, `the entry of rank ${rank} is damaged`);
    if (!(rank >= 0 && rank < this.header.entries[side])) throw damage();
    const place = this.orders[side].place(rank);
    const block = await this.block(side, Math.floor(place / blockEntries));
    const code =
      this.metric === "wdl"
        ? outcomeIn(block, place % blockEntries)
        : distanceIn(block, place % blockEntries, side);
    if (code > largest) throw damage();
    return code;
  }

  /** A decoded block. @param {number} side @param {number} number */
  block(side, number) {
    const frame = (side === 0 ? 0 : this.header.blocks[0]) + number;
    const entries = Math.min(
      this.header.blockEntries,
      this.header.entries[side] - number * this.header.blockEntries,
    );
    const found = this.blocks.get(frame) ?? this.read(frame, entries);
    // The one that was not used for the longest time is the first.
    this.blocks.delete(frame);
    this.blocks.set(frame, found);
    const most = Math.max(4, KEPT / (this.header.blockEntries * 2));
    for (const other of this.blocks.keys()) {
      if (this.blocks.size <= most) break;
      this.blocks.delete(other);
    }
    found.catch(() => {
      // Another attempt may succeed.
      if (this.blocks.get(frame) === found) this.blocks.delete(frame);
    });
    return found;
  }

  /** @param {number} frame @param {number} entries @returns {Promise<Block>} */
  async read(frame, entries) {
    const { checks, payload } = this.header;
    const listed = await this.bytes.read(checks.offset + 16 * frame, 24);
    const index = new DataView(listed.buffer, listed.byteOffset, 24);
    const [start, end] = [Number(index.getBigUint64(0, true)), Number(index.getBigUint64(16, true))];
    const damage = (/** @type {string} */ what) =>
      damaged(this.bytes.name, `${what} of block ${frame} is damaged`);
    if (!(start < end && end <= payload.length)) throw damage("the place");
    const bytes = await this.bytes.read(payload.offset + start, end - start);
    if (xxh3(bytes) !== index.getBigUint64(8, true)) throw damage("the frame");
    const form = bytes[0];
    const isWdl = this.metric === "wdl";
    if (form > (isWdl ? 2 : PLIES | WIDE)) throw damage("the form");
    const length = isWdl ? 16 * Math.ceil(entries / 64) : entries * (form & WIDE ? 2 : 1);
    let content;
    try {
      content = this.decompress(bytes.subarray(1));
    } catch {
      throw damage("the compressed content");
    }
    if (content.length !== length) throw damage("the length");
    return { form, content, entries };
  }
}

/**
 * The code of an entry of a block of outcomes: 3 for one that has no value.
 * @param {Block} block
 * @param {number} entry
 */
function outcomeIn({ form, content }, entry) {
  const bit = (/** @type {number} */ plane) =>
    (content[plane * (content.length / 2) + (entry >> 3)] >> (entry & 7)) & 1;
  const [a, b] = [bit(0), bit(1)];
  if (form === 0) return a + 2 * b;
  // The second plane has what either side wins.
  if (b === 0) return a === 0 ? 0 : 3;
  return (form === 1) === (a === 1) ? 1 : 2;
}

/**
 * The code of an entry of a block of distances.
 * @param {Block} block
 * @param {number} entry
 * @param {number} side
 */
function distanceIn({ form, content, entries }, entry, side) {
  const number = content[entry] + (form & WIDE ? content[entries + entry] << 8 : 0);
  if (!(form & PLIES) || number === 0) return number;
  // One more than the plies: the side to move wins if they are odd.
  return 2 * number - 1 + (number % 2 === 0 ? side : 1 - side);
}
