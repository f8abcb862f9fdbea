// Damaged plugin files, and the randomness that chooses them: a seed repeats everything.

/** Numbers in [0, 1) that follow from the seed. */
export function dice(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Seed of this run: GANTRY_SEED, or the usual one, or the time. It is printed, so that the run can be repeated. */
export function seedOf(t, usual = Date.now() % 1_000_000) {
  const seed = Number(process.env.GANTRY_SEED ?? usual);
  t.diagnostic(`GANTRY_SEED=${seed} repeats this`);
  return seed;
}

const headers = (bytes) => Array.from({ length: bytes.readUInt16LE(56) }, (_, i) => {
  const at = Number(bytes.readBigUInt64LE(32)) + 56 * i;
  return {
    type: bytes.readUInt32LE(at), flags: bytes.readUInt32LE(at + 4),
    offset: Number(bytes.readBigUInt64LE(at + 8)), size: Number(bytes.readBigUInt64LE(at + 32)),
  };
});

/** Where the parts of an ELF file are: [offset, size] each. */
export function parts(bytes) {
  const all = headers(bytes);
  const segment = (wanted) => all.filter(wanted).map(({ offset, size }) => [offset, size]);
  return {
    header: [[0, 64 + 56 * all.length]],
    note: segment(({ type }) => type === 4),
    dynamic: segment(({ type }) => type === 2),
    code: segment(({ type, flags }) => type === 1 && (flags & 1)),
  };
}

/** A copy with one byte of a part changed, or, for 'cut', without its end: {bytes, what}. */
export function damaged(bytes, part, random) {
  if (part === 'cut') {
    const size = Math.floor(random() * bytes.length);
    return { bytes: bytes.subarray(0, size), what: `cut to ${size} of ${bytes.length} bytes` };
  }
  const ranges = parts(bytes)[part];
  const [offset, size] = ranges[Math.floor(random() * ranges.length)];
  const at = offset + Math.floor(random() * size);
  const copy = Buffer.from(bytes);
  copy[at] ^= 1 + Math.floor(random() * 255);
  return { bytes: copy, what: `${part}: byte ${at} is ${copy[at]} for ${bytes[at]}` };
}
