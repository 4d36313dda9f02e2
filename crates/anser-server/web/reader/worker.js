// The service worker of a site: it keeps what was fetched, so that this is there without a network.
// Every file
// but the page has a name that belongs to its content, so a copy of it never grows old.

/** The files of the page, which the site names. @type {string[]} */
const PAGE = [];

const scope = /** @type {any} */ (self);
/** The directory of the site. @type {string} */
const ROOT = scope.registration.scope;
/** The cache: several sites may have one origin. */
const KEPT = `anser ${ROOT}`;
const FIXED = /^(?:(?:data\/[0-9a-f]{16}\.json|parts\/[0-9a-f]{16}\.bin)$|assets\/[0-9a-f]{16}\/)/;

/** @param {string} url */
const isOurs = (url) => url.startsWith(ROOT);

/** Whether a file has a name that belongs to its content. @param {string} url */
const isFixed = (url) => isOurs(url) && FIXED.test(url.slice(ROOT.length));

/** Whether this is the page itself. @param {string} url */
const isPage = (url) => ["", "index.html"].some((name) => url.split(/[?#]/)[0] === ROOT + name);

/**
 * Whether a response may be kept. Some hosts answer for a missing file with a page, or lead to one.
 * @param {string} url
 * @param {Response} response
 */
const isSound = (url, response) => response.ok && !response.redirected
  && !(isFixed(url) && /^\s*text\/html/i.test(response.headers.get("content-type") ?? ""));

/** @param {string[]} urls */
async function keep(urls) {
  const cache = await caches.open(KEPT);
  await Promise.all(urls.map(async (url) => {
    if (await cache.match(url)) return;
    try {
      const response = await fetch(url);
      if (isSound(url, response)) await cache.put(url, response);
    } catch {
      // It is kept when it is requested again.
    }
  }));
}

/**
 * Removes what the sites before this one had: files of their pages, answers, and parts of tables that
 * this
 * site does not name. Without an index and the sets that it names nothing is removed.
 */
async function prune() {
  const cache = await caches.open(KEPT);
  const named = new Set(PAGE);
  const read = async (/** @type {string} */ file) => {
    named.add(file);
    const url = new URL(file, ROOT).href;
    const response = await cache.match(url) ?? await fetch(url);
    if (!isSound(url, response)) throw new Error(`${file} is missing`);
    return response.json();
  };
  for (const file of PAGE.filter((name) => name.startsWith("data/"))) {
    const { sets } = await read(file);
    for (const { file: hash } of sets) {
      const { answers, tables } = await read(`data/${hash}.json`);
      for (const answer of Object.values(answers)) named.add(`data/${answer}.json`);
      for (const { parts } of tables) for (const [, part] of parts) named.add(`parts/${part}.bin`);
    }
  }
  for (const { url } of await cache.keys()) {
    if (isFixed(url) && !named.has(url.slice(ROOT.length))) await cache.delete(url);
  }
}

scope.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(
    keep(["", ...PAGE].map((file) => new URL(file, ROOT).href)).then(() => scope.skipWaiting()),
  );
});

scope.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(scope.clients.claim());
  // Requests do not wait for it. Another index has another worker, so this is once for each.
  prune().catch(() => undefined);
});

// Files that a page fetched before this worker was there.
scope.addEventListener("message", (/** @type {any} */ event) => {
  event.waitUntil(keep(event.data.filter(isFixed)));
});

scope.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const fixed = isFixed(request.url);
  if (!fixed && !isPage(request.url)) return;
  const key = fixed ? request.url : ROOT;
  event.respondWith((async () => {
    const cache = await caches.open(KEPT);
    // A page that asks for a file once more has found that the copy is wrong.
    const kept = fixed && request.cache !== "reload" ? await cache.match(key) : undefined;
    if (kept) return kept;
    try {
      const response = await fetch(request);
      // Without room for a copy there is still the answer.
      if (isSound(key, response)) await cache.put(key, response.clone()).catch(() => undefined);
      return response;
    } catch (error) {
      const other = await cache.match(key);
      if (other) return other;
      throw error;
    }
  })());
});
