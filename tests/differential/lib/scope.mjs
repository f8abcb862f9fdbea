// Cases that are out of scope, and why.
import { readFileSync } from 'node:fs';

const namesType = new Set(['to', 'type', '$type', '$meta']);

/** Everything in a command that begins with a dollar sign and names something. */
export function operatorsIn(value, found = new Set()) {
  if (Array.isArray(value)) value.forEach((v) => operatorsIn(v, found));
  if (!(value instanceof Map)) return found;
  for (const [name, inner] of value) {
    if (/^\$[a-zA-Z]/.test(name)) found.add(String(name));
    operatorsIn(inner, found);
  }
  return found;
}

/** Texts that name a type or a variable of the system. */
function wordsIn(value, found = new Set(), isNamed = false) {
  if (typeof value === 'string' && (isNamed || value.startsWith('$$'))) found.add(value.split('.')[0]);
  if (Array.isArray(value)) value.forEach((v) => wordsIn(v, found, isNamed));
  if (value instanceof Map) value.forEach((v, name) => wordsIn(v, found, namesType.has(name)));
  return found;
}

/** Rules that each name a stage, an operator or a type, and exceptions that name a case. What
 *  MongoDB refuses stays in scope: that it is refused here is the right answer. */
export class Scope {
  constructor(scopeFile, exceptionsFile) {
    this.rules = JSON.parse(readFileSync(scopeFile, 'utf8')).rules;
    const { exceptions } = JSON.parse(readFileSync(exceptionsFile, 'utf8'));
    this.exceptions = new Map(exceptions.flatMap(({ id, ids = [id], reason }) => ids.map((one) => [one, { name: 'exception', reason }])));
  }

  /** The rule or exception that puts a case out of scope. */
  ruleFor({ id, command, expected }) {
    if (this.exceptions.has(id)) return this.exceptions.get(id);
    if (expected === undefined) return undefined;
    const operators = operatorsIn(command);
    const words = wordsIn(command);
    return this.rules.find(({ name, words: spelled = [name] }) => (
      spelled.some((word) => operators.has(word) || words.has(word))));
  }
}
