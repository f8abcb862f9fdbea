// Runs `gantry chat` against a scripted provider, through pipes or on a terminal.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { until } from './events.mjs';
import { gantryProgram } from './gantry.mjs';
import { cleanEnvironment, endsWithUs } from './gantryd.mjs';

/** Runs it to its end with lines on standard input: {code, stdout, stderr}. `begun` gets the process. */
export async function chat(provider, words, { lines = [], env = {}, timeout = 60000, begun = () => {} } = {}) {
  const child = endsWithUs(spawn(gantryProgram, ['chat', ...words], { env: { ...cleanEnvironment(), ...provider?.env(), ...env } }));
  const timer = setTimeout(() => child.kill('SIGKILL'), timeout);
  begun(child);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => { stdout += text; });
  child.stderr.setEncoding('utf8').on('data', (text) => { stderr += text; });
  child.stdin.on('error', () => {});
  child.stdin.end(lines.map((line) => `${line}\n`).join(''));
  const [code, signal] = await once(child, 'close');
  clearTimeout(timer);
  assert.doesNotMatch(stderr, /Sanitizer|runtime error:/);
  return { code: code ?? signal, stdout, stderr };
}

/** A chat on a pseudo terminal of its own. */
export class ChatTerminal {
  static start(provider, words, { env = {} } = {}) {
    const it = new ChatTerminal();
    // `exec`: a shell that waited would end with 130 by the same Ctrl-C.
    const command = `exec ${[gantryProgram, 'chat', ...words].map((word) => `'${word}'`).join(' ')}`;
    it.child = endsWithUs(spawn('script', ['-qefc', command, '/dev/null'],
      { env: { ...cleanEnvironment(), ...provider.env(), TERM: 'xterm', NO_COLOR: '1', ...env }, stdio: ['pipe', 'pipe', 'inherit'] }));
    it.shown = '';
    it.seen = 0;
    it.child.stdout.setEncoding('utf8').on('data', (text) => { it.shown += text; });
    it.ended = once(it.child, 'close');
    return it;
  }

  type(text) { this.child.stdin.write(text); }
  say(line) { this.type(`${line}\r`); }
  interrupt() { this.type('\x03'); }

  /** Waits until what came since the last call matches; the match. */
  async shows(pattern) {
    let found;
    await until(() => { found = pattern.exec(this.shown.slice(this.seen)); return found; }, `${pattern} in ${JSON.stringify(this.shown.slice(this.seen))}`)
      .catch((error) => { throw new Error(`${error.message}\n${this.shown}`); });
    this.seen += found.index + found[0].length;
    return found;
  }

  /** Leaves by /exit: the exit code. */
  async leave() {
    this.say('/exit');
    const [code] = await this.ended;
    assert.doesNotMatch(this.shown, /Sanitizer|runtime error:/);
    return code;
  }
}

/** The results of tools in the last request, as [text, isError?]. */
export function resultsIn(body) {
  const last = body.messages.at(-1);
  if (last.role === 'tool') {
    const from = body.messages.findLastIndex(({ role }) => role === 'assistant');
    return body.messages.slice(from + 1).map(({ content }) => content);
  }
  return last.content.filter(({ type }) => type === 'tool_result').map(({ content }) => content);
}

/** What the user said in a request, in either form, without results. */
export const saidIn = ({ messages }) => messages.filter(({ role }) => role === 'user')
  .flatMap(({ content }) => (typeof content === 'string' ? [content] : content.filter(({ type }) => type === 'text').map(({ text }) => text)));

export const toolsIn = ({ tools = [] }) => tools.map((tool) => tool.name ?? tool.function.name);
