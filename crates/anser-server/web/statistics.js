// Whole layers: shares of outcomes, histograms of distances, and the longest wins.

import * as api from "./api.js";
import { choice, h, s } from "./dom.js";
import { problemNote } from "./errors.js";
import { capital, plies, text } from "./strings.js";

/**
 * @typedef {import("./main.js").App} App
 * @typedef {import("./api.js").Side} Side
 * @typedef {{name: string, layer: number | null, pieces: string, counts: number[],
 *   depths: Record<string, number>[] | null, longest: {plies: number, winner: string} | null}} Part
 */

/** @param {number} number */
const count = (number) => number.toLocaleString("en");

/** Whether the server answers a question about whole layers. @param {App} app @param {string} name */
const answers = (app, name) => app.set?.whole.includes(name) ?? true;

/**
 * The counts of all positions that belong together, both sides to move.
 * @param {App} app
 * @param {string} name
 * @param {any} of
 * @param {number | null} layer
 * @returns {Part}
 */
function part(app, name, of, layer) {
  const { sides } = app.game;
  const outcomes = [sides[0].name, "draw", sides[1].name];
  /** @type {any[]} */
  const both = Object.values(of.to_move);
  const counts = outcomes.map((outcome) =>
    both.reduce((sum, side) => sum + (side.outcomes ?? side)[outcome], 0),
  );
  /** @type {Record<string, number>[] | null} */
  let depths = null;
  if (both.every((side) => side.depths)) {
    depths = sides.map(({ name: winner }) => {
      /** @type {Record<string, number>} */
      const sum = {};
      for (const side of both) {
        for (const [distance, positions] of Object.entries(side.depths[winner]))
          sum[distance] = (sum[distance] ?? 0) + Number(positions);
      }
      return sum;
    });
  }
  /** @type {[string, number][]} */
  const all = depths
    ? depths.flatMap((sum, winner) =>
        Object.keys(sum).map(
          (distance) => /** @type {[string, number]} */ ([sides[winner].name, Number(distance)]),
        ),
      )
    : Object.values(of.longest ?? {}).flatMap((/** @type {any} */ wins) =>
        Object.entries(wins).map(
          ([winner, distance]) => /** @type {[string, number]} */ ([winner, Number(distance)]),
        ),
      );
  const longest = all.reduce(
    (most, [winner, distance]) =>
      most === null || distance > most.plies ? { winner, plies: distance } : most,
    /** @type {Part["longest"]} */ (null),
  );
  return { name, layer, pieces: of.pieces ?? "", counts, depths, longest };
}

/** Statistics by layer, or of a small game as a whole. @param {App} app @returns {Promise<Node[]>} */
export async function statisticsPanel(app) {
  const [game, rules] = [app.game.game, app.rules];
  try {
    /** @type {Part[]} */
    let parts = [];
    /** @type {number[]} */
    let kept = [];
    let head = capital(app.game.layer_unit);
    const ofLayer = (/** @type {any} */ layer) => part(app, String(layer.layer), layer, layer.layer);
    if (answers(app, "census")) {
      const census = await api.census(game, rules);
      kept = census.kept;
      if (census.layers) {
        parts = census.layers.map(ofLayer);
      } else {
        head = text.positionsHead;
        parts = [part(app, text.reachable, census.reachable, null)];
        if (census.all) parts.push(part(app, text.all, census.all, null));
      }
    } else if (answers(app, "stats") || app.found?.solving) {
      const stats = await api.stats(game, rules, app.asking?.signal ?? null);
      kept = stats.kept;
      parts = stats.layers.map(ofLayer);
    }
    if (parts.length === 0) return [h("p", {}, text.noStats)];
    return [
      ...(kept.length > 0 ? [h("p", { class: "note" }, text.keptLayers(kept, app.game))] : []),
      ...histogramOf(app, parts),
      ...shares(app, parts, head),
    ];
  } catch (error) {
    if (!(error instanceof api.Problem) || error.status !== 404)
      return [problemNote(error, () => app.show())];
    return [h("p", {}, text.noStats), ...reasons(error)];
  }
}

/** Why there is no answer, and what to do next. @param {import("./api.js").Problem} problem */
export const reasons = ({ message, hint }) =>
  [message, hint ?? ""].filter(Boolean).map((words) => h("p", { class: "note" }, `${capital(words)}.`));

/** The meaning of the colors. @param {App} app @param {boolean} withDraw */
function legend(app, withDraw) {
  const [first, second] = app.game.sides;
  return h("p", { class: "note" },
    h("span", { class: "tone first" }, `■ ${capital(first.name)}`),
    withDraw ? h("span", { class: "tone" }, ` ■ ${capital(text.draw)}`) : null,
    h("span", { class: "tone second" }, ` ■ ${capital(second.name)}`));
}

