// Compares the reader of the page with lines on standard input. Prints the differences, and at last
// the numbers of lines by kind.
//
//     node compare.mjs FZSTD < LINES
//
// FZSTD is the module of the decoder, if tables are compared.

import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { Comparison } from "./compare.js";

const { decompress } = process.argv[2] ? await import(process.argv[2]) : {};
const read = async (path) => new Uint8Array(await readFile(path));
const comparison = new Comparison(read, (frame) => decompress(frame));
for await (const line of createInterface({ input: process.stdin })) await comparison.line(line);
for (const words of comparison.shown) console.log(words);
console.log(JSON.stringify({ ...comparison.counts, wrong: comparison.wrong }));
process.exitCode = comparison.wrong > 0 ? 1 : 0;
