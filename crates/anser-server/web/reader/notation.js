// Positions and moves as text, as notation.rs and rows.rs of anser-core read and write them.

import { notPosition } from "../problem.js";
import { pieces } from "./position.js";

/**
 * @typedef {import("./hunt.js").Hunt} Hunt
 * @typedef {import("./hunt.js").Position} Position
 * @typedef {import("./hunt.js").Move} Move
 * @typedef {import("./description.js").SideDescription} SideDescription
 *
 * A number after the side to move: pieces of a side in hand, captured pieces, or plies left.
 * @typedef {{kind: "hand" | "captured" | "plies", side: number, most: number}} Field
 * @typedef {{letter: string, row: number, place: number, column: number}} Piece
 */

/** The forms of the Online Baghchal Exchange, which is read for games with its letters. */
const EXCHANGE = { letters: "TG", turns: "tg", point: /^[A-Za-z][0-9]$/ };

/** Most characters of a position. */
const LONGEST = 1000;

/** @param {string} c */
const isDigit = (c) => /^[0-9]$/.test(c);

/** @param {string} c */
const quoted = (c) => `'${c === "'" || c === "\\" ? `\\${c}` : c}'`;

/** The digits of a run of empty points. @param {number} points */
const run = (points) => "9".repeat(Math.floor(points / 9)) + (points % 9 || "");

/** @param {string} word */
const withArticle = (word) => `${/^[aeiou]/i.test(word) ? "an" : "a"} ${word}`;

/** A side with its article: the fox, white. @param {SideDescription} side */
const the = ({ noun, name }) => (noun === "name" ? name : `the ${name}`);

/** @param {SideDescription} side */
const piecesWord = (side) => (side.noun === "plural" ? side.name : `pieces of ${the(side)}`);

/** @param {SideDescription} side */
const is = (side) => `${the(side)} ${side.noun === "plural" ? "are" : "is"}`;

/** Range of the number of pieces of a side. @param {SideDescription} side */
function numbersOf({ number: [fewest, most] }) {
  if (fewest === most) return String(most);
  return fewest === 0 ? `at most ${most}` : `${fewest} to ${most}`;
}

/** The notation of a game. */
export class Notation {
  /** @param {Hunt} game */
  constructor(game) {
    const { description } = game;
    const { points, sides } = description;
    this.game = game;
    const places = (/** @type {number[]} */ all) => [...new Set(all)].sort((a, b) => a - b);
    const [xs, ys] = [places(points.map(({ x }) => x)), places(points.map(({ y }) => y))];
    const grid = points.map(({ x, y }) => [xs.indexOf(x), ys.indexOf(y)]);
    /** The points of each row, from the top and from the left. @type {number[][]} */
    this.rows = ys
      .map((_, y) =>
        points
          .map((_, point) => point)
          .filter((point) => grid[point][1] === y)
          .sort((a, b) => grid[a][0] - grid[b][0]),
      )
      .reverse();
    /**
     * By row: the number of columns without a point before each point, and after the last.
     * @type {number[][]}
     */
    this.gaps =
      description.lines.length === 0
        ? []
        : this.rows.map((row) => {
            const columns = row.map((point) => grid[point][0]);
            return [...columns, xs.length].map(
              (column, at) => column - (at === 0 ? 0 : columns[at - 1] + 1),
            );
          });
    this.byGrid = points.every(
      ({ name }, point) =>
        name === `${String.fromCharCode(97 + Math.min(grid[point][0], 25))}${grid[point][1] + 1}`,
    );
    /** @type {Field[]} */
    this.fields = [0, 1]
      .filter((side) => sides[side].hand > 0)
      .map((side) => ({ kind: "hand", side, most: 0 }));
    if (sides[1].hand > 0 && sides[0].jumps.length > 0)
      this.fields.push({ kind: "captured", side: 1, most: 0 });
    if (description.plies !== null)
      this.fields.push({ kind: "plies", side: 0, most: description.plies });
    this.example = this.write(game.start);
  }

