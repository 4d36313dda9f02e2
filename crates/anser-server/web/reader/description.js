// Descriptions of games as text: the format `hunt 1`, which hunt/text.rs of anser-core specifies.

import { damaged } from "../problem.js";

/**
 * Sides are numbers: 0 the few, 1 the many.
 * @typedef {{name: string, noun: string, piece: string, letter: string, turn: string, number: number[],
 *   start: number[], hand: number, region: number[], order: number[],
 * steps: number[][], jumps: number[][], captures: number[][], chain: boolean, compulsory: boolean}}
 * SideDescription
 * @typedef {{winner: number, condition: string, side: number | null, count: number, points: number[],
 *   toMove: number | null, afterPlacement: boolean, exceptStart: boolean, text: string}} End
 * @typedef {{name: string, rules: string, points: {name: string, x: number, y: number}[],
 *   lines: number[][],
 *   word: string, sides: SideDescription[], first: number, ends: End[], plies: number | null,
 *   endless: number | null, layers: string}} Description
 */

const SIDES = ["few", "many"];
const LAYERS = ["pieces", "advance", "plies", "placement"];
const NOUNS = ["singular", "plural", "name"];

/**
 * Conditions that name no side, a side, a side and a number, a side and points, or a number.
 * @type {Record<string, string>}
 */
const CONDITIONS = {
  blocked: "side",
  captured: "side",
  fewer: "side count",
  reached: "side points",
  arrived: "side points",
  filled: "side points",
  escaped: "",
  behind: "count",
  "out-of-plies": "",
};

/** Most points of a board, and the length of the longest text. */
const MOST_POINTS = 128;
const LONGEST = 1 << 18;

/**
 * Reads the text of a description. Only the one text that is written for a description is accepted.
 * @param {string} text
 * @returns {Description}
 */
export function readDescription(text) {
  let at = 0;
  const wrong = (/** @type {string} */ problem) =>
    damaged("the description of the game", `line ${at + 1}: ${problem}`);
  if (text.length > LONGEST) throw wrong(`it has more than ${LONGEST} characters`);
  const lines = text.split("\n");
  if (lines.pop() !== "") throw wrong("it does not end with a line");
  const next = (/** @type {string} */ words) => {
    const line = lines[at];
    if (line === undefined || !line.startsWith(words)) return null;
    const rest = line.slice(words.length);
    if (rest !== "" && !rest.startsWith(" ")) return null;
    at += 1;
    return rest.slice(1);
  };
  const wanted = (/** @type {string} */ words) => {
    const rest = next(words);
    if (rest === null) throw wrong(`the line "${words}" is missing`);
    return rest;
  };
  const number = (/** @type {string} */ word) => {
    if (!/^-?\d{1,9}$/.test(word)) throw wrong(`"${word}" is no number`);
    return Number(word);
  };
  const side = (/** @type {string} */ word) => {
    const found = SIDES.indexOf(word);
    if (found < 0) throw wrong(`"${word}" is not few or many`);
    return found;
  };
  const one = (/** @type {string[]} */ known, /** @type {string} */ word) => {
    if (!known.includes(word)) throw wrong(`"${word}" is none of ${known.join(", ")}`);
    return word;
  };
  const format = wanted("hunt");
  if (format !== "1") throw wrong(`the format ${format} is unknown; this reader knows 1`);
  const [name, rules] = [wanted("game"), wanted("rules")];
  const points = [];
  for (let rest = next("point"); rest !== null; rest = next("point")) {
    const [called, x, y] = rest.split(" ");
    points.push({ name: called, x: number(x), y: number(y) });
  }
  if (points.length === 0 || points.length > MOST_POINTS)
    throw wrong(`a board has 1 to ${MOST_POINTS} points`);
  const point = (/** @type {string} */ word) => {
    const found = number(word);
    if (found < 0 || found >= points.length) throw wrong(`there is no point ${word}`);
    return found;
  };
  const words = (/** @type {string | null} */ rest) =>
    rest === null || rest === "" ? [] : rest.split(" ");
  const tuples = (/** @type {string | null} */ rest, /** @type {number} */ size) =>
    words(rest).map((word) => {
      const found = word.split("-").map(point);
      if (found.length !== size) throw wrong(`"${word}" does not have ${size} points`);
      return found;
    });
  const through = [];
  for (let rest = next("line"); rest !== null; rest = next("line"))
    through.push(words(rest).map(point));
  const word = wanted("word");
  const sides = SIDES.map((of) => {
    const item = (/** @type {string} */ what) => `${of} ${what}`;
    const [called, noun, piece, letters] = [
      wanted(item("name")),
      one(NOUNS, wanted(item("noun"))),
      wanted(item("piece")),
      [...wanted(item("letters"))],
    ];
    if (letters.length !== 3 || letters[1] !== " ")
      throw wrong("two letters are wanted: of a piece, and of the side to move");
    const least = words(wanted(item("number"))).map(number);
    if (least.length !== 2 || least[0] < 0 || least[1] > 255 || least[0] > least[1])
      throw wrong("two numbers are wanted: the least and the greatest");
    return {
      name: called, noun, piece, letter: letters[0], turn: letters[2], number: least,
      start: words(next(item("start"))).map(point),
      hand: number(next(item("hand")) ?? "0"),
      region: words(next(item("region"))).map(point),
      order: words(next(item("order"))).map(point),
      steps: tuples(next(item("steps")), 2),
      jumps: tuples(next(item("jumps")), 3),
      captures: tuples(next(item("captures")), 2),
      chain: next(item("chain")) !== null,
      compulsory: next(item("compulsory")) !== null,
    };
  });
  const first = side(wanted("first"));
  /** @type {End[]} */
  const ends = [];
  for (let rest = next("end"); rest !== null; rest = next("end")) {
    at -= 1;
    const cut = rest.indexOf(" = ");
    if (cut < 0) throw wrong("the reason is missing: a space, =, a space, and some words");
    const parts = rest.slice(0, cut).split(" ");
    const winner = side(parts.shift() ?? "");
    const condition = parts.shift() ?? "";
    const form = CONDITIONS[condition];
    if (form === undefined) throw wrong(`no condition is called "${condition}"`);
    const of = form.includes("side") ? side(parts.shift() ?? "") : null;
    const count = form.includes("count") ? number(parts.shift() ?? "") : 0;
    const named = [];
    while (form.includes("points") && /^\d/.test(parts[0] ?? ""))
      named.push(point(parts.shift() ?? ""));
    const end = {
      winner,
      condition,
      side: of,
      count,
      points: named,
      toMove: /** @type {number | null} */ (null),
      afterPlacement: false,
      exceptStart: false,
      text: rest.slice(cut + 3),
    };
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
      if (part === "to-move") end.toMove = side(parts.shift() ?? "");
      else if (part === "after-placement") end.afterPlacement = true;
      else if (part === "except-start") end.exceptStart = true;
      else throw wrong(`"${part}" is no part of an end`);
    }
    ends.push(end);
    at += 1;
  }
  const limit = next("plies");
  const endless = next("endless");
  const layers = one(LAYERS, wanted("layers"));
  const description = {
    name,
    rules,
    points,
    lines: through,
    word,
    sides,
    first,
    ends,
    plies: limit === null ? null : number(limit),
    endless: endless === null ? null : side(endless),
    layers,
  };
  const written = writeDescription(description).split("\n");
  const differs = written.findIndex((line, which) => line !== [...lines, ""][which]);
  if (differs >= 0 || at !== lines.length) {
    at = differs < 0 ? at : differs;
    throw wrong("it is not written in this way");
  }
  return description;
}

