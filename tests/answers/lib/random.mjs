// A seeded generator, so that the databases are the same in every run.
export class Random {
  #state;

  constructor(seed) { this.#state = seed >>> 0; }

  /** In [0, 1): mulberry32. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low, high) { return low + Math.floor(this.next() * (high - low + 1)); }

  chance(share) { return this.next() < share; }

  pick(list) { return list[Math.floor(this.next() * list.length)]; }

  /** One of [value, weight] pairs. */
  weighted(pairs) {
    let left = this.next() * pairs.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [value, weight] of pairs) {
      left -= weight;
      if (left < 0) return value;
    }
    return pairs.at(-1)[0];
  }
}

const two = (n) => String(n).padStart(2, '0');

/** `2026-08-25` */
export function dateText(ms) {
  const date = new Date(ms);
  return `${date.getUTCFullYear()}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
}

/** `2026-08-25 10:20:30`, as SQLite's own functions write it. */
export const timeText = (ms) => `${dateText(ms)} ${new Date(ms).toISOString().slice(11, 19)}`;
