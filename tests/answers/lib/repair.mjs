// Follows the repair that an error or a warning names, without understanding it. README.md has the rules.
const kWholePipeline = { $limit: 10000 };

/** JSON where it is JSON, else the text without its quotes. */
function meantValue(text) {
  const bare = /^(["'`])(.*)\1$/s.exec(text)?.[2];
  if (bare !== undefined) return bare;
  try { return JSON.parse(text); } catch { return text; }
}

/** {wrong, right} from a sentence such as "… 'statu' …; did you mean 'status'?". */
export function namedIn(sentence) {
  const [, before, meant] = /^(.*?)[Dd]id you mean (.+?)\?(?:\s|$)/s.exec(sentence) ?? [];
  if (meant === undefined) return undefined;
  const quoted = [...before.matchAll(/'([^']*)'|"([^"]*)"|`([^`]*)`/g)].map((m) => m[1] ?? m[2] ?? m[3]);
  const wrong = quoted.at(-1) ?? /^(\$\w+)/.exec(before)?.[1];
  return wrong === undefined ? undefined : { wrong, right: meantValue(meant) };
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The name as a whole text or as a part of a path, a reference or a list of names. */
function renamedText(text, wrong, right) {
  if (text === wrong) return right;
  if (wrong === '' || wrong.startsWith('$') || typeof right !== 'string') return text;
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}_])${escaped(wrong)}(?![\\p{L}\\p{N}_])`, 'gu'), () => right);
}

const renamedKey = (name, wrong, right) => (typeof right === 'string' ? renamedText(name, wrong, right) : name);

export function renamed(value, wrong, right) {
  if (typeof value === 'string') return renamedText(value, wrong, right);
  if (Array.isArray(value)) return value.map((element) => renamed(element, wrong, right));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value)
    .map(([name, inner]) => [renamedKey(name, wrong, right), renamed(inner, wrong, right)]));
}

/** Replaces in the last stage that names it: before that, the name still means the field of the class. */
function renamedLate(args, wrong, right) {
  const pipeline = [...args.pipeline];
  const i = pipeline.findLastIndex((stage) => JSON.stringify(renamed(stage, wrong, right)) !== JSON.stringify(stage));
  if (i >= 0) pipeline[i] = renamed(pipeline[i], wrong, right);
  return { ...args, pipeline };
}

const swapped = (value, wrong, right) => {
  if (JSON.stringify(value) === JSON.stringify(wrong)) return right;
  if (Array.isArray(value)) return value.map((element) => swapped(element, wrong, right));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, swapped(inner, wrong, right)]));
};

/** Replaces a literal where it stands under the name or beside its reference. */
function swappedBeside(value, name, wrong, right) {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    if (value.includes(`$${name}`)) return swapped(value, wrong, right);
    return value.map((element) => swappedBeside(element, name, wrong, right));
  }
  return Object.fromEntries(Object.entries(value)
    .map(([key, inner]) => [key, key === name ? swapped(inner, wrong, right) : swappedBeside(inner, name, wrong, right)]));
}

function ofMeant(sentence, args) {
  const named = namedIn(sentence);
  if (!named) return undefined;
  const literal = meantValue(named.wrong);
  if (typeof literal === 'number' && typeof named.right !== 'string') {
    const text = renamed(args, named.wrong, named.right);
    return swappedBeside(text, /'([^']+)'/.exec(sentence)[1], literal, named.right);
  }
  const isLate = /after the stages before/.test(sentence) && Array.isArray(args.pipeline);
  return (isLate ? renamedLate : renamed)(args, named.wrong, named.right);
}

function ofWritten(sentence, args) {
  const [, name, wrong, right] = /'\$?([^']+)'.* with (\S+) by .*[;,] write ([^\s{]+?)\.?$/s.exec(sentence) ?? [];
  return name && swappedBeside(args, name, meantValue(wrong), meantValue(right));
}

/** Replaces the expression over the same list, `{"$eq": ["$a", null]}`, by the one that is written. */
function ofExpression(sentence, args) {
  const [, json] = /[;,] write (\{"\$\w+": \[.*\]\})\.?$/s.exec(sentence) ?? [];
  if (!json) return undefined;
  const [[operator, list]] = Object.entries(JSON.parse(json));
  const written = (value) => {
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return value.map(written);
    const [[name, inner] = [], ...more] = Object.entries(value);
    const isSame = more.length === 0 && name?.startsWith('$') && JSON.stringify(inner) === JSON.stringify(list);
    return isSame ? { [operator]: list } : Object.fromEntries(Object.entries(value).map(([key, one]) => [key, written(one)]));
  };
  return written(args);
}

function ofCondition(sentence, args) {
  const [, json] = /leave them out with (\{.*\})\.?$/s.exec(sentence) ?? [];
  if (!json) return undefined;
  const condition = JSON.parse(json);
  if (Array.isArray(args.pipeline)) return { ...args, pipeline: [{ $match: condition }, ...args.pipeline] };
  return { ...args, where: args.where ? { $and: [condition, args.where] } : condition };
}

/** What stands for a comparison with one day: its condition, or as an expression of the field. */
function ofDay(sentence, args) {
  const [, day, name, json, operator] = /"([^"]+)" beside '\$?([^']+)'.* write (\{.*\}) instead of (\$\w+)\.?$/s.exec(sentence) ?? [];
  if (!json) return undefined;
  const bounds = JSON.parse(json);
  const inField = (value) => {
    if (value === day) return bounds;
    if (value?.[operator] !== day) return value;
    const { [operator]: _, ...others } = value;
    return { ...others, ...bounds };
  };
  const asExpression = { $and: Object.entries(bounds).map(([op, bound]) => ({ [op]: [`$${name}`, bound] })) };
  const written = (value) => {
    if (Array.isArray(value)) return value.map(written);
    if (value === null || typeof value !== 'object') return value;
    if (JSON.stringify(value) === JSON.stringify({ [operator]: [`$${name}`, day] })) return asExpression;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, key === name ? inField(inner) : written(inner)]));
  };
  return written(args);
}

const rules = [ofMeant, ofDay, ofWritten, ofExpression, ofCondition];

function ofSentence(sentence, args) {
  for (const rule of rules) {
    const mended = rule(sentence, args);
    if (mended) return mended;
  }
  return undefined;
}

function ofError({ error, details = {} }, args) {
  if (details.suggested_rewrite && details.denied_field) return renamed(args, details.denied_field, details.suggested_rewrite);
  return ofSentence(error ?? '', args);
}

function ofWarning(warning, args) {
  if (typeof warning === 'string') return ofSentence(warning, args);
  const { wrong, right } = warning.replace ?? {};
  if (wrong !== undefined && right !== undefined) return renamed(args, wrong, right);
  return ofSentence(Object.values(warning).filter((v) => typeof v === 'string').join(' '), args);
}

/** More rows were there than the answer holds. */
function ofBound(answer, { tool, arguments: args }) {
  if (answer.auto_limited) return { ...args, pipeline: [...args.pipeline, kWholePipeline] };
  if (answer.truncated === true && tool !== 'export_data') return { ...args, limit: 1000 };
  return undefined;
}

/** The call {tool, arguments} that the answer advises; undefined when it advises none that can be followed. */
export function repaired(call, outcome) {
  const { tool, arguments: args } = call;
  const advice = outcome.refusal?.details?.try ?? outcome.answer?.warnings?.find((w) => w?.try)?.try;
  if (advice) return { tool: advice.tool ?? tool, arguments: advice.arguments ?? advice };
  const warnings = outcome.answer?.warnings ?? [];
  const mended = outcome.refusal ? ofError(outcome.refusal, args)
    : warnings.reduce((last, warning) => ofWarning(warning, last ?? args) ?? last, undefined) ?? ofBound(outcome.answer, call);
  return mended && JSON.stringify(mended) !== JSON.stringify(args) ? { tool, arguments: mended } : undefined;
}

/** The answer doubts that it is what was meant. */
export const isWarned = ({ warnings = [] }) => warnings.length > 0;

/** The answer says that it holds not all rows. */
export const isBounded = ({ auto_limited, truncated, _truncated }) =>
  auto_limited === true || truncated === true || _truncated !== undefined;