  /** Writes a position. @param {Position} position */
  write(position) {
    const { sides, plies } = this.game.description;
    const rows = this.rows.map((row) => {
      let [text, empty] = ["", 0];
      for (const point of row) {
        const cell = position.cells[point];
        if (cell === 0) empty += 1;
        else {
          text += run(empty) + sides[cell - 1].letter;
          empty = 0;
        }
      }
      return text + run(empty);
    });
    const numbers = this.fields
      .filter(({ kind }) => kind !== "plies" || position.left !== plies)
      .map((field) => ` ${this.number(field, position)}`);
    return `${rows.join("/")} ${sides[position.toMove].turn}${numbers.join("")}`;
  }

  /** Writes a move. @param {Move} move */
  writeMove({ kind, path }) {
    if (kind === "pass") return "pass";
    return path
      .map((point) => this.game.description.points[point].name)
      .join(kind === "jump" || kind === "capture" ? "x" : "-");
  }

  /** The number of a field in a position. @param {Field} field @param {Position} position */
  number({ kind, side }, position) {
    if (kind === "hand") return position.hand[side];
    if (kind === "plies") return position.left ?? 0;
    return this.game.description.sides[1].number[1] - pieces(position, 1).length - position.hand[1];
  }

  /** @param {Field} field */
  fieldName({ kind, side, most }) {
    if (kind === "hand") return `number of ${piecesWord(this.game.description.sides[side])} in hand`;
    return kind === "captured" ? "number of captured pieces" : `number of plies left (0 to ${most})`;
  }

  /** @param {number} column @param {string} problem */
  wrong(column, problem) {
    return notPosition(column, problem, this.example);
  }

  /** Reads a position. @param {string} text @returns {Position} */
  read(text) {
    const { description } = this.game;
    const { sides } = description;
    if ([...text].length > LONGEST)
      throw this.wrong(LONGEST + 1, `a position has at most ${LONGEST} characters`);
    const exchange = this.translated(text);
    const { found, toMove, rest } = this.readBoard(exchange ?? text);
    /** @type {number[][]} */
    const sets = [[], []];
    const placed = found.map(({ letter, row, place, column }) => ({
      side: letter === sides[1].letter ? 1 : 0,
      point: this.rows[row][place],
      column,
    }));
    for (const { side, point, column } of placed) {
      if (sets[side].length === sides[side].number[1])
        throw this.wrong(
          column,
          this.tooMany(side, placed.filter((piece) => piece.side === side).length, sets[side]),
        );
      sets[side].push(point);
    }
    const position = this.game.positionOf(sets, [0, 0], toMove);
    if (exchange !== null) this.readExchange(rest, position);
    else this.readFields(rest, position);
    for (const side of [0, 1]) {
      const problem = this.tooFew(side, position);
      if (problem !== null) throw this.wrong(1, problem);
    }
    this.checkOver(placed, position);
    for (const side of [0, 1]) {
      const [hand, there] = [position.hand[side], pieces(position, side).length + position.hand[side]];
      const [fewest, most] = sides[side].number;
      if (hand > sides[side].hand)
        throw this.wrong(1, `${hand} ${sides[side].name} are in hand; at most ${sides[side].hand}`);
      if (there < fewest || there > most) {
        const { name, letter } = sides[side];
        throw this.wrong(
          1,
          fewest === most
            ? `there are ${there} of ${most} ${name} (${letter})`
            : `there are ${there} ${name} (${letter}); a position has ${fewest} to ${most}`,
        );
      }
    }
    if (!this.game.isPosition(position)) throw this.wrong(1, "the game was over before the last move");
    return position;
  }

  /** Names a row in a message. @param {number} row */
  row(row) {
    return this.byGrid ? `row ${this.rows.length - row}` : `row ${row + 1} from the top`;
  }

