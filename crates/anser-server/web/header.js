// The top of the page: the choices of game, size, and rules.

import * as api from "./api.js";
import { choice, h, renew } from "./dom.js";
import { opening } from "./games.js";
import { help } from "./keys.js";
import { gameTitle, text } from "./strings.js";

/**
 * @typedef {import("./main.js").App} App
 */

/** Draws the choices of the game and its rules. @param {App} app */
export function header(app) {
  const top = /** @type {HTMLElement} */ (document.getElementById("top"));
  const sets = app.game.sets.map(({ rules, meaning }) => ({
    value: rules,
    text: rules,
    title: meaning,
  }));
  if (!app.set) sets.push({ value: app.rules, text: app.rules, title: "" });
  // A game of another size than the listed one stands for it.
  const family = (/** @type {string} */ name) => name.split(":")[0];
  const isListed = app.games.some(({ game }) => game === app.game.game);
  const names = app.games.map((other) =>
    !isListed && family(other.game) === family(app.game.game) ? app.game : other,
  );
  const listed = names.map((other) => ({ value: other.game, text: gameTitle(other) }));
  const boards = [...new Set([...app.game.boards, app.game.game])];
  renew(
    top,
    h(
      "a",
      {
        class: "away skip",
        href: "#moves",
        onclick: (/** @type {Event} */ event) => {
          // The address of a site is in use.
          if (!api.isSite) return;
          event.preventDefault();
          const moves = /** @type {HTMLElement | null} */ (
            document.querySelector("#moves button, #moves")
          );
          moves?.focus();
        },
      },
      text.skip,
    ),
    h("h1", {}, text.title),
    choice(
      text.game,
      "game",
      listed.sort((a, b) => a.text.localeCompare(b.text)),
      app.game.game,
      (name) => app.choose(name),
    ),
    boards.length < 2
      ? ""
      : choice(
          text.size,
          "size",
          boards.map((name) => ({ value: name, text: text.sizeOf(name) })),
          app.game.game,
          (name) => app.choose(name, app.rules),
        ),
    choice(text.rules, "rules", sets, app.rules, (rules) =>
      app.open(app.game, rules, opening(app.game, rules)),
    ),
    h("span", { class: "space" }),
    api.isSite ? "" : h("a", { href: "/api", title: text.apiAbout }, text.api),
    h("button", { class: "plain", type: "button", onclick: () => help() }, text.keys),
    h("button", { class: "plain", type: "button", onclick: () => changeTheme() }, text.theme),
  );
}

/** Changes between light and dark. theme.js reads the choice. */
function changeTheme() {
  const wanted = localStorage.getItem("theme");
  const isDark = wanted ? wanted === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const other = isDark ? "light" : "dark";
  localStorage.setItem("theme", other);
  document.documentElement.dataset.theme = other;
}
