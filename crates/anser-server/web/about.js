// The game and the position beside the moves: rules in words, openings, copies, a picture.

import { choice, h } from "./dom.js";
import { served } from "./games.js";
import { inPath } from "./places.js";
import { text } from "./strings.js";

/**
 * @typedef {import("./main.js").App} App
 */

/** What can be done with the position: copies, a picture, another opening. @param {App} app */
export function about(app) {
  return h("div", { class: "panel" },
    h("div", { class: "bar" },
      copies(app, text.copyPosition, () => app.position),
      copies(app, text.copyLink, () => location.href),
      h("button", { type: "button", onclick: () => savePicture(app) }, text.savePicture)),
    openings(app));
}

/** A choice of the game's openings, if it has several. @param {App} app */
export function openings(app) {
  const { openings } = app.game;
  if (openings.length < 2) return null;
  const options = openings.map(({ opening: name, about }) => ({
    value: name,
    text: `${name}: ${about}`,
  }));
  const here = openings.find(({ position }) => position === app.start)?.opening ?? "";
  return choice(text.opening, "opening", [{ value: "", text: "–" }, ...options], here, (name) => {
    const found = openings.find((other) => other.opening === name);
    if (found) app.open(app.game, app.rules, found.position);
  });
}

/** The rules in words, which stay open while positions of the game are shown. @param {App} app */
export function rulesInWords(app) {
  const { game, set } = app;
  const parts = [`${game.about}.`, set?.meaning ?? ""];
  const notes = [text.origin(game), set ? served(app, set) : ""];
  const [summary] = app.rulesShown.children;
  app.rulesShown.replaceChildren(
    summary,
    ...parts.map((words) => h("p", {}, words)),
    ...notes.filter(Boolean).map((words) => h("p", { class: "note" }, words)),
  );
  return app.rulesShown;
}

/**
 * A button that copies what `words` returns, and shows the result for two seconds: the line of status
 * may be far away.
 * @param {App} app
 * @param {string} label
 * @param {() => string} words
 */
export function copies(app, label, words) {
  let shown = 0;
  const button = h("button", { type: "button", onclick: async () => {
    const copied = words();
    let said = text.copied;
    try {
      await navigator.clipboard.writeText(copied);
    } catch {
      // Only pages over HTTPS, and those of this machine, may use the clipboard directly.
      if (!copySelected(copied)) said = text.notCopied;
    }
    app.say(said);
    button.textContent = said;
    clearTimeout(shown);
    shown = setTimeout(() => (button.textContent = label), 2000);
  } }, label);
  return button;
}

/** Copies words by selecting them. Returns whether that was possible. @param {string} words */
function copySelected(words) {
  const before = /** @type {HTMLElement | null} */ (document.activeElement);
  const field = /** @type {HTMLTextAreaElement} */ (h("textarea", { class: "away", readonly: true }, words));
  document.body.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  before?.focus({ preventScroll: true });
  return copied;
}

/** Offers the board as a picture to be saved. @param {App} app */
function savePicture(app) {
  const address = URL.createObjectURL(new Blob([app.board.picture()], { type: "image/svg+xml" }));
  const link = h("a", { href: address, download: `${inPath(app.position)}.svg` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
