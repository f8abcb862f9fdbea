// One form for the values of answers and of SQL, so that they can be compared.
const date = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;
const number = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** An instant is `{at: ms}`, an id is its value, true is 1, missing is null, a list of one is its element. */
export function plain(value) {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'string') return plainText(value);
  if (Array.isArray(value)) return value.length === 1 ? plain(value[0]) : value.map(plain);
  return typeof value === 'object' ? plainObject(value) : value;
}

function plainText(text) {
  if (date.test(text)) return { at: instant(text) };
  if (number.test(text)) return Number(text);
  if (/^[[{]/.test(text)) {
    try { return plain(JSON.parse(text)); } catch { return text; }
  }
  return text;
}

function instant(text) {
  const iso = text.replace(' ', 'T');
  return Date.parse(iso.length > 10 && !/(Z|[+-]\d{2}:?\d{2})$/.test(iso) ? `${iso}Z` : iso);
}

function plainObject(object) {
  if (object.__type === 'Pointer') return plain(object.objectId);
  if (object.__type === 'Date') return plain(object.iso);
  if ('$date' in object) return plain(object.$date);
  if ('$numberLong' in object) return Number(object.$numberLong);
  return Object.fromEntries(Object.entries(object).map(([name, inner]) => [name, plain(inner)]));
}

/** Equal values have equal texts; numbers that differ by 1e-9 of their size mostly have, too. */
export const sortText = (value) => JSON.stringify(value,
  (_, v) => (typeof v === 'number' && !Number.isInteger(v) ? Number(v.toPrecision(7)) : v));

/** Whole numbers are equal exactly, others within 1e-9 of their size. */
export function same(a, b) {
  if (Number.isInteger(a) && Number.isInteger(b)) return a === b;
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return a === b;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => name in b && same(a[name], b[name]));
}
