// The verdict of an outcome: right, wrong, refused, accepted or out of scope.
import { isForeignField } from './forms.mjs';
import { Num } from './values.mjs';

const kFaults = new Set(['internal_error', 'store_error', 'timeout', '-32603']);

function without(document, name) {
  if (!(document instanceof Map)) return document;
  const rest = new Map(document);
  rest.delete(name);
  return rest;
}

/** The part of a tool's answer that answers the command. */
function valueOf({ one, call }, answer) {
  if (call.answer === 'counted') return answer.get('results')[0]?.get('n') ?? new Num('int', 0n);
  const value = answer.get(call.answer);
  if (one.idsOnly) return value.map((row) => row.get('objectId'));
  return call.hidesId ? value.map((row) => without(row, 'objectId')) : value;
}

/** {verdict, value?, message?}; undefined when the form does not fit the case after all. */
export function judge(ask, outcome) {
  const wantsError = ask.one.expected === undefined;
  if (outcome.refusal) {
    const { code, message } = outcome.refusal;
    if (kFaults.has(code)) return { verdict: 'wrong', message: `${code}: ${message}` };
    if (wantsError) return { verdict: 'right', message };
    return isForeignField(ask, outcome.refusal) ? undefined : { verdict: 'refused', message: `${code}: ${message}` };
  }
  const value = valueOf(ask, outcome.answer);
  if (wantsError) return { verdict: 'accepted', value };
  return { verdict: ask.same(ask.one.expected, value) ? 'right' : 'wrong', value };
}
