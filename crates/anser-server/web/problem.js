// Why there is no answer, and what to do next.

/** An error with what to do next, and the status that the server answers it with. */
export class Problem extends Error {
  /** @param {string} message @param {string | null} hint @param {number} status */
  constructor(message, hint, status) {
    super(message);
    this.hint = hint;
    this.status = status;
  }
}

/**
 * A text that is no position: where, why, and what one looks like.
 * @param {number} column
 * @param {string} problem
 * @param {string} example
 */
export const notPosition = (column, problem, example) =>
  new Problem(
    `this is not a position: column ${column}: ${problem}`,
    `a right one looks like "${example}"`,
    400,
  );

/**
 * A file that is not what it should be.
 * @param {string} file
 * @param {string} problem
 * @param {string} hint
 */
export const damaged = (
  file,
  problem,
  hint = "load the page again; if that does not help, the site has to be copied again",
) => new Problem(`${file}: ${problem}`, hint, 500);
