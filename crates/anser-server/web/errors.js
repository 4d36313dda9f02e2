// What went wrong, in words.

import * as api from "./api.js";
import { h } from "./dom.js";
import { capital, text } from "./strings.js";

/** An error, and what to do about it. @param {unknown} error @param {() => void} again */
export function problemNote(error, again) {
  const known = error instanceof api.Problem;
  const words = known && error.message !== "" ? error.message : known ? text.offline : String(error);
  // The same request would have the same answer.
  const isWrong = known && error.status === 400;
  return h("div", { class: "problem", role: "alert" },
    h("p", {}, capital(words)),
    known && error.hint ? h("p", { class: "note" }, capital(error.hint)) : null,
    isWrong ? null : h("button", { type: "button", onclick: again }, text.retry));
}

/** What went wrong, as a sentence. @param {unknown} error */
export const wordsOf = (error) =>
  error instanceof Error && error.message !== "" ? error.message : text.offline;
