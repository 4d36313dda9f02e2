// Missing layers, and the progress of solving them.

import * as api from "./api.js";
import { h } from "./dom.js";
import { problemNote } from "./errors.js";
import { served } from "./games.js";
import { capital, text } from "./strings.js";

/**
 * @typedef {import("./main.js").App} App
 * @typedef {import("./api.js").Probe} Probe
 */

/**
 * Missing layers, known layers, and the command that solves more.
 * @param {App} app
 * @param {Probe} probe
 */
export function missing(app, probe) {
  const { unknown } = probe;
  if (unknown.length === 0) return [];
  const { game, rules } = app;
  const highest = Math.max(...unknown.map(({ layer }) => layer));
  const solve = `anser solve ${game.game} --rules ${rules} --layers ` +
    `${game.first_layer}-${highest} --metric wdl,dtw --tables tables`;
  return [
    ...unknown.map(({ reason }) => h("p", { class: "note" }, `${capital(reason)}.`)),
    progress(app, probe),
    app.set ? h("p", { class: "note" }, served(app, app.set)) : null,
    api.isSite
      ? null
      : h(
          "details",
          { class: "note" },
          h("summary", {}, text.more),
          h("p", {}, text.moreAbout),
          h("pre", { tabindex: 0 }, `${solve}\nanser serve --tables tables`),
        ),
  ];
}

/**
 * Progress of solving the missing layer, or the reason why it is not solved.
 * @param {App} app
 * @param {Probe} probe
 */
function progress(app, { solving }) {
  if (!solving) return h("div", { class: "solving" });
  const { layer, metric, state, progress, seconds_left: left } = solving;
  const layers = text.layers(layer, app.game);
  const what = metric === "wdl" ? text.outcomesOf(layers) : text.distancesOf(layers);
  if (isPending(solving)) {
    return h(
      "div",
      { class: "solving note" },
      h(
        "p",
        {},
        progress === null ? text.solvingLater(what) : text.solvingNow(what, progress, left ?? 0),
      ),
      progress === null
        ? null
        : h("progress", { max: 1, value: progress, "aria-label": text.solvingAbout }),
    );
  }
  return h("div", { class: "solving note" },
    h("p", {}, refusalOf(solving)),
    state === "failed"
      ? h("button", { type: "button", onclick: () => askAgain(app) }, text.retry)
      : null,
  );
}

/** Asks again later while the server solves what is unknown. @param {App} app @param {Probe} probe */
export function watch(app, { solving }) {
  clearTimeout(app.watching);
  if (!solving || !isPending(solving)) return;
  const seconds = Math.min(10, Math.max(1, (solving.seconds_left ?? 4) / 4));
  app.watching = setTimeout(() => askAgain(app), 1000 * seconds);
}

/** Asks again for the position that is shown, and draws what has become known. @param {App} app */
async function askAgain(app) {
  const { asking, found: before } = app;
  if (!asking || asking.signal.aborted || before === null || app.mode !== "explore") return;
  if (document.hidden) {
    document.addEventListener("visibilitychange", () => askAgain(app), { once: true });
    return;
  }
  try {
    const found = await api.probe(app.game.game, app.rules, app.position, asking.signal, true);
    if (asking.signal.aborted || app.found !== before || app.mode !== "explore") return;
    const values = (/** @type {Probe} */ probe) =>
      JSON.stringify([probe.outcome, probe.dtw, probe.moves, probe.unknown]);
    if (values(found) === values(before)) {
      const words = solvingWords(found);
      if (words !== solvingWords(before)) app.say(app.status.firstChild?.textContent ?? "", words);
      app.found = found;
      if (app.probe) app.probe.solving = found.solving;
      app.body.querySelector(".solving")?.replaceWith(progress(app, found));
      watch(app, found);
      return;
    }
    const { sets } = (await api.games(app.game.game, true))[0];
    if (asking.signal.aborted || app.found !== before) return;
    for (const game of [app.game, ...app.games]) if (game.game === app.game.game) game.sets = sets;
    // The button of the same move stays chosen.
    const chosen = document.activeElement?.closest("#moves button")?.lastChild?.textContent;
    await app.present(found);
    const buttons = /** @type {NodeListOf<HTMLElement>} */ (
      app.body.querySelectorAll("#moves button")
    );
    for (const button of buttons)
      if (chosen && button.lastChild?.textContent === chosen) button.focus();
  } catch (error) {
    if (asking.signal.aborted) return;
    const place = app.body.querySelector(".solving");
    place?.replaceWith(h("div", { class: "solving" }, problemNote(error, () => askAgain(app))));
  }
}

/** What becomes of values that are unknown, in a few words. @param {Probe} probe */
export const solvingWords = ({ solving }) => {
  if (!solving) return "";
  if (solving.state === "running") return text.solvingBegins;
  return solving.state === "queued" ? text.solvingWaits : refusalOf(solving);
};

/** Why a layer is not solved, as a sentence. @param {import("./api.js").Solving} solving */
const refusalOf = ({ reason }) => `${capital(reason ?? text.offline)}.`;

/** Whether values come without another request. @param {import("./api.js").Solving} solving */
const isPending = ({ state }) => state === "running" || state === "queued";
