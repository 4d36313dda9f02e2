// The hash xxh3-64 with seed 0, as https://github.com/Cyan4973/xxHash specifies it.

const SECRET = Uint8Array.from(
  (
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221" +
    "b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8" +
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb" +
    "170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
  ).match(/../g) ?? [],
  (digits) => Number.parseInt(digits, 16),
);
const SECRETS = new DataView(SECRET.buffer);

const MASK = 0xffff_ffff_ffff_ffffn;
const PRIME_32 = [0x9e3779b1n, 0x85ebca77n, 0xc2b2ae3dn];
const PRIME_64 = [
  0x9e3779b185ebca87n,
  0xc2b2ae3d27d4eb4fn,
  0x165667b19e3779f9n,
  0x85ebca77c2b2ae63n,
  0x27d4eb2f165667c5n,
];
/** The first prime of 32 bits, as a number. */
const SCRAMBLE = 0x9e3779b1;

/** Bytes of a stripe, and stripes between two scramblings of the accumulators. */
const STRIPE = 64;
const STRIPES = 16;

/** @param {number} at */
const secret = (at) => SECRETS.getBigUint64(at, true);

/** @param {bigint} a @param {bigint} b */
const folded = (a, b) => {
  const product = a * b;
  return (product & MASK) ^ (product >> 64n);
};

/** @param {bigint} hash */
const avalanche = (hash) => {
  hash ^= hash >> 37n;
  hash = (hash * 0x165667919e3779f9n) & MASK;
  return hash ^ (hash >> 32n);
};

/** The last step for at most three bytes, which is that of xxh64. @param {bigint} hash */
const avalanche64 = (hash) => {
  hash ^= hash >> 33n;
  hash = (hash * PRIME_64[1]) & MASK;
  hash ^= hash >> 29n;
  hash = (hash * PRIME_64[2]) & MASK;
  return hash ^ (hash >> 32n);
};

/** @param {bigint} word @param {bigint} bits */
const rotated = (word, bits) => ((word << bits) | (word >> (64n - bits))) & MASK;

/** @param {bigint} word */
const swapped = (word) => {
  let out = 0n;
  for (let byte = 0; byte < 8; byte += 1) {
    out = (out << 8n) | (word & 0xffn);
    word >>= 8n;
  }
  return out;
};

/**
 * The hash of bytes.
 * @param {Uint8Array} bytes
 * @returns {bigint}
 */
export function xxh3(bytes) {
  const { length } = bytes;
  const view = new DataView(bytes.buffer, bytes.byteOffset, length);
  const word = (/** @type {number} */ at) => view.getBigUint64(at, true);
  if (length > 240) return long(view, length);
  const size = BigInt(length);
  if (length === 0) return avalanche64(secret(56) ^ secret(64));
  if (length <= 3) {
    const combined =
      ((bytes[0] << 16) | (bytes[length >> 1] << 24) | bytes[length - 1] | (length << 8)) >>> 0;
    return avalanche64(
      BigInt(combined) ^ BigInt((SECRETS.getUint32(0, true) ^ SECRETS.getUint32(4, true)) >>> 0),
    );
  }
  if (length <= 8) {
    const [first, last] = [view.getUint32(0, true), view.getUint32(length - 4, true)].map(BigInt);
    let hash = (last + (first << 32n)) ^ secret(8) ^ secret(16);
    hash ^= rotated(hash, 49n) ^ rotated(hash, 24n);
    hash = (hash * 0x9fb21c651e98df25n) & MASK;
    hash ^= (hash >> 35n) + size;
    hash = (hash * 0x9fb21c651e98df25n) & MASK;
    return hash ^ (hash >> 28n);
  }
  if (length <= 16) {
    const low = word(0) ^ secret(24) ^ secret(32);
    const high = word(length - 8) ^ secret(40) ^ secret(48);
    return avalanche((size + swapped(low) + high + folded(low, high)) & MASK);
  }
  const mixed = (/** @type {number} */ at, /** @type {number} */ of) =>
    folded(word(at) ^ secret(of), word(at + 8) ^ secret(of + 8));
  let hash = size * PRIME_64[0];
  if (length <= 128) {
    for (let pair = (length - 1) >> 5; pair >= 0; pair -= 1) {
      hash += mixed(16 * pair, 32 * pair) + mixed(length - 16 * (pair + 1), 32 * pair + 16);
    }
    return avalanche(hash & MASK);
  }
  for (let at = 0; at < 8; at += 1) hash += mixed(16 * at, 16 * at);
  hash = avalanche(hash & MASK);
  for (let at = 8; at < length >> 4; at += 1) hash += mixed(16 * at, 16 * (at - 8) + 3);
  return avalanche((hash + mixed(length - 16, 119)) & MASK);
}

