// Runs the service worker of a site with a network and a cache of its own, and checks what it keeps.
//
//     node worker.mjs

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

const ROOT = "https://example.org/some/where/";
const [A, B, C] = ["a", "b", "c"].map((letter) => letter.repeat(16));
const source = await readFile(new URL("web/reader/worker.js", import.meta.url), "utf8");

/** The answer of a host: a body with its type and status. */
const answer = (body, type = "application/octet-stream", status = 200) =>
  new Response(body, { status, headers: { "content-type": type } });

/** A worker of a site whose page has these files. `host` answers a path below the site. */
function worker(page, host, cache = new Map()) {
  const [heard, asked] = [{}, []];
  const self = {
    registration: { scope: ROOT },
    addEventListener: (name, act) => { heard[name] = act; },
    skipWaiting: async () => undefined,
    clients: { claim: async () => undefined },
  };
  const open = {
    match: async (url) => cache.get(String(url))?.clone(),
    put: async (url, response) => void cache.set(String(url), response),
    delete: async (url) => cache.delete(String(url)),
    keys: async () => [...cache.keys()].map((url) => ({ url })),
  };
  const fetch = async (request) => {
    const url = request.url ?? request;
    asked.push(url);
    const found = host(url);
    if (found === null) throw new TypeError("no network");
    return found;
  };
  const text = source.replace("const PAGE = [];", `const PAGE = ${JSON.stringify(page)};`);
  new Function("self", "caches", "fetch", text)(self, { open: async () => open }, fetch);
  const event = async (name, more = {}) => {
    let result;
    heard[name]({
      ...more,
      waitUntil: (work) => {
        result = work;
      },
      respondWith: (work) => {
        result = work;
      },
    });
    const awaited = await result;
    // Work that no event waits for.
    await new Promise((done) => setTimeout(done, 20));
    return awaited;
  };
  const get = (url, more = {}) =>
    event("fetch", { request: { method: "GET", url, cache: "default", ...more } });
  return {
    event,
    get,
    asked,
    files: () => [...cache.keys()].map((url) => url.replace(ROOT, "")).sort(),
    cache,
  };
}

// What is sound is kept, and answered again without the host.
{
  const one = worker([], () => answer("part"));
  assert.equal(await (await one.get(`${ROOT}parts/${A}.bin`)).text(), "part");
  assert.equal(await (await one.get(`${ROOT}parts/${A}.bin`)).text(), "part");
  assert.deepEqual([one.files(), one.asked.length], [[`parts/${A}.bin`], 1]);
  // A page that found the copy wrong gets another one.
  await one.get(`${ROOT}parts/${A}.bin`, { cache: "reload" });
  assert.equal(one.asked.length, 2);
}

// A missing file, and a page in its place, are passed on and not kept.
for (const wrong of [
  () => answer("", "text/plain", 404),
  () => answer("<p>", "text/html"),
  () => answer("<p>", " Text/HTML; charset=utf-8"),
  () => answer("", "application/json", 500),
  () => Object.defineProperty(answer("part"), "redirected", { value: true }),
]) {
  const one = worker([`assets/${A}/main.js`], wrong);
  await one.event("install");
  for (const file of [`parts/${A}.bin`, `data/${A}.json`, `assets/${A}/main.js`]) {
    assert.equal((await one.get(ROOT + file)).status, wrong().status);
  }
  await one.event("message", { data: [`${ROOT}parts/${B}.bin`] });
  assert.deepEqual(one.files().filter((file) => file !== ""), []);
}

// Only names of the site count, and the whole of them.
{
  const one = worker([], () => answer("text"));
  for (const url of [
    `https://example.org/parts/${A}.bin`,
    `https://elsewhere.org/some/where/parts/${A}.bin`,
    `${ROOT}x/parts/${A}.bin`,
    `${ROOT}parts/${A}.bin.html`,
    `${ROOT}parts/${A}.bin?x`,
    `${ROOT}parts/${A.slice(1)}.bin`,
    `${ROOT}parts/${A}0.bin`,
    `${ROOT}data/${A}.jsonp`,
    `${ROOT}data/${A.toUpperCase()}.json`,
    `${ROOT}data/${A}.bin`,
    `${ROOT}assets/x/main.js`,
    `${ROOT}worker.js`,
    `${ROOT}other.html`,
  ]) {
    assert.equal(await one.get(url), undefined, url);
    await one.event("message", { data: [url] });
  }
  assert.equal(await one.get(`${ROOT}parts/${A}.bin`, { method: "POST" }), undefined);
  assert.deepEqual([one.files(), one.asked], [[], []]);
}

// The page is that of the host, and the kept one without a network.
{
  let body = "first";
  const one = worker([], () => (body === null ? null : answer(body, "text/html")));
  for (const expected of ["first", "second"]) {
    body = expected;
    assert.equal(await (await one.get(`${ROOT}index.html?x`)).text(), expected);
  }
  body = null;
  assert.equal(await (await one.get(ROOT)).text(), "second");
  await assert.rejects(one.get(`${ROOT}parts/${A}.bin`), TypeError);
}

// A new site keeps what it names, and removes the rest of earlier ones.
const files = {
  [`data/${A}.json`]: { sets: [{ file: B }] },
  [`data/${B}.json`]: { answers: { stats: C }, tables: [{ parts: [[9, A], [9, B]] }] },
};
const page = [`assets/${A}/main.js`, `data/${A}.json`];
const earlier = [
  `assets/${B}/main.js`,
  ...page,
  `data/${B}.json`,
  `data/${C}.json`,
  `data/${"d".repeat(16)}.json`,
  `parts/${A}.bin`,
  `parts/${C}.bin`,
  "",
];
const cached = () =>
  new Map(earlier.map((file) => [ROOT + file, answer(JSON.stringify(files[file] ?? ""))]));
const kept = [
  "",
  `assets/${A}/main.js`,
  `data/${A}.json`,
  `data/${B}.json`,
  `data/${C}.json`,
  `parts/${A}.bin`,
].sort();
{
  const one = worker(page, () => null, cached());
  await one.event("activate");
  assert.deepEqual(one.files(), kept);
}
// A set that was not fetched yet is read from the host, and without it nothing is removed.
for (const [host, expected] of [
  [
    (url) => answer(JSON.stringify(files[url.replace(ROOT, "")])),
    kept.filter((file) => file !== `data/${B}.json`),
  ],
  [() => null, earlier.filter((file) => file !== `data/${B}.json`).sort()],
  [() => answer("<p>", "text/html"), earlier.filter((file) => file !== `data/${B}.json`).sort()],
  [() => answer("", "text/plain", 404), earlier.filter((file) => file !== `data/${B}.json`).sort()],
  [() => answer("[1"), earlier.filter((file) => file !== `data/${B}.json`).sort()],
]) {
  const cache = cached();
  cache.delete(`${ROOT}data/${B}.json`);
  const one = worker(page, host, cache);
  await one.event("activate");
  assert.deepEqual(one.files(), expected);
}
