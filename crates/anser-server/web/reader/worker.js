// The service worker of a site: it keeps what was fetched, so that this is there without a network. Every file
// but the page has a name that belongs to its content, so a copy of it never grows old.

/** The files of the page, which the site names. @type {string[]} */
const PAGE = [];

const KEPT = "anser";
const scope = /** @type {any} */ (self);

/** @param {string} url */
const isOurs = (url) => url.startsWith(scope.registration.scope);

/** Whether a file has a name that belongs to its content. @param {string} url */
const isFixed = (url) => /\/(data|parts|assets)\//.test(url.slice(scope.registration.scope.length - 1));

/** Whether this is the page itself. @param {string} url */
const isPage = (url) => ["", "index.html"].some((name) => url.split(/[?#]/)[0] === scope.registration.scope + name);

/** @param {string[]} urls */
async function keep(urls) {
  const cache = await caches.open(KEPT);
  await Promise.all(urls.filter(isOurs).map(async (url) => {
    if (!(await cache.match(url))) await cache.add(url).catch(() => undefined);
  }));
}

scope.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(keep(["", ...PAGE].map((file) => new URL(file, scope.registration.scope).href)).then(() => scope.skipWaiting()));
});

scope.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil((async () => {
    // The files of earlier pages are not needed; parts of tables may be.
    const cache = await caches.open(KEPT);
    const ours = new Set(PAGE.map((file) => new URL(file, scope.registration.scope).href));
    for (const { url } of await cache.keys()) if (/\/assets\//.test(url) && isOurs(url) && !ours.has(url)) await cache.delete(url);
    await scope.clients.claim();
  })());
});

// What a page fetched before this worker was there.
scope.addEventListener("message", (/** @type {any} */ event) => {
  event.waitUntil(keep(event.data.filter(isFixed)));
});

scope.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const isThere = request.method === "GET" && isOurs(request.url);
  const fixed = isThere && isFixed(request.url);
  if (!fixed && !(isThere && isPage(request.url))) return;
  const key = fixed ? request.url : scope.registration.scope;
  event.respondWith((async () => {
    const cache = await caches.open(KEPT);
    // A page that asks for a file once more has found that the copy is wrong.
    const kept = fixed && request.cache !== "reload" ? await cache.match(key) : undefined;
    if (kept) return kept;
    try {
      const response = await fetch(request);
      // Without room for a copy there is still the answer.
      if (response.ok) await cache.put(key, response.clone()).catch(() => undefined);
      return response;
    } catch (error) {
      const other = await cache.match(key);
      if (other) return other;
      throw error;
    }
  })());
});
