// The symmetries of the rules, found by search, as hunt/symmetries.rs of anser-core has them.

/** @typedef {import("./description.js").Description} Description */

/** Most symmetries that a numbering uses. */
const MOST = 16;

/** Most partial permutations that a search looks at. */
const MOST_STEPS = 200_000;

/**
 * The permutations of the points that keep the steps, jumps, and captures of both sides, the points
 * where
 * pieces may be placed, and those of each end; the identity first. If there are more than 16, those
 * that
 * fix the first points, as few of them as necessary.
 * @param {Description} description
 * @returns {Uint8Array[]}
 */
export function symmetriesOf(description) {
  const count = description.points.length;
  const relations = relationsOf(description);
  const numbered = description.ends.some(({ condition }) => condition === "behind");
  for (let fixed = numbered ? count : 0; fixed <= count; fixed += 1) {
    const found = search(relations, fixed);
    if (found !== null) return found.sort(byImages);
  }
  return [Uint8Array.from({ length: count }, (_, point) => point)];
}

/** @param {Uint8Array} a @param {Uint8Array} b */
function byImages(a, b) {
  const at = a.findIndex((point, which) => point !== b[which]);
  return at < 0 ? 0 : a[at] - b[at];
}

/**
 * @typedef {{count: number, colors: number[], pairs: Uint8Array[], triples: number[][][],
 *   sets: Set<number>[]}} Relations
 */

/** The relations that a symmetry keeps. @param {Description} description @returns {Relations} */
function relationsOf(description) {
  const count = description.points.length;
  const table = (/** @type {number[][]} */ moves) => {
    const all = new Uint8Array(count * count);
    for (const [from, to] of moves) all[from * count + to] = 1;
    return all;
  };
  const { sides, ends } = description;
  const pairs = sides.flatMap((side) => [table(side.steps), table(side.captures)]);
  const triples = sides.map((side) => side.jumps);
  const exempt = ends.some((end) => end.exceptStart);
  const kept = [
    ...sides.map((side) => side.region),
    ...ends.map((end) => end.points),
    ...(exempt ? sides.map((side) => side.start) : []),
  ];
  // Points that no symmetry exchanges get different colors: first by the sets that have them, then by
  // the
  // colors around them.
  let colors = numbersOf(
    Array.from({ length: count }, (_, point) =>
      kept.map((set) => (set.includes(point) ? 1 : 0)).join(""),
    ),
  );
  for (let pass = 0; pass < 4; pass += 1) {
    const around = Array.from({ length: count }, (_, point) =>
      [
        [colors[point]],
        ...pairs.flatMap((pair) => {
          const [to, from] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
          for (let next = 0; next < count; next += 1) {
            if (pair[point * count + next]) to.push(colors[next]);
            if (pair[next * count + point]) from.push(colors[next]);
          }
          return [to.sort(), from.sort()];
        }),
      ].join("|"),
    );
    const jumps = around.map(() => /** @type {string[]} */ ([]));
    triples.forEach((moves, side) => moves.forEach((move) => {
      const words = `${side}:${move.map((point) => colors[point]).join()}`;
      move.forEach((point, place) => jumps[point].push(`${place}${words}`));
    }));
    colors = numbersOf(around.map((words, point) => `${words}/${jumps[point].sort().join(";")}`));
  }
  return {
    count,
    colors,
    pairs,
    triples,
    sets: triples.map(
      (moves) => new Set(moves.map(([from, over, to]) => (from * count + over) * count + to)),
    ),
  };
}

/** A number for each text, the same for equal texts. @param {string[]} texts */
function numbersOf(texts) {
  const known = [...new Set(texts)].sort();
  const numbers = new Map(known.map((text, number) => [text, number]));
  return texts.map((text) => numbers.get(text) ?? 0);
}

/**
 * All symmetries that fix the first points; null if they are too many, or if it takes too long.
 * @param {Relations} relations
 * @param {number} fixed
 */
function search({ count, colors, pairs, triples, sets }, fixed) {
  // Each point has many neighbors among those before it, so that wrong images are found early.
  const order = Array.from({ length: fixed }, (_, point) => point);
  const left = new Set(Array.from({ length: count - fixed }, (_, at) => fixed + at));
  const near = (/** @type {number} */ a, /** @type {number} */ b) =>
    pairs.some((pair) => pair[a * count + b] || pair[b * count + a]);
  while (left.size > 0) {
    let [best, most, rarest] = [-1, -1, 0];
    for (const point of left) {
      const neighbors = order.filter((other) => near(point, other)).length;
      const alike = colors.filter((color) => color === colors[point]).length;
      if (neighbors > most || (neighbors === most && alike < rarest))
        [best, most, rarest] = [point, neighbors, alike];
    }
    left.delete(best);
    order.push(best);
  }
  const images = new Uint8Array(count);
  const taken = new Uint8Array(count);
  /** @type {Uint8Array[]} */
  const found = [];
  let steps = 0;
  const fits = (
    /** @type {number} */ point,
    /** @type {number} */ image,
    /** @type {number} */ depth,
  ) => {
    if (colors[point] !== colors[image]) return false;
    for (const pair of pairs) {
      for (let at = 0; at < depth; at += 1) {
        const [other, to] = [order[at], images[order[at]]];
        if (
          pair[point * count + other] !== pair[image * count + to] ||
          pair[other * count + point] !== pair[to * count + image]
        )
          return false;
      }
    }
    return true;
  };
  const run = (/** @type {number} */ depth) => {
    steps += 1;
    if (steps > MOST_STEPS) return false;
    if (depth === count) {
      const keeps = triples.every((moves, side) =>
        moves.every(([from, over, to]) =>
          sets[side].has((images[from] * count + images[over]) * count + images[to]),
        ),
      );
      if (keeps) found.push(images.slice());
      return found.length <= MOST;
    }
    const point = order[depth];
    for (let image = 0; image < count; image += 1) {
      if ((point < fixed && image !== point) || taken[image] || !fits(point, image, depth)) continue;
      images[point] = image;
      taken[image] = 1;
      const done = run(depth + 1);
      taken[image] = 0;
      if (!done) return false;
    }
    return true;
  };
  return run(0) ? found : null;
}
