// JSON without loss. JSON.parse rounds numbers beyond 2^53; here such a number keeps the digits it was
// written with, and the text of arguments is edited in place, so that what a form did not touch is
// sent as it was typed.

const isExact = (value, source) => String(value) === source || Number(source) === value
  && Math.abs(value) <= Number.MAX_SAFE_INTEGER && source.length <= 17;

/** Parses; a number that a double cannot hold becomes a raw JSON value, which text() writes again. */
export function parse(text) {
  return JSON.parse(text, (_, value, context) => {
    if (typeof value !== 'number' || !context?.source || isExact(value, context.source)) return value;
    return JSON.rawJSON ? JSON.rawJSON(context.source) : value;
  });
}

export const isRaw = (value) => Boolean(JSON.isRawJSON?.(value));
export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
  && !isRaw(value);
export const text = (value, indent = 2) => JSON.stringify(value, null, indent);
export const isNumberText = (source) => /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(source);

/** The inside of an object's braces: the members of `value`, and those of `texts`, {name: JSON text}, that have a text. */
export const membersText = (value, texts = {}) => [JSON.stringify(value).slice(1, -1),
  ...Object.entries(texts).map(([name, source]) => source && `${JSON.stringify(name)}:${source}`)].filter(Boolean).join(',');

/** One value as short text for a cell. */
export function short(value) {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  return isRaw(value) ? value.rawJSON : JSON.stringify(value);
}

const token = /\s*(?:([{}[\],:])|("(?:[^"\\]|\\.)*")|([^\s{}[\],:"]+))/y;

/** Reads valid JSON into nodes that know where they stand: {kind, start, end, members | items}. */
class Reader {
  constructor(source) {
    this.source = source;
    this.at = 0;
  }

  next() {
    token.lastIndex = this.at;
    const match = token.exec(this.source);
    if (!match) throw new SyntaxError('unexpected end');
    this.at = token.lastIndex;
    const word = match[1] ?? match[2] ?? match[3];
    return { word, start: this.at - word.length, end: this.at };
  }

  value(first = this.next()) {
    if (first.word === '{') return this.members(first.start);
    if (first.word === '[') return this.items(first.start);
    return { kind: 'scalar', start: first.start, end: first.end };
  }

  members(start) {
    const node = { kind: 'object', start, end: 0, members: [] };
    for (let word = this.next(); word.word !== '}'; word = this.next()) {
      const key = word.word === ',' ? this.next() : word;
      this.next();
      node.members.push({ name: JSON.parse(key.word), start: key.start, value: this.value() });
    }
    node.end = this.at;
    return node;
  }

  items(start) {
    const node = { kind: 'array', start, end: 0, items: [] };
    for (let word = this.next(); word.word !== ']'; word = this.next()) {
      node.items.push(this.value(word.word === ',' ? this.next() : word));
    }
    node.end = this.at;
    return node;
  }
}

function tree(source) {
  JSON.parse(source);
  return new Reader(source).value();
}

const child = (node, step) => (node?.kind === 'object'
  ? node.members.findLast(({ name }) => name === String(step))?.value : node?.items?.[step]);

/** The text of the value at a path, or undefined. */
export function textAt(source, path) {
  const node = path.reduce(child, tree(source));
  return node && source.slice(node.start, node.end);
}

const indentOf = (source, at) => /^[ \t]*/.exec(source.slice(source.lastIndexOf('\n', at - 1) + 1))[0];
const splice = (source, start, end, put) => source.slice(0, start) + put + source.slice(end);

function insert(source, node, step, put) {
  const parts = node.members ?? node.items;
  const word = node.kind === 'object' ? `${JSON.stringify(String(step))}: ${put}` : put;
  if (!parts.length) {
    const indent = indentOf(source, node.start);
    return splice(source, node.start + 1, node.end - 1, `\n${indent}  ${word}\n${indent}`);
  }
  const last = node.members ? parts.at(-1).value.end : parts.at(-1).end;
  const first = parts[0].start;
  const broken = source.slice(node.start, first).includes('\n');
  return splice(source, last, last, broken ? `,\n${indentOf(source, first)}${word}` : `, ${word}`);
}

/** The text with the value at a path replaced; objects on the way are made, the rest stays. */
export function setAt(source, path, put) {
  const whole = source.trim() === '' ? '{}' : source;
  let node = tree(whole);
  for (const [index, step] of path.entries()) {
    const next = child(node, step);
    if (!next && node.kind === 'scalar') throw new SyntaxError('the path ends at a scalar');
    if (!next) {
      const rest = path.slice(index + 1)
        .reduceRight((inner, name) => (Number.isInteger(name) ? `[${inner}]` : `{${JSON.stringify(name)}: ${inner}}`), put);
      return insert(whole, node, step, rest);
    }
    node = next;
  }
  return splice(whole, node.start, node.end, put);
}

/** The text without the member or item at a path. */
export function removeAt(source, path) {
  const parent = path.slice(0, -1).reduce(child, tree(source));
  const parts = parent?.members ?? parent?.items ?? [];
  const index = parent?.members ? parts.findLastIndex(({ name }) => name === path.at(-1)) : path.at(-1);
  if (!parts[index]) return source;
  const end = (part) => part.value?.end ?? part.end;
  if (parts.length === 1) return splice(source, parent.start + 1, parent.end - 1, '');
  return index === 0 ? splice(source, parts[0].start, parts[1].start, '')
    : splice(source, end(parts[index - 1]), end(parts[index]), '');
}