/** The shares of outcomes, a row each. @param {App} app @param {Part[]} parts @param {string} head */
function shares(app, parts, head) {
  const { sides } = app.game;
  const outcomes = [sides[0].name, text.draw, sides[1].name];
  const rows = parts.map(({ name, pieces, counts, longest }) => {
    const all = counts.reduce((sum, number) => sum + number, 0) || 1;
    let left = 0;
    const bars = counts.map((number, at) => {
      const width = (number / all) * 100;
      const bar = s("rect", {
        class: ["part-first", "part-draw", "part-second"][at],
        x: left,
        y: 0,
        width,
        height: 10,
      });
      left += width;
      return bar;
    });
    const words = counts
      .map((number, at) => `${outcomes[at]} ${((number / all) * 100).toFixed(1)} %`)
      .join(", ");
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, name, pieces ? h("span", { class: "note" }, ` ${pieces}`) : null),
      h("td", { class: "number" }, count(all)),
      h(
        "td",
        {},
        s(
          "svg",
          { viewBox: "0 0 100 10", preserveAspectRatio: "none", role: "img", "aria-label": words },
          s("title", {}, words),
          ...bars,
        ),
      ),
      h(
        "td",
        { class: "number" },
        longest === null ? "–" : text.longestOf(longest.plies, longest.winner),
      ),
    );
  });
  return [
    h("h2", {}, text.share),
    legend(app, true),
    h("div", { class: "wide" }, h("table", { class: "shares" },
      h("thead", {}, h("tr", {},
        h("th", { scope: "col" }, head),
        h("th", { scope: "col", class: "number" }, text.positions),
        h("th", { scope: "col" }, text.share),
        h("th", { scope: "col", class: "number" }, text.longestPlies))),
      h("tbody", {}, ...rows))),
  ];
}

/** The histogram of one part, with a choice of the part. @param {App} app @param {Part[]} parts */
function histogramOf(app, parts) {
  const known = parts.filter(
    ({ depths }) => depths !== null && depths.some((sum) => Object.keys(sum).length > 0),
  );
  if (known.length === 0) return [h("p", { class: "note" }, text.noDistances)];
  const out = h("div", { class: "panel" });
  const draw = (/** @type {string} */ name) => {
    const chosen = known.find((other) => other.name === name) ?? known[0];
    out.replaceChildren(...histogram(app, chosen));
  };
  const here =
    known.find(({ layer }) => layer !== null && layer === app.probe?.layer) ?? known[known.length - 1];
  draw(here.name);
  const options = known.map(({ name, layer, pieces }) => ({
    value: name,
    text: layer === null ? name : `${text.layers(name, app.game)}${pieces && `: ${pieces}`}`,
  }));
  return [
    h("h2", {}, text.histogram),
    h("div", { class: "settings" }, choice(text.histogramOf, "histogram", options, here.name, draw)),
    out,
  ];
}

/**
 * Positions by plies to the win, on a logarithmic scale: the first side upward, the second downward.
 * @param {App} app
 * @param {Part} of
 */
function histogram(app, { name, counts, depths }) {
  const { sides } = app.game;
  const [first, second] = depths ?? [{}, {}];
  const longest = Math.max(1, ...Object.keys(first).map(Number), ...Object.keys(second).map(Number));
  const most = Math.max(1, ...Object.values(first), ...Object.values(second));
  const [width, half] = [360, 84];
  const step = width / (longest + 1);
  // A single position is seen too.
  const tall = (/** @type {number} */ number) =>
    ((Math.log10(number) + 0.35) / (Math.log10(most) + 0.35)) * (half - 4);
  const bars = (
    /** @type {Record<string, number>} */ sum,
    /** @type {string} */ kind,
    /** @type {number} */ sign,
  ) =>
    Object.entries(sum).map(([distance, number]) => {
      const high = tall(number);
      return s(
        "rect",
        {
          class: kind,
          x: Number(distance) * step,
          y: sign > 0 ? half - high : half,
          width: Math.max(step * 0.86, 0.8),
          height: high,
        },
        s("title", {}, `${plies(Number(distance))}: ${count(number)}`),
      );
    });
  const every = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((size) => longest / size <= 8) ?? 1000;
  const ticks = [];
  for (let at = 0; at <= longest; at += every)
    ticks.push(s("text", { x: (at + 0.5) * step, y: 2 * half + 16 }, String(at)));
  const words = sides.map((side, number) => {
    const sum = [first, second][number];
    const distances = Object.keys(sum).map(Number);
    const ended = Object.values(sum).reduce((a, b) => a + b, 0);
    const endless = counts[2 * number] - ended;
    const parts = [];
    if (ended > 0) parts.push(text.winsUpTo(side, count(ended), Math.max(...distances)));
    if (endless > 0) parts.push(text.winsEndlessly(side, count(endless)));
    return parts.join(" ") || text.winsNone(side);
  });
  const table = Array.from({ length: longest + 1 }, (_, distance) => distance).filter(
    (distance) => first[distance] || second[distance],
  );
  return [
    legend(app, false),
    s(
      "svg",
      {
        class: "histogram",
        viewBox: `-6 0 ${width + 12} ${2 * half + 22}`,
        role: "img",
        "aria-label": `${text.histogram}, ${name}. ${words.join(" ")}`,
      },
      ...bars(first, "part-first", 1),
      ...bars(second, "part-second", -1),
      s("line", { class: "axis", x1: 0, y1: half, x2: width, y2: half }),
      ...ticks,
    ),
    h(
      "p",
      { class: "note" },
      `${text.histogramAbout} ${words.join(" ")} ${text.drawnOnes(count(counts[1]))}`,
    ),
    h(
      "details",
      {},
      h("summary", {}, text.asTable),
      h(
        "table",
        { class: "shares" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col", class: "number" }, text.pliesHead),
            ...sides.map((side) => h("th", { scope: "col", class: "number" }, capital(side.name))),
          ),
        ),
        h(
          "tbody",
          {},
          ...table.map((distance) =>
            h(
              "tr",
              {},
              h("th", { scope: "row", class: "number" }, String(distance)),
              ...[first, second].map((sum) => h("td", { class: "number" }, count(sum[distance] ?? 0))),
            ),
          ),
        ),
      ),
    ),
  ];
}

