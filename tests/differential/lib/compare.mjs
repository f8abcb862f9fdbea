// Compares a tool's answer with the recorded one.
import { Bytes, Instant, Num } from './values.mjs';

const kTolerance = 1e-9;

function sameNumber(a, b) {
  if (typeof a === 'bigint' && typeof b === 'bigint') return a === b;
  const [x, y] = [Number(a), Number(b)];
  if (x === y || (Number.isNaN(x) && Number.isNaN(y))) return true;
  if (!Number.isFinite(x) || !Number.isFinite(y)) return false;
  return Math.abs(x - y) <= kTolerance * Math.max(Math.abs(x), Math.abs(y));
}

/** Each element of `a` is matched with a different element of `b`. */
function sameInAnyOrder(a, b, same) {
  if (a.length !== b.length) return false;
  const left = [...b];
  return a.every((x, i) => {
    let at = same(x, left[i]) ? i : left.findIndex((y) => y !== undefined && same(x, y));
    if (left[i] === undefined) at = left.findIndex((y) => y !== undefined && same(x, y));
    if (at < 0) return false;
    left[at] = undefined;
    return true;
  });
}

/** In answers of typed classes a string stands for a number that JSON cannot write. */
const words = (value) => (value instanceof Num && !Number.isFinite(Number(value.value)) ? String(value.value) : undefined);

const withoutNulls = (map) => new Map([...map].filter(([, value]) => value !== null));

const idText = (value) => (value instanceof Num ? String(value.value) : value);

/**
 * same(wanted, got) for these options:
 *   typed: the answer is of a typed class: `objectId` stands for `_id` as text, infinities are
 *          words, createdAt and updatedAt ISO texts
 *   nullIsMissing: members that are null and such that are not there are the same
 *   anyOrder: the list's order does not count
 *   anyOrderIn: names of fields whose arrays' order does not count
 */
export function comparer({ typed = false, anyOrder = false, anyOrderIn = [], nullIsMissing = false } = {}) {
  const loose = new Set(anyOrderIn);

  const sameMaps = (wanted, got) => (nullIsMissing
    ? sameMembers(withoutNulls(wanted), withoutNulls(got)) : sameMembers(wanted, got));

  const sameMembers = (wanted, got) => {
    if (wanted.size !== got.size) return false;
    const isAliased = typed && wanted.has('_id') && !got.has('_id') && got.has('objectId');
    return [...wanted].every(([name, value]) => {
      if (isAliased && name === '_id') return idText(value) === idText(got.get('objectId'));
      if (!got.has(name)) return false;
      const other = got.get(name);
      if (typed && name === '_id' && typeof other === 'string' && !(value instanceof Instant)) {
        return idText(value) === other;
      }
      const isLoose = loose.has(name) && Array.isArray(value) && Array.isArray(other);
      return isLoose ? sameInAnyOrder(value, other, same) : same(value, other);
    });
  };

  const same = (wanted, got) => {
    if (got === undefined) return false;
    if (wanted instanceof Num && got instanceof Num) return sameNumber(wanted.value, got.value);
    if (typed && typeof got === 'string' && words(wanted) !== undefined) return words(wanted) === got;
    if (wanted instanceof Instant && got instanceof Instant) return wanted.ms === got.ms;
    if (typed && wanted instanceof Instant && typeof got === 'string') return Number(wanted.ms) === Date.parse(got);
    if (wanted instanceof Bytes && got instanceof Bytes) return wanted.base64 === got.base64;
    if (wanted instanceof Map && got instanceof Map) return sameMaps(wanted, got);
    if (Array.isArray(wanted) && Array.isArray(got)) {
      return wanted.length === got.length && wanted.every((v, i) => same(v, got[i]));
    }
    return wanted === got;
  };

  return (wanted, got) => (anyOrder && Array.isArray(wanted) && Array.isArray(got)
    ? sameInAnyOrder(wanted, got, same) : same(wanted, got));
}