  /** Reads the board and the side to move. @param {string} text */
  readBoard(text) {
    const { sides, word } = this.game.description;
    const chars = [...text];
    const end = chars.length + 1;
    /** @type {Piece[]} */
    const found = [];
    let [row, filled, stars, here, at] = [0, 0, 0, 0, 0];
    const letters = `${sides[0].turn} (${sides[0].name}) or ${sides[1].turn} (${sides[1].name})`;
    const complete = (/** @type {number} */ column) => {
      const width = this.rows[row].length;
      if (filled < width)
        throw this.wrong(column, `${this.row(row)} has ${width} ${word}, only ${filled} are given`);
    };
    const noGap = (/** @type {number} */ column) => {
      const wanted = this.gaps[row]?.[filled] ?? 0;
      if (stars === 0 || here >= wanted) return;
      throw this.wrong(
        column,
        `${this.row(row)} has ${wanted === 1 ? "a missing point" : "missing points"} at this place: ` +
        `write ${"*".repeat(wanted)}, or no * in the row`,
      );
    };
    for (; ; at += 1) {
      const [c, column] = [chars[at], at + 1];
      if (c === undefined) {
        complete(end);
        noGap(end);
        throw this.wrong(
          end,
          row + 1 < this.rows.length
            ? `the position ends after ${this.row(row)}, there are ${this.rows.length}`
            : `the side to move is missing: a space and ${letters}`,
        );
      }
      let points = 1;
      if (c === "/") {
        complete(column);
        noGap(column);
        [stars, here] = [0, 0];
        if (row + 1 === this.rows.length)
          throw this.wrong(column, `there are only ${this.rows.length} rows`);
        [row, filled] = [row + 1, 0];
        continue;
      } else if (c === "*" && this.gaps.length > 0) {
        const written = this.gaps[row].slice(0, filled).reduce((a, b) => a + b, 0);
        if (here === (this.gaps[row][filled] ?? 0))
          throw this.wrong(column, `no point is missing at this place of ${this.row(row)}`);
        if (stars - here < written)
          throw this.wrong(
            column,
            `${this.row(row)} has missing points before this place: write a * for each of the row, ` +
            "or none",
          );
        [stars, here] = [stars + 1, here + 1];
        continue;
      } else if (c === " " || c === "_") {
        complete(column);
        noGap(column);
        if (row + 1 < this.rows.length)
          throw this.wrong(column, `${this.row(row + 1)} is missing, there are ${this.rows.length}`);
        break;
      } else if (/^[1-9]$/.test(c)) points = Number(c);
      else if (sides.some(({ letter }) => letter === c))
        found.push({ letter: c, row, place: filled, column });
      else throw this.wrong(column, this.stranger(c));
      for (; points > 0; points -= 1) {
        noGap(column);
        [filled, here] = [filled + 1, 0];
        if (filled > this.rows[row].length)
          throw this.wrong(column, `${this.row(row)} has more than ${this.rows[row].length} ${word}`);
      }
    }
    const turn = chars[at + 1];
    if (turn === undefined) throw this.wrong(end, `the side to move is missing: ${letters}`);
    const toMove = sides.findIndex((side) => side.turn === turn);
    if (toMove < 0) throw this.wrong(at + 2, `${quoted(turn)} is no side to move, write ${letters}`);
    return {
      found,
      toMove,
      rest: chars.slice(at + 2).map((c, number) => ({ column: at + 3 + number, c })),
    };
  }

  /** The error about a character that is no piece. @param {string} c */
  stranger(c) {
    const { sides, word } = this.game.description;
    const near = sides.find(({ letter }) => letter.toLowerCase() === c.toLowerCase());
    if (near) {
      const isTurn = sides.some(({ turn }) => turn === c);
      return `${withArticle(near.piece)} is written ` +
        `${near.letter}${isTurn ? `; ${c} is a side to move and comes after a space` : ""}`;
    }
    const most = Math.min(9, Math.max(1, ...this.rows.map((row) => row.length)));
    const missing = this.gaps.flat().some((gap) => gap > 0);
    const letters = sides.map(({ letter, piece }) => `${letter} (${piece})`).join(", ");
    return `${quoted(c)} is none of ${letters}, ${most === 1 ? "1" : `a digit from 1 to ${most}`} ` +
      `(empty ${word})${missing ? ", / and *" : " and /"}`;
  }

  /** @param {number} side @param {number} all @param {number[]} first */
  tooMany(side, all, first) {
    const of = this.game.description.sides[side];
    if (of.number[1] === 1 && first.length > 0) {
      return `there is a second ${of.piece}, the first is on ` +
        `${this.game.description.points[first[0]].name}`;
    }
    return `${all} ${piecesWord(of)} are too many; a position has ${numbersOf(of)}`;
  }

