// Compares the reader of the page with lines of JSON from the library on standard input. Prints what
// differs, and at last the numbers of lines by kind.
//
//     node compare.mjs FZSTD < LINES
//
// `web` beside this file has the modules; FZSTD is the module of the decoder, if tables are compared.

import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { Hunt } from "./web/reader/hunt.js";
import { indexOf } from "./web/reader/numbering.js";
import { Table } from "./web/reader/table.js";
import { Tables } from "./web/reader/tables.js";
import { digits, xxh3 } from "./web/reader/xxh3.js";

const MOST_SHOWN = 20;
const counts = {};
let wrong = 0;
let [game, tables] = [null, null];
let indexes = new Map();

/** Notes what differs from the library. */
function compare(what, found, expected) {
  const [here, there] = [JSON.stringify(found), JSON.stringify(expected)];
  if (here === there) return;
  wrong += 1;
  if (wrong <= MOST_SHOWN) console.log(`${game?.description.name} ${game?.description.rules} ${what}\n  here ${here}\n  there ${there}`);
}

/** The bytes of a file. */
async function bytesOf(path) {
  const bytes = new Uint8Array(await readFile(path));
  return { name: path, length: bytes.length, read: async (offset, length) => bytes.subarray(offset, offset + length) };
}

const kinds = {
  hash({ text, hash }) {
    compare("hash", digits(xxh3(new TextEncoder().encode(text))), hash);
  },
  game({ text, numbering, fingerprint, symmetries }) {
    game = null;
    [game, tables, indexes] = [new Hunt(text, numbering), null, new Map()];
    compare("fingerprint", digits(game.fingerprint), fingerprint);
    // Some numberings use fewer symmetries than the rules have.
    if (numbering === "hunt 1") compare("symmetries", game.symmetries.length, symmetries);
  },
  position({ position, layer, rank, entries, ending, moves }) {
    const here = game.notation.read(position);
    compare(`${position}: text`, game.notation.write(here), position);
    compare(`${position}: layer`, game.layer(here), layer);
    if (!indexes.has(layer)) indexes.set(layer, indexOf(game, layer));
    const index = indexes.get(layer);
    compare(`${position}: rank`, [index.rank(here), index.lengths], [rank, entries]);
    const text = (end) => (end === null ? null : game.ends[end].text);
    compare(`${position}: ending`, text(game.ending(here)), ending);
    compare(`${position}: moves`, game.moves(here).map((move) => [game.notation.writeMove(move), game.notation.write(move.position), text(game.endingAfter(move))]), moves);
  },
  malformed({ text, column, problem }) {
    try {
      compare(`${text}: read`, game.notation.write(game.notation.read(text)), problem);
    } catch (error) {
      compare(`${text}: error`, error.message, column === null ? problem : `this is not a position: column ${column}: ${problem}`);
    }
  },
  async tables({ files }) {
    const { decompress } = await import(process.argv[2]);
    const opened = new Map();
    for (const path of files) {
      const table = await Table.open(await bytesOf(path), game, (frame) => decompress(frame));
      opened.set(`${table.header.layer} ${table.metric}`, table);
    }
    const layers = (metric) => [...opened.values()].filter((table) => table.metric === metric).map((table) => table.header.layer);
    tables = new Tables(game, { wdl: layers("wdl"), dtw: layers("dtw") }, async (layer, metric) => opened.get(`${layer} ${metric}`));
  },
  async probe(expected) {
    const sorted = (value) => (value && typeof value === "object" && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).map(([key, of]) => [key, sorted(of)]).sort(([a], [b]) => (a < b ? -1 : 1))) : Array.isArray(value) ? value.map(sorted) : value);
    compare(`${expected.position}: probe`, sorted(await tables.probe(game.notation.read(expected.position))), sorted(expected));
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { kind, ...rest } = JSON.parse(line);
  counts[kind] = (counts[kind] ?? 0) + 1;
  try {
    await kinds[kind](rest);
  } catch (error) {
    wrong += 1;
    if (wrong <= MOST_SHOWN) console.log(`${game?.description.name} ${game?.description.rules}: ${line.slice(0, 200)}: ${error.stack}`);
  }
}
console.log(JSON.stringify({ ...counts, wrong }));
process.exitCode = wrong > 0 ? 1 : 0;