/** The longest wins, each a link to its position. @param {App} app @returns {Promise<Node[]>} */
export async function recordsPanel(app) {
  if (!answers(app, "hardest")) return [h("p", {}, text.noRecords)];
  try {
    const found = await api.hardest(app.game.game, app.rules);
    /** @type {{layer: number | null, win: any}[]} */
    const wins = (found.layers ?? []).flatMap((/** @type {any} */ layer) =>
      app.game.sides.flatMap((winner) => {
        const all = Object.values(layer.to_move)
          .flat()
          .filter((/** @type {any} */ win) => win.outcome === winner.name);
        all.sort((/** @type {any} */ a, /** @type {any} */ b) => b.dtw - a.dtw);
        return all.slice(0, 1).map((win) => ({ layer: layer.layer, win }));
      }),
    );
    if (wins.length === 0)
      wins.push(...found.longest.map((/** @type {any} */ win) => ({ layer: null, win })));
    const link = (/** @type {any} */ { position, outcome, dtw }, /** @type {string} */ words) => {
      if (found.kept.length > 0) app.remember(position, { outcome, dtw, line: [] });
      const side = app.game.sides.find((other) => other.name === outcome);
      return h("a", {
        href: app.href(position), "aria-label": side ? `${text.wins(side, dtw)} ${position}` : null,
        onclick: (/** @type {MouseEvent} */ event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          app.use(position);
        },
      }, words);
    };
    const tone = (/** @type {string} */ outcome) =>
      `tone ${outcome === app.game.sides[0].name ? "first" : "second"}`;
    return [
      h("h2", {}, text.records),
      ...(found.kept.length > 0 ? [h("p", { class: "note" }, text.keptRecords)] : []),
      ...found.longest.flatMap((/** @type {any} */ win) => {
        const side = app.game.sides.find((other) => other.name === win.outcome);
        return side
          ? [
              h(
                "p",
                {},
                text.wins(side, win.dtw).replace(/\.$/, ": "),
                ...win.examples.flatMap((/** @type {any} */ example, /** @type {number} */ number) => [
                  number > 0 ? ", " : "",
                  link(example, example.position),
                ]),
              ),
            ]
          : [];
      }),
      h(
        "table",
        { class: "shares records" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            wins.some(({ layer }) => layer !== null)
              ? h("th", { scope: "col" }, capital(app.game.layer_unit))
              : null,
            h("th", { scope: "col" }, text.winner),
            h("th", { scope: "col", class: "number" }, text.positions),
            h("th", { scope: "col", class: "number" }, text.longest),
          ),
        ),
        h(
          "tbody",
          {},
          ...wins.map(({ layer, win }) =>
            h(
              "tr",
              {},
              layer === null ? null : h("th", { scope: "row" }, String(layer)),
              h("td", { class: tone(win.outcome) }, win.outcome),
              h("td", { class: "number" }, count(win.positions)),
              h("td", { class: "number" }, link(win.examples[0], plies(win.dtw))),
            ),
          ),
        ),
      ),
    ];
  } catch (error) {
    return [problemNote(error, () => app.show())];
  }
}
