// The field for moves, positions, and records.

import * as api from "./api.js";
import { h } from "./dom.js";
import { problemNote, wordsOf } from "./errors.js";
import { follow, readRecord } from "./record.js";
import { text } from "./strings.js";

/**
 * @typedef {import("./main.js").App} App
 * @typedef {import("./api.js").Game} Game
 */

/** The field in which moves and positions are typed. @param {App} app */
export function entry(app) {
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
        take(app, /** @type {HTMLInputElement} */ (input).value.trim());
      },
    },
    h("label", { for: "typed" }, text.typed),
    input,
    h("button", { type: "submit" }, text.go),
  );
}

/**
 * Takes what was typed or pasted: a move, a position, or a record.
 * @param {App} app
 * @param {string} words
 */
async function take(app, words) {
  for (const note of app.body.querySelectorAll("form ~ .problem")) note.remove();
  app.say("");
  const record = readRecord(words, app.game);
  const alone = record?.position === null && record.moves.length === 1 ? record.moves[0] : words;
  const move = app.probe?.moves.find((other) => other.move === alone);
  if (move && app.board.free) {
    app.chosen(move);
  } else if (move) {
    tell(app, text.notNow(alone));
  } else if (record && app.mode !== "puzzles") {
    const { position, moves } = record;
    if (position === null) return playOn(app, moves);
    try {
      const game = await app.whole(record.game ?? app.game.game);
      const rules = record.rules ?? (game.game === app.game.game ? app.rules : game.default_rules);
      await showRecord(app, game, rules, position, moves);
    } catch (error) {
      tell(app, wordsOf(error));
    }
  } else if (words.startsWith("{")) {
    tell(app, app.mode === "puzzles" ? text.noRecordHere : text.noRecord);
  } else if (words.includes("/")) {
    await openTyped(app, words);
  } else if (words !== "") {
    tell(app, text.noMove(words));
  }
}

/**
 * Opens a position that was typed, unless there is none like it.
 * @param {App} app
 * @param {string} position
 */
async function openTyped(app, position) {
  const { game, rules } = app;
  try {
    const found = await api.probe(game.game, rules, position);
    // Another game may have been opened meanwhile.
    if (app.game !== game || app.rules !== rules) return;
    if (app.mode === "puzzles") app.puzzles.take(found.position, null);
    await app.open(game, rules, position);
  } catch (error) {
    const form = app.body.querySelector("form");
    form?.after(problemNote(error, () => take(app, position)));
  }
}

/** Plays moves from the position that is shown. @param {App} app @param {string[]} moves */
async function playOn(app, moves) {
  const first = app.probe?.moves.find(({ move }) => move === moves[0]);
  if (!first) {
    tell(app, text.noMove(moves[0]));
    return;
  }
  try {
    const { position, at } = app;
    const { played, wrong } = await follow(app.game, app.rules, position, moves);
    // Another position may have been opened meanwhile.
    if (app.position !== position) return;
    app.play.stop();
    app.played = [...app.played.slice(0, at), ...played];
    app.at = app.played.length;
    app.note(true);
    await app.show();
    if (wrong !== null) tell(app, text.wrongMove(wrong + 1, moves[wrong]));
  } catch (error) {
    tell(app, wordsOf(error));
  }
}

/**
 * Shows the moves of a record, from its end or from another place in it.
 * @param {App} app
 * @param {Game} game
 * @param {string} rules
 * @param {string} position
 * @param {string[]} moves
 * @param {number} at
 */
export async function showRecord(app, game, rules, position, moves, at = moves.length) {
  try {
    const { start, played, wrong } = await follow(game, rules, position, moves);
    // The moves played so far stay if nothing of the record can be shown.
    if (wrong === 0) {
      tell(app, text.wrongFirst(moves[0]));
      return;
    }
    await app.open(game, rules, start);
    app.played = played;
    app.at = Math.min(at, played.length);
    app.note(false);
    await app.show();
    if (wrong !== null) tell(app, text.wrongMove(wrong + 1, moves[wrong]));
  } catch (error) {
    tell(app, wordsOf(error));
  }
}

/**
 * Says what is wrong with what was typed, also below the field.
 * @param {App} app
 * @param {string} words
 */
function tell(app, words) {
  app.say(words);
  app.body.querySelector("form")?.after(h("p", { class: "problem" }, words));
}