/** Writes the text of a description. @param {Description} of */
export function writeDescription(of) {
  let text = `hunt 1\ngame ${of.name}\nrules ${of.rules}\n`;
  for (const { name, x, y } of of.points) text += `point ${name} ${x} ${y}\n`;
  for (const line of of.lines) text += `line${list(line)}\n`;
  text += `word ${of.word}\n`;
  of.sides.forEach((side, number) => {
    const word = SIDES[number];
    text += `${word} name ${side.name}\n${word} noun ${side.noun}\n${word} piece ${side.piece}\n`;
    text += `${word} letters ${side.letter} ${side.turn}\n${writeMoves(side, word)}`;
  });
  return text + writeRest(of, true, true);
}

/**
 * Everything in the rules that a value can depend on: a part of the text, with moves in the order of
 * their
 * points. Tables carry the hash of it and of the name of the numbering.
 * @param {Description} of
 */
export function meaning(of) {
  const fromStart = of.ends.some((end) => end.exceptStart);
  let text = `points ${of.points.length}\n`;
  of.sides.forEach((side, number) => {
    const sorted = (/** @type {number[][]} */ moves) =>
      [...moves].sort((a, b) => a.map((point, at) => point - b[at]).find((by) => by !== 0) ?? 0);
    text += writeMoves(
      {
        ...side,
        order: [],
        start: fromStart ? side.start : [],
        steps: sorted(side.steps),
        jumps: sorted(side.jumps),
        captures: sorted(side.captures),
      },
      SIDES[number],
    );
  });
  return text + writeRest(of, false, fromStart);
}

/** @param {SideDescription} side @param {string} word */
function writeMoves(side, word) {
  let text = `${word} number ${side.number[0]} ${side.number[1]}\n`;
  const item = (/** @type {string} */ name, /** @type {string} */ values) => {
    if (values !== "") text += `${word} ${name}${values}\n`;
  };
  const tuples = (/** @type {number[][]} */ moves) =>
    moves.map((move) => ` ${move.join("-")}`).join("");
  item("start", list(side.start));
  item("hand", side.hand > 0 ? ` ${side.hand}` : "");
  item("region", list(side.region));
  item("order", list(side.order));
  item("steps", tuples(side.steps));
  item("jumps", tuples(side.jumps));
  item("captures", tuples(side.captures));
  return text + (side.chain ? `${word} chain\n` : "") + (side.compulsory ? `${word} compulsory\n` : "");
}

/**
 * The lines after the sides.
 * @param {Description} of
 * @param {boolean} withReasons
 * @param {boolean} withFirst
 */
function writeRest(of, withReasons, withFirst) {
  let text = withFirst ? `first ${SIDES[of.first]}\n` : "";
  for (const end of of.ends) {
    const words = [end.condition];
    if (end.side !== null) words.push(SIDES[end.side]);
    if (CONDITIONS[end.condition].includes("count")) words.push(String(end.count));
    text += `end ${SIDES[end.winner]} ${words.join(" ")}${list(end.points)}`;
    if (end.toMove !== null) text += ` to-move ${SIDES[end.toMove]}`;
    text += `${end.afterPlacement ? " after-placement" : ""}${end.exceptStart ? " except-start" : ""}`;
    text += `${withReasons ? ` = ${end.text}` : ""}\n`;
  }
  if (of.plies !== null) text += `plies ${of.plies}\n`;
  if (of.endless !== null) text += `endless ${SIDES[of.endless]}\n`;
  return `${text}layers ${of.layers}\n`;
}

/** @param {number[]} numbers */
const list = (numbers) => numbers.map((number) => ` ${number}`).join("");
