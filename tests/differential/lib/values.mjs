// Values of MongoDB's model, and JSON text to and from them without losing order, sizes or digits.
//
// null, booleans, strings and arrays are themselves; objects are Maps (a JavaScript object would
// move keys like "0" to the front); numbers and dates are the classes below.

export class Num {
  /** kind: 'int' (32 bits), 'long' (64 bits; both with a BigInt) or 'double' (a number). */
  constructor(kind, value) { this.kind = kind; this.value = value; }
}

export class Instant {
  /** Milliseconds since 1970, a BigInt. */
  constructor(ms) { this.ms = ms; }
}

export class Bytes {
  constructor(base64) { this.base64 = base64; }
}

const fits = (value, bits) => BigInt.asIntN(bits, value) === value;

export const integer = (value) => new Num(fits(BigInt(value), 32) ? 'int' : 'long', BigInt(value));
export const double = (value) => new Num('double', value);

function plainNumber(text) {
  if (/[.eE]/.test(text)) return double(Number(text));
  const value = BigInt(text);
  return fits(value, 64) ? integer(value) : double(Number(text));
}

const wrappers = {
  __proto__: null,
  $numberInt: (v) => (typeof v === 'string' ? new Num('int', BigInt(v)) : undefined),
  $numberLong: (v) => (typeof v === 'string' ? new Num('long', BigInt(v)) : undefined),
  $numberDouble: (v) => (typeof v === 'string' ? double(Number(v)) : undefined),
  $date: (v) => {
    if (v instanceof Num) return new Instant(BigInt(v.value));
    if (typeof v !== 'string' || Number.isNaN(Date.parse(v))) return undefined;
    return new Instant(BigInt(Date.parse(v)));
  },
  $binary: (v) => (v instanceof Map ? new Bytes(v.get('base64')) : undefined),
};

/** Objects that stand for something else become that. */
function unwrapped(map) {
  if (map.size === 1) {
    const [[name, value]] = map;
    return wrappers[name]?.(value) ?? map;
  }
  if (map.size !== 2) return map;
  if (map.get('__type') === 'Date' && map.has('iso')) return wrappers.$date(map.get('iso')) ?? map;
  if (map.get('__type') === 'Bytes' && map.has('base64')) return new Bytes(map.get('base64'));
  return map;
}

class Reader {
  constructor(text) { this.text = text; this.at = 0; }

  skip() {
    while (this.text.charCodeAt(this.at) <= 32) this.at += 1;
    return this.text[this.at];
  }

  match(pattern) {
    pattern.lastIndex = this.at;
    const [found] = pattern.exec(this.text) ?? [];
    if (found === undefined) throw new SyntaxError(`no JSON at ${this.at}: ${this.text.slice(this.at, this.at + 40)}`);
    this.at += found.length;
    return found;
  }

  value() {
    const first = this.skip();
    if (first === '{') return this.object();
    if (first === '[') return this.array();
    if (first === '"') return this.string();
    const word = this.match(/[-+.\w]+/y);
    if (word === 'true' || word === 'false') return word === 'true';
    return word === 'null' ? null : plainNumber(word);
  }

  string() {
    const text = this.match(/"(?:[^"\\]|\\.)*"/ys);
    return text.includes('\\') ? JSON.parse(text) : text.slice(1, -1);
  }

  /** Calls `one` for each member or element up to the closing bracket. */
  list(close, one) {
    this.at += 1;
    if (this.skip() === close) { this.at += 1; return; }
    for (;;) {
      one();
      const next = this.skip();
      this.at += 1;
      if (next === close) return;
    }
  }

  array() {
    const elements = [];
    this.list(']', () => elements.push(this.value()));
    return elements;
  }

  object() {
    const members = new Map();
    this.list('}', () => {
      this.skip();
      const name = this.string();
      this.skip();
      this.at += 1;
      // A second member of one name is kept: a String object is a key of its own.
      members.set(members.has(name) ? Object(name) : name, this.value());
    });
    return unwrapped(members);
  }
}

export const read = (text) => new Reader(text).value();

function doubleText(value) {
  if (!Number.isFinite(value)) return `{"$numberDouble":"${value}"}`;
  const text = Object.is(value, -0) ? '-0' : String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function dateText(ms, dress) {
  const fitting = ms >= -62167219200000n && ms <= 253402300799999n;
  if (!fitting) return `{"$date":{"$numberLong":"${ms}"}}`;
  const iso = new Date(Number(ms)).toISOString();
  return dress === 'typed' ? `{"__type":"Date","iso":"${iso}"}` : `{"$date":"${iso}"}`;
}

/** JSON text. dress: 'document' (relaxed Extended JSON) or 'typed' (the form of typed classes). */
export function write(value, dress = 'document') {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((v) => write(v, dress)).join(',')}]`;
  if (value instanceof Map) {
    return `{${[...value].map(([k, v]) => `${JSON.stringify(k)}:${write(v, dress)}`).join(',')}}`;
  }
  if (value instanceof Instant) return dateText(value.ms, dress);
  if (value instanceof Bytes) return `{"$binary":{"base64":"${value.base64}","subType":"00"}}`;
  if (value.kind === 'double') return doubleText(value.value);
  const isWrapped = value.kind === 'long' && dress === 'document' && fits(value.value, 32);
  return isWrapped ? `{"$numberLong":"${value.value}"}` : String(value.value);
}
