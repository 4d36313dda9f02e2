// Keys of the keyboard.

import { h } from "./dom.js";
import { text } from "./strings.js";

/**
 * @typedef {import("./main.js").App} App
 */

/**
 * Does what a key stands for, unless it is typed into a field.
 * @param {App} app
 * @param {KeyboardEvent} event
 */
export function press(app, event) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)
  )
    return;
  if (document.querySelector("dialog[open]")) return;
  const acts = /** @type {Record<string, () => void>} */ ({
    ArrowLeft: () => app.go(app.at - 1),
    ArrowRight: () => app.go(app.at + 1),
    f: () => app.board.flip(),
    m: () => app.board.mirror(),
    u: () => app.takeBack(),
    h: () => app.play.toggleHints(),
    "?": () => help(),
    Escape: () => app.board.letGo(),
  });
  const act = acts[event.key];
  // A position that is being set up stays.
  if (!act || (app.mode === "edit" && ["ArrowLeft", "ArrowRight", "u"].includes(event.key))) return;
  event.preventDefault();
  act();
}

/** Lists the keys. */
export function help() {
  const dialog = /** @type {HTMLDialogElement} */ (
    h("dialog", { "aria-labelledby": "keys" },
      h("h2", { id: "keys" }, text.keys),
      h("dl", {}, ...text.help.flatMap(([key, about]) => [h("dt", {}, key), h("dd", {}, about)])),
      h("button", { type: "button", onclick: () => dialog.close() }, text.close)));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