  /** @param {number} side @param {Position} position */
  tooFew(side, position) {
    const of = this.game.description.sides[side];
    const there = pieces(position, side).length + position.hand[side];
    if (there >= of.number[0]) return null;
    if (there > 0)
      return `a position has ${numbersOf(of)} ${piecesWord(of)} (${of.letter}), not ${there}`;
    const has = of.number[1] === 1 ? "" : `; a position has ${numbersOf(of)} ${piecesWord(of)}`;
    return `there is no ${of.piece} (${of.letter})${has}`;
  }

  /**
   * Reads the numbers after the side to move.
   * @param {{column: number, c: string}[]} rest
   * @param {Position} position
   */
  readFields(rest, position) {
    const { sides, rules } = this.game.description;
    const numbers = this.readNumbers(rest);
    /**
     * The column of the digit that makes a number more than `most`, or null.
     * @param {{column: number, digits: string}} number
     * @param {number} most
     */
    const excess = ({ column, digits }, most) => {
      const at = [...digits].findIndex((_, digit) => Number(digits.slice(0, digit + 1)) > most);
      return at < 0 ? null : column + at;
    };
    this.fields.forEach((field, which) => {
      const number = numbers[which];
      const value = number === undefined ? null : Number(number.digits);
      if (field.kind === "hand") {
        const of = sides[field.side];
        const there = pieces(position, field.side).length;
        // Without a number, nothing has been captured.
        const missing = Math.max(0, of.number[1] - there);
        position.hand[field.side] = value ?? missing;
        const column = number === undefined ? null : excess(number, Math.min(missing, of.hand));
        if (column !== null) {
          throw this.wrong(
            column,
            (value ?? 0) > missing
              ? `${number.digits} ${piecesWord(of)} in hand and ${there} on the board are more than ` +
                `${of.number[1]}`
              : `at most ${of.hand} ${piecesWord(of)} are in hand`,
          );
        }
      } else if (field.kind === "captured") {
        const captured = this.number(field, position);
        if (number !== undefined && value !== captured) {
          throw this.wrong(
            number.column,
            `with ${pieces(position, 1).length} of ${sides[1].number[1]} ${piecesWord(sides[1])} ` +
            `on the board and ${position.hand[1]} in hand, ${captured} are captured`,
          );
        }
      } else {
        const column = number === undefined ? null : excess(number, field.most);
        if (column !== null)
          throw this.wrong(column, `under ${rules} no more than ${field.most} plies are left`);
        position.left = value ?? field.most;
      }
    });
  }

  /** Numbers, each after a space. @param {{column: number, c: string}[]} rest */
  readNumbers(rest) {
    /** @type {{column: number, digits: string}[]} */
    const numbers = [];
    const name = (/** @type {number} */ which) =>
      this.fields[which] ? this.fieldName(this.fields[which]) : null;
    for (const { column, c } of rest) {
      const last = numbers.at(-1);
      if (last && isDigit(c)) last.digits += c;
      else if (last && last.digits === "")
        throw this.wrong(column, `${quoted(c)} is no digit of the ${name(numbers.length - 1)}`);
      else if ((c === " " || c === "_") && numbers.length < this.fields.length)
        numbers.push({ column: column + 1, digits: "" });
      else {
        const next = name(numbers.length);
        if (next === null)
          throw this.wrong(column, `${quoted(c)} follows where the position is complete`);
        throw this.wrong(
          column,
          numbers.length === 0
            ? `${quoted(c)} follows the side to move; only a space and the ${next} can`
            : `${quoted(c)} is neither a digit nor a space before the ${next}`,
        );
      }
    }
    const last = numbers.at(-1);
    if (last && last.digits === "")
      throw this.wrong(last.column, `the ${name(numbers.length - 1)} is missing`);
    return numbers;
  }

