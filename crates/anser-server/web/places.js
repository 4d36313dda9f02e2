// Places of the page: what an address names, and the address of a position.

import * as api from "./api.js";

/**
 * @typedef {import("./api.js").Game} Game
 */

/**
 * The address of a place of the page, which a site has behind a #: the host knows no others.
 * @param {string} place
 */
export const addressOf = (place) => (api.isSite ? `#${place}` : place);

/** The place and the query that the address names. */
export function addressed() {
  if (!api.isSite) return [location.pathname, location.search];
  const [place, query] = location.hash.slice(1).split("?");
  return [place.startsWith("/") ? place : "/", query ?? ""];
}

/** The parts of a place. @param {string} place */
export function decoded(place) {
  try {
    return place.slice(1).split("/").map(decodeURIComponent);
  } catch {
    throw new api.Problem(
      "this address is not one of the page",
      api.isSite ? "check the part after #" : "check the part after the name of the server",
      400,
    );
  }
}

/** @param {string} position */
export const inPath = (position) => position.replaceAll("/", "_").replaceAll(" ", "_");

/**
 * A position from its form in the address, in which _ stands for / and for the space.
 * @param {Game} game
 * @param {string} place
 */
export function outOfPath(game, place) {
  const parts = place.split("_");
  const rows = game.openings[0].position.split(" ")[0].split("/").length;
  return `${parts.slice(0, rows).join("/")} ${parts.slice(rows).join(" ")}`.trim();
}
