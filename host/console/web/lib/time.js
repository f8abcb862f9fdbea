// Times, sizes, numbers and words for people. One timer keeps relative times up to date; the exact time is the title. One
// switch decides between UTC and the browser's zone.
import { h } from './dom.js';
import { recall, remember } from './store.js';

let utc = recall('utc', false);
export const inUtc = () => utc;

export function switchUtc() {
  remember('utc', utc = !utc);
  refresh();
}

/** A Date of a Date, milliseconds, seconds since 1970 or ISO text. */
const toDate = (value) => new Date(typeof value === 'number' && value < 1e11 ? value * 1000 : value);

/** A date's day and time as the clock shows them, "2026-11-27T08:05:00.123". */
const isoOf = (date) => (utc ? date : new Date(date - date.getTimezoneOffset() * 60000)).toISOString();

export function exact(value) {
  const date = toDate(value);
  return Number.isNaN(date.getTime()) ? String(value) : `${isoOf(date).slice(0, 19).replace('T', ' ')}${utc ? ' UTC' : ''}`;
}

export const clock = (value) => isoOf(toDate(value)).slice(11, 19);

/** "12 s", "4:05 min", "3 h 5 min", "6 d" of a number of milliseconds. */
export function span(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (seconds < 60) return `${seconds} s`;
  if (minutes < 10) return `${minutes}:${String(seconds % 60).padStart(2, '0')} min`;
  if (hours < 1) return `${minutes} min`;
  return hours < 48 ? `${hours} h${minutes % 60 ? ` ${minutes % 60} min` : ''}` : `${Math.floor(hours / 24)} d`;
}

const forms = {
  clock: (date) => clock(date),
  exact: (date) => exact(date),
  age: (date) => span(Date.now() - date),
  ago(date) {
    const distance = Date.now() - date;
    if (distance < 0) return `in ${span(-distance)}`;
    return distance < 1000 ? 'now' : `${span(distance)} ago`;
  },
};

function describe(element) {
  const date = new Date(element.getAttribute('datetime'));
  element.title = exact(date);
  element.textContent = forms[element.dataset.form](date);
}

/** A <time> in the form "ago" (default), "age", "clock" or "exact". */
export function time(value, form = 'ago') {
  const date = toDate(value ?? NaN);
  if (Number.isNaN(date.getTime())) return h('span', '–');
  const element = h('time', { datetime: date.toISOString(), data: { form } });
  describe(element);
  return element;
}
export const ago = (value) => time(value);

const refresh = () => document.querySelectorAll('time[datetime]').forEach(describe);
setInterval(() => document.hidden || refresh(), 1000);

/** A number's text, or a dash without one. */
const or = (make) => (value) => (value === undefined || value === null ? '–' : make(value));

export const bytes = or((count) => {
  if (count < 1000) return `${count} B`;
  if (count < 1e6) return `${(count / 1e3).toFixed(1)} KB`;
  return count < 1e9 ? `${(count / 1e6).toFixed(1)} MB` : `${(count / 1e9).toFixed(1)} GB`;
});

export const ms = or((value) => {
  if (value < 10) return `${value.toFixed(1)} ms`;
  return value < 10000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(1)} s`;
});

const grouped = new Intl.NumberFormat('en');
export const number = or((value) => grouped.format(value));
/** A word that begins a label or a sentence. */
export const capital = (word) => word[0].toUpperCase() + word.slice(1);
export const plural = (count, one, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;