  /**
   * Checks that the game was not over before the last move.
   * @param {{side: number, point: number, column: number}[]} placed
   * @param {Position} position
   */
  checkOver(placed, position) {
    const { sides, points } = this.game.description;
    const mover = position.toMove;
    let first = null;
    for (const { side, point, column } of placed) {
      if (!this.game.arrivals[side].has(point)) continue;
      const { name } = points[point];
      if (side === mover)
        throw this.wrong(
          column,
          `with ${withArticle(sides[side].piece)} on ${name} the game was over, so ` +
          `${is(sides[mover])} not to move`,
        );
      if (first !== null)
        throw this.wrong(
          column,
          `a second ${sides[side].piece} on ${name}: the one on ${first} had ended the game`,
        );
      first = name;
    }
    const last = 1 - mover;
    if (pieces(position, last).length === 0 && position.hand[last] === 0) {
      throw this.wrong(
        1,
        `${the(sides[last])} ${sides[last].noun === "plural" ? "have" : "has"} no piece and cannot ` +
        `have moved last, so ${is(sides[mover])} not to move`,
      );
    }
  }

  /**
   * A position of the exchange with the board and the side to move as they are written here, or null.
   * @param {string} text
   */
  translated(text) {
    const { sides } = this.game.description;
    if (this.fields.length !== 2 || this.fields[0].side !== 1 || this.fields[1].kind !== "captured")
      return null;
    const fields = text.split(/[ _]/);
    const isExchange =
      /^c\d/.test(fields[2] ?? "") &&
      sides.map(({ letter }) => letter.toUpperCase()).join("") === EXCHANGE.letters &&
      sides.map(({ turn }) => turn).join("") === EXCHANGE.turns;
    if (!isExchange) return null;
    const point = (/** @type {string} */ c) => {
      const side = EXCHANGE.letters.indexOf(c.toUpperCase());
      return c.toUpperCase() === "X" ? "1" : side < 0 ? c : sides[side].letter;
    };
    return `${[...fields[0]].map(point).join("")} ${fields[1].toLowerCase()} ` +
      `${fields.slice(2).join(" ")}`;
  }

  /**
   * Reads what the exchange has after the side to move.
   * @param {{column: number, c: string}[]} rest
   * @param {Position} position
   */
  readExchange(rest, position) {
    const of = this.game.description.sides[1];
    const there = pieces(position, 1).length;
    /** @type {{column: number, c: string}[][]} */
    const fields = [[]];
    for (const one of rest) {
      if (one.c === " " || one.c === "_") fields.push([]);
      else fields[fields.length - 1].push(one);
    }
    const word = (/** @type {{c: string}[]} */ field) => field.map(({ c }) => c).join("");
    const [first = [], last = [], number = [], more = []] = fields.slice(1);
    const column = first[0]?.column ?? 1;
    if (!/^c\d{1,3}$/.test(word(first)) || Number(word(first).slice(1)) > 255)
      throw this.wrong(column, "a c and the number of captured pieces is expected: c0");
    const isMove = (/** @type {string} */ text) => /^m(?:[A-Za-z]\d){1,2}$/.test(text);
    const optional = (
      /** @type {{column: number, c: string}[]} */ field,
      /** @type {boolean} */ isThere,
      /** @type {(text: string) => boolean} */ isRight,
      /** @type {string} */ expected,
    ) => {
      if (isThere && word(field) !== "-" && !isRight(word(field)))
        throw this.wrong(field[0]?.column ?? column, expected);
    };
    optional(
      last,
      fields.length > 2,
      isMove,
      "the last move is expected: mC3 for a placement, mC3C4, or -",
    );
    optional(
      number,
      fields.length > 3,
      (text) => /^\d+$/.test(text),
      "the number of the move is expected, or -",
    );
    if (more.length > 0)
      throw this.wrong(more[0].column, `${quoted(more[0].c)} follows where the position is complete`);
    const captured = Number(word(first).slice(1));
    const hand = of.number[1] - there - captured;
    if (hand < 0)
      throw this.wrong(
        1,
        `${there} ${piecesWord(of)} on the board and ${captured} captured are more than ` +
        `${of.number[1]}`,
      );
    if (hand > of.hand)
      throw this.wrong(
        1,
        `${there} ${piecesWord(of)} on the board and ${captured} captured leave ${hand} in hand, ` +
        `where at most ${of.hand} are`,
      );
    position.hand[1] = hand;
  }
}
