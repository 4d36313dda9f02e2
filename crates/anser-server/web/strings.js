// Every text of the page, so that it can be translated in one place.

/**
 * @typedef {import("./api.js").Side} Side
 * @typedef {import("./api.js").Game} Game
 */

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {number} count */
export const plies = (count) => (count === 1 ? "1 ply" : `${count} plies`);

/** A time in words. @param {number} seconds */
const lasting = (seconds) => {
  if (seconds < 120) return `${Math.max(1, Math.ceil(seconds))} s`;
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`;
};

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

/** A game with its size, as a title: "Hexapawn 3 × 3". @param {Pick<Game, "game" | "title">} game */
export const gameTitle = ({ game, title }) => {
  const [name, size] = game.split(":");
  const words = title ?? capital(name.replaceAll("-", " "));
  return size ? `${words} ${text.sizeOf(game)}` : words;
};

/** Whether the number of a layer is a number of pieces of a side. @param {Game} game */
const countsPieces = ({ sides, layer_unit }) => sides.some(({ name }) => name === layer_unit);

export const text = {
  title: "Anser",
  game: "Game",
  games: "Games here:",
  rules: "Rules",
  size: "Board",
  /** @param {string} game */
  sizeOf: (game) =>
    game.split(":")[1]?.replace("x", " × ").replace(/^\d+$/, "$& × $&") ?? "standard",
  opening: "Opening",
  board: "Board",
  panel: "Answers",
  skip: "Skip to the moves",
  loading: "Loading…",
  solvingBegins: "The server solves it now.",
  solvingWaits: "It waits to be solved.",
  solvingAbout: "Share that is solved",
  /** @param {string} what */
  solvingLater: (what) => `Waiting to solve the ${what}.`,
  /** @param {string} what @param {number} progress @param {number} left */
  solvingNow: (what, progress, left) =>
    `Solving the ${what}: ${Math.floor(100 * progress)} %, about ${lasting(left)} left.`,
  offline: "The server does not answer.",
  retry: "Try again",
  explore: "Explore",
  play: "Play",
  edit: "Edit",
  eraser: "Empty",
  brush: "Piece to place",
  editAbout: "Choose a piece, then points of the board.",
  whoMoves: "To move",
  handOf: /** @param {Side} side */ ({ name }) => `${capital(name)} in hand`,
  capturedOf: /** @param {Side} side */ ({ name }) => `${capital(name)} captured`,
  pliesLeft: "Plies left",
  clear: "Clear the board",
  startOver: "Start over",
  use: "Use this position",
  puzzles: "Puzzles",
  statistics: "Statistics",
  modes: "Tabs",
  theme: "Light or dark",
  keys: "Keys",
  help: [
    ["← →", "back and forward through the moves"],
    ["arrow keys on the board", "go from point to point"],
    ["Enter", "pick a piece up, and put it down"],
    ["Esc", "let go of the piece"],
    ["f", "flip the board"],
    ["m", "mirror the board"],
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
  mirror: "Mirror the board",
  copyPosition: "Copy position",
  copyLink: "Copy link",
  copyRecord: "Copy record",
  savePicture: "Save picture",
  copied: "Copied.",
  notCopied: "The browser did not allow copying.",
  typed: "Move, position, or record",
  go: "Go",
  /** @param {string} typed */
  noMove: (typed) => `${typed} is no legal move here.`,
  noRecord: "This is no whole record of a game.",
  noRecordHere: "A record is read in the other panels, not among puzzles.",
  /** @param {string} move */
  notNow: (move) => `${move} cannot be played now.`,
  /** @param {string} move */
  wrongFirst: (move) => `The record begins with ${move}, which is no legal move.`,
  /** @param {number} ply @param {string} move */
  wrongMove: (ply, move) => `The record is shown up to move ${ply}, ${move}, which is no legal move.`,
  /** @param {Side} side */
  toMove: (side) => `${subject(side, "is", "are").replace(/ (is|are)$/, "")} to move.`,
  /** @param {Side} side @param {number | null} dtw */
  wins: (side, dtw) =>
    dtw === null
      ? `${subject(side, "wins", "win")}.`
      : `${subject(side, "wins", "win")} in ${plies(dtw)}.`,
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
  groups: {
    win: "Moves that win",
    draw: "Moves that draw",
    loss: "Moves that lose",
    unknown: "Moves of unknown value",
  },
  short: { win: "wins", draw: "draws", loss: "loses", unknown: "unknown" },
  /** @param {string} move */
  reply: (move) => `Best reply: ${move}`,
  line: "Best play",
  lineShow: "Show best play to the end",
  lineRepeats: "Then the position repeats: a draw.",
  history: "Moves played",
  start: "Start",
  slider: "Place in the moves played",
  /**
   * Layers: 1–7 geese, where they count pieces of a side.
   * @param {number | string} layers
   * @param {Game} game
   */
  layers: (layers, game) => {
    const isOne = String(layers) === "1";
    if (countsPieces(game)) return `${layers} ${isOne ? game.layer_unit_one : game.layer_unit}`;
    return `${/^\d+$/.test(String(layers)) ? "layer" : "layers"} ${layers}`;
  },
  /** @param {number} layer @param {Game} game */
  layer: (layer, game) => (countsPieces(game) ? `${text.layers(layer, game)} on the board.` : ""),
  more: "Solve the missing layers",
  moreAbout: "On the machine of this server:",
  /** @param {{name: string, hand: number}[]} hands */
  inHand: (hands) => `In hand: ${hands.map(({ name, hand }) => `${name} ${hand}`).join(", ")}.`,
  /** @param {{name: string, lost: number}[]} lost */
  captured: (lost) =>
    `Captured: ${lost.map(({ name, lost: pieces }) => `${name} ${pieces}`).join(", ")}.`,
  rulesOf: "These rules",
  /** @param {string} layers */
  known: (layers) => `Served here: ${layers}.`,
  /** @param {string} layers */
  knownOnSite: (layers) => `On this site: ${layers}.`,
  point: {
    empty: "empty",
    target: "can move here",
    movable: "can move",
    placeable: "a piece can be placed here",
    /** @param {string} name @param {string} what */
    label: (name, what) => `${name}: ${what}`,
  },
  picked: /** @param {string} point */ (point) => `Picked up ${point}. Choose where to go.`,
  letGo: "Let go.",
  notTheirs: /** @param {Side} side */ (side) =>
    `No piece of the side to move stands there: ${text.toMove(side)}`,
  stuck: "This piece has no move.",
  illegal: /** @param {string} from @param {string} to */ (from, to) =>
    `${from} to ${to} is no legal move.`,
  several: "Several captures lead there: choose one below the board.",
  round: "Or choose a capture below the board.",
  captures: "Captures to choose from",
  /** @param {string} side @param {string} move */
  played: (side, move) => `${capital(side)}: ${move}.`,
  person: "You",
  computer: "Computer",
  strength: "Strength",
  perfect: "Perfect",
  /** @type {Record<string, string>} */
  level: { expert: "Expert", skilled: "Skilled", casual: "Casual", beginner: "Beginner" },
  search: /** @param {number} plies */ (plies) => `Searches up to ${plies} plies`,
  random: "Any move at random",
  fairest: /** @param {number} p */ (p) => `Errs, p = ${p}, the fairest`,
  strengthAbout:
    "Levels err as people do: often a little, seldom by the outcome. Searches know no values.",
  fuzzAbout: "With p, a best move is drawn with weight 1, and any other with weight p.",
  resign: "Resign",
  /** @param {Side} side */
  resigned: (side) => `${subject(side, "resigns", "resign")}.`,
  hints: "Show values",
  pass: "Pass",
  takeBack: "Take back",
  newGame: "New game",
  thinking: "The computer moves.",
  lookingBack: "The computer was to move here. Play continues after the last move.",
  by: {
    outcome:
      "Outcomes are known here, and distances are not: the computer keeps the outcome, and may not " +
      "find the fastest win.",
    conversion:
      "Outcomes are known here, and distances are not: the computer keeps its win, and searches for " +
      "a way to end the game, which may take long.",
    search:
      "The values of these positions are not known here: the computer searches ahead, and can be " +
      "wrong.",
    /** @param {number} ahead @param {boolean} isChosen */
    searched: (ahead, isChosen) =>
      (isChosen ? "" : "The values of these positions are not known here: ") +
      `${isChosen ? "T" : "t"}he computer searched ${plies(ahead)} ahead, and can be wrong.`,
  },
  repetition: "Drawn: the third time in the same position.",
  /** @param {Side} side */
  repetitionWon: (side) =>
    `${subject(side, "wins", "win")} by endless play: the third time in the same position.`,
  repetitionRule:
    "A position that comes up for the third time is a draw, unless it is known to be won, or the " +
    "rules give endless play to a side.",
  noTab: /** @param {string} tab */ (tab) => `There is no tab called ${tab}.`,
  graph: "Value after each move",
  graphAbout:
    "Above the middle the first side is better, below it the second. Marked moves changed the outcome.",
  /** @param {number} ply @param {string} move @param {string} better */
  mistake: (ply, move, better) => `Move ${ply}, ${move}, changed the outcome; ${better} was better.`,
  noMistakes: "No move changed the outcome.",
  mistakes: "Mistakes",
  outcomesOf: /** @param {string} layers */ (layers) => `outcomes of ${layers}`,
  distancesOf: /** @param {string} layers */ (layers) => `distances of ${layers}`,
  solvedOf: /** @param {string} layers */ (layers) => `everything of ${layers}, solved on demand`,
  nothing: "nothing but the rules",
  puzzleKind: "Kind",
  /** @type {Record<"only" | "win" | "draw", string>} */
  puzzleKinds: { only: "Only move", win: "Win in a few plies", draw: "Hold the draw" },
  /** @param {Side} side @param {"only" | "win" | "draw"} kind @param {number | null} dtw */
  puzzle: (side, kind, dtw) =>
    `${text.toMove(side)} ${
      kind === "win"
        ? `Win in ${plies(dtw ?? 0)}.`
        : kind === "draw"
          ? "Find the only move that holds the draw."
          : "Find the only move that wins."
    }`,
  next: "Next puzzle",
  solved: "Right.",
  right: {
    only: "Right: this is the only move that wins.",
    win: "Right: won as fast as possible.",
    draw: "Right: this is the only move that draws.",
  },
  rightLate: "Right, but not at the first attempt.",
  showSolution: "Show the solution",
  /** @param {string} move */
  solution: (move) => `The solution begins with ${move}.`,
  onlySolution: /** @param {string} move */ (move) => `The solution is ${move}.`,
  goOn: "Right so far.",
  wrong: /** @param {string} move */ (move) => `${move} changes the outcome. Try again.`,
  slow: /** @param {string} move */ (move) => `${move} is not the fastest win. Try again.`,
  /** @param {number} count @param {number} best */
  streak: (count, best) => `Solved in a row: ${count}. Longest series: ${best}.`,
  notHere: "The puzzle is another position of these moves.",
  notAPuzzle: "This position is no puzzle of this kind. Take the next puzzle.",
  noPuzzle: "No puzzle of this kind was found here. Try another kind, or another game.",
  share: "Share of positions by outcome",
  positions: "Positions",
  positionsHead: "All of them",
  reachable: "in play from the start",
  all: "all positions",
  longest: "Longest win",
  longestPlies: "Longest win, plies",
  /** @param {number} most @param {string} winner */
  longestOf: (most, winner) => `${most}, ${winner}`,
  winner: "Winner",
  draw: "draw",
  histogram: "Distances",
  histogramOf: "Show",
  histogramAbout: "Positions by plies to the win, on a logarithmic scale.",
  /** @param {Side} side @param {string} count @param {number} most */
  winsUpTo: (side, count, most) =>
    `${subject(side, "wins", "win")} ${count} positions, in at most ${plies(most)}.`,
  /** @param {Side} side @param {string} count */
  winsEndlessly: (side, count) =>
    `${subject(side, "wins", "win")} ${count} positions by endless play.`,
  /** @param {Side} side */
  winsNone: (side) => `${subject(side, "wins", "win")} no position.`,
  /** @param {string} count */
  drawnOnes: (count) => `Draws: ${count}.`,
  asTable: "The same as a table",
  noDistances: "Distances of these positions are not known here.",
  records: "Longest wins",
  noRecords: "The longest wins of these rules are not known here.",
  keptRecords:
    "From a full run whose results are kept. The positions can be opened; their tables may not be " +
    "here.",
  keptValue: "From a full run whose results are kept; its tables are not here.",
  /** @param {number[]} layers @param {Game} game */
  keptLayers: (layers, game) =>
    "From a full run whose results are kept: " +
    `${text.layers(`${layers[0]}–${layers[layers.length - 1]}`, game)}.`,
  noStats: "The positions of these rules are not counted here.",
  /** Where and when a game was played, and the source of its rules. @param {Game} game */
  origin: ({ region, date, source }) => {
    const parts = [[region, date].filter(Boolean).join(", "), source];
    return parts.filter(Boolean).map((part) => `${part}.`).join(" ");
  },
  api: "API",
  apiAbout: "HTTP API for programs",
};