/**
 * The hash of more than 240 bytes. The eight accumulators are words in two halves, the low one first.
 * @param {DataView} view
 * @param {number} length
 */
function long(view, length) {
  const acc = new Uint32Array(16);
  const start = [
    PRIME_32[2],
    PRIME_64[0],
    PRIME_64[1],
    PRIME_64[2],
    PRIME_64[3],
    PRIME_32[1],
    PRIME_64[4],
    PRIME_32[0],
  ];
  start.forEach((word, lane) => {
    acc[2 * lane] = Number(word & 0xffffffffn);
    acc[2 * lane + 1] = Number(word >> 32n);
  });
  const all = Math.floor((length - 1) / STRIPE);
  for (let stripe = 0; stripe < all; stripe += 1) {
    accumulate(acc, view, stripe * STRIPE, 8 * (stripe % STRIPES));
    if (stripe % STRIPES === STRIPES - 1) scramble(acc);
  }
  accumulate(acc, view, length - STRIPE, SECRET.length - STRIPE - 7);
  const lane = (/** @type {number} */ at) => (BigInt(acc[2 * at + 1]) << 32n) | BigInt(acc[2 * at]);
  let hash = BigInt(length) * PRIME_64[0];
  for (let pair = 0; pair < 4; pair += 1) {
    hash += folded(
      lane(2 * pair) ^ secret(11 + 16 * pair),
      lane(2 * pair + 1) ^ secret(19 + 16 * pair),
    );
  }
  return avalanche(hash & MASK);
}

/** @param {Uint32Array} acc @param {DataView} view @param {number} at @param {number} key */
function accumulate(acc, view, at, key) {
  for (let lane = 0; lane < 16; lane += 2) {
    const low = view.getUint32(at + 4 * lane, true);
    const high = view.getUint32(at + 4 * lane + 4, true);
    add(acc, lane ^ 2, low, high);
    const a = (low ^ SECRETS.getUint32(key + 4 * lane, true)) >>> 0;
    const b = (high ^ SECRETS.getUint32(key + 4 * lane + 4, true)) >>> 0;
    add(acc, lane, Math.imul(a, b) >>> 0, upper(a, b));
  }
}

/** @param {Uint32Array} acc @param {number} lane @param {number} low @param {number} high */
function add(acc, lane, low, high) {
  const sum = acc[lane] + low;
  acc[lane] = sum;
  acc[lane + 1] += high + (sum > 0xffffffff ? 1 : 0);
}

/** The upper half of the product of two words of 32 bits. @param {number} a @param {number} b */
function upper(a, b) {
  const [a0, a1, b0, b1] = [a & 0xffff, a >>> 16, b & 0xffff, b >>> 16];
  const middle = a1 * b0 + ((a0 * b0) >>> 16);
  const other = a0 * b1 + (middle & 0xffff);
  // The sums are below 2^32, and as numbers exact.
  return a1 * b1 + Math.floor(middle / 65536) + Math.floor(other / 65536);
}

/** @param {Uint32Array} acc */
function scramble(acc) {
  for (let lane = 0; lane < 16; lane += 2) {
    const [low, high] = [acc[lane], acc[lane + 1]];
    // The word, its upper bits shifted down by 47, and the secret.
    const a = (low ^ (high >>> 15) ^ SECRETS.getUint32(128 + 4 * lane, true)) >>> 0;
    const b = (high ^ SECRETS.getUint32(132 + 4 * lane, true)) >>> 0;
    acc[lane] = Math.imul(a, SCRAMBLE);
    acc[lane + 1] = upper(a, SCRAMBLE) + Math.imul(b, SCRAMBLE);
  }
}

/** A hash as 16 hexadecimal digits. @param {bigint} hash */
export const digits = (hash) => hash.toString(16).padStart(16, "0");
