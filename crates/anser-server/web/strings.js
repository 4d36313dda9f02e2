// Every text of the page, so that it can be translated in one place.

/**
 * @typedef {import("./api.js").Side} Side
 */

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {number} count */
export const plies = (count) => (count === 1 ? "1 ply" : `${count} plies`);

/**
 * A side as the subject of a sentence with its verb: "Geese win", "The fox wins".
 * @param {Side} side
 * @param {string} singular
 * @param {string} plural
 */
export const subject = (side, singular, plural) => {
  if (side.noun === "plural") return `The ${side.name} ${plural}`;
  return side.noun === "name" ? `${capital(side.name)} ${singular}` : `The ${side.name} ${singular}`;
};

export const text = {
  title: "Anser",
  game: "Game",
  rules: "Rules",
  opening: "Opening",
  board: "Board",
  panel: "Answers",
  skip: "Skip to the moves",
  loading: "Asking…",
  solving: "Solving this game, a moment…",
  offline: "The server does not answer.",
  retry: "Try again",
  explore: "Explore",
  play: "Play",
  edit: "Edit",
  eraser: "Empty",
  brush: "What to put down",
  editAbout: "Choose a piece, then points of the board.",
  whoMoves: "To move",
  clear: "Clear the board",
  use: "Use this position",
  puzzles: "Puzzles",
  statistics: "Statistics",
  modes: "What to do",
  theme: "Light or dark",
  keys: "Keys",
  help: [
    ["← →", "back and forward through the moves"],
    ["arrow keys on the board", "go from point to point"],
    ["Enter", "pick a piece up, and put it down"],
    ["Esc", "let go of the piece"],
    ["f", "flip the board"],
    ["u", "take a move back"],
    ["h", "show or hide the values while you play"],
    ["?", "show these keys"],
  ],
  close: "Close",
  first: "To the start",
  back: "Back one move",
  forward: "Forward one move",
  last: "To the end",
  flip: "Flip the board",
  copyPosition: "Copy position",
  copyLink: "Copy link",
  copied: "Copied.",
  notCopied: "The browser did not allow copying.",
  typed: "Move or position",
  go: "Go",
  /** @param {string} typed */
  noMove: (typed) => `${typed} is no legal move here.`,
  /** @param {Side} side */
  toMove: (side) => `${subject(side, "is", "are").replace(/ (is|are)$/, "")} to move.`,
  /** @param {Side} side @param {number | null} dtw */
  wins: (side, dtw) =>
    dtw === null ? `${subject(side, "wins", "win")}.` : `${subject(side, "wins", "win")} in ${plies(dtw)}.`,
  /** @param {Side} side */
  won: (side) => `${subject(side, "has won", "have won")}.`,
  drawn: "Drawn with best play.",
  overDrawn: "The game is over: a draw.",
  unknown: "The value of this position is not known here.",
  /** @param {string} how */
  over: (how) => `The game is over: ${how}.`,
  moves: "Moves",
  move: "Move",
  result: "Result",
  pliesHead: "Plies",
  noMoves: "There are no moves.",
  groups: { win: "Moves that win", draw: "Moves that draw", loss: "Moves that lose", unknown: "Moves of unknown value" },
  short: { win: "wins", draw: "draws", loss: "loses", unknown: "unknown" },
  /** @param {string} move */
  reply: (move) => `Best reply: ${move}`,
  noReply: "No reply: the game is over.",
  line: "Best play",
  lineShow: "Show best play to the end",
  lineRepeats: "Then the position repeats: a draw.",
  history: "Moves played",
  start: "Start",
  rulesOf: "These rules",
  /** @param {string} layers */
  known: (layers) => `Known here: ${layers}.`,
  point: {
    empty: "empty",
    target: "can move here",
    movable: "can move",
    /** @param {string} name @param {string} what */
    label: (name, what) => `${name}: ${what}`,
  },
  picked: /** @param {string} point */ (point) => `Picked up ${point}. Choose where to go.`,
  letGo: "Let go.",
  notTheirs: /** @param {Side} side */ (side) => `No piece of the side to move stands there: ${text.toMove(side)}`,
  ends: /** @param {string} move */ (move) => `${move} ends the game, and no position follows it.`,
  stuck: "This piece has no move.",
  illegal: /** @param {string} from @param {string} to */ (from, to) => `${from} to ${to} is no legal move.`,
  several: "Several captures lead there: choose one in the list.",
  /** @param {string} side @param {string} move */
  played: (side, move) => `${capital(side)}: ${move}.`,
  person: "You",
  computer: "Computer",
  strength: "Strength",
  perfect: "Perfect",
  errs: /** @param {number} percent */ (percent) => `Errs in ${percent} of 100 moves`,
  hints: "Show values",
  takeBack: "Take back",
  newGame: "New game",
  thinking: "The computer moves.",
  blind: "The computer does not know these values, and plays at random.",
  graph: "Value after each move",
  graphAbout: "Above the middle the first side is better, below it the second. Marked moves gave something away.",
  /** @param {number} ply @param {string} move @param {string} better */
  mistake: (ply, move, better) => `Move ${ply}, ${move}, gave the outcome away; ${better} was better.`,
  noMistakes: "Nobody gave the outcome away.",
  mistakes: "Mistakes",
  outcomesOf: /** @param {string} layers */ (layers) => `outcomes of ${layers}`,
  distancesOf: /** @param {string} layers */ (layers) => `distances of ${layers}`,
  solvedOf: /** @param {string} layers */ (layers) => `everything of ${layers}, solved on demand`,
  nothing: "nothing but the rules",
  puzzle: /** @param {Side} side @param {string} what */ (side, what) => `${text.toMove(side)} Find the only move that ${what}.`,
  keepsWin: "wins",
  keepsDraw: "draws",
  next: "Next puzzle",
  right: "Right: this is the only move.",
  wrong: /** @param {string} move */ (move) => `${move} gives it away. Try again.`,
  streak: /** @param {number} count */ (count) => `Solved in a row: ${count}`,
  noPuzzle: "No puzzle was found here. Try again, or another game.",
  share: "Share of positions by outcome",
  layer: "Layer",
  positions: "Positions",
  longest: "Longest win",
  draw: "draw",
  noStats: "There are no tables of this game here: it is solved in memory.",
  api: "API",
  apiAbout: "The same answers for programs",
};
