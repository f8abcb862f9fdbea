// Follows the repair that an error or a warning names, without understanding it. README.md has the rules.
/** {wrong, right} from a sentence such as "… 'statu' …; did you mean 'status'?". */
export function namedIn(sentence) {
  const upTo = sentence.search(/[Dd]id you mean/);
  if (upTo < 0) return undefined;
  const [, right] = /[Dd]id you mean ["'`]?([^"'`?]+?)["'`]?\?/.exec(sentence.slice(upTo)) ?? [];
  const before = sentence.slice(0, upTo);
  const quoted = [...before.matchAll(/'([^']+)'|"([^"]+)"|`([^`]+)`/g)].map((m) => m[1] ?? m[2] ?? m[3]);
  const wrong = quoted.at(-1) ?? /^(\$\w+)/.exec(before)?.[1];
  return right && wrong ? { wrong, right } : undefined;
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The name as a whole text or as a part of a path, a reference or a list of names. */
function renamedText(text, wrong, right) {
  if (text === wrong) return right;
  if (wrong.startsWith('$')) return text;
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}_])${escaped(wrong)}(?![\\p{L}\\p{N}_])`, 'gu'), () => right);
}

export function renamed(value, wrong, right) {
  if (typeof value === 'string') return renamedText(value, wrong, right);
  if (Array.isArray(value)) return value.map((element) => renamed(element, wrong, right));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [renamedText(name, wrong, right), renamed(inner, wrong, right)]));
}

function ofSentence(sentence, args) {
  const named = namedIn(sentence);
  return named && renamed(args, named.wrong, named.right);
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
  if (answer.auto_limited) return { ...args, pipeline: [...args.pipeline, { $limit: 10000 }] };
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
