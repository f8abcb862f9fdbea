// gantryd with --stdio, driven line by line.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { cleanEnvironment, endsWithUs, ownFlags } from './gantryd.mjs';
import { gantryd } from './paths.mjs';
import { parseExact } from './rpc.mjs';

export class Stdio {
  static start({ db, flags = [], env = {} } = {}) {
    const pipe = new Stdio();
    pipe.child = endsWithUs(spawn(gantryd, ['--stdio', ...ownFlags(), ...(db ? ['--db', db] : []), ...flags],
      { env: cleanEnvironment(env) }));
    pipe.stderr = '';
    pipe.child.stderr.on('data', (bytes) => { pipe.stderr += bytes; });
    pipe.child.stdin.on('error', () => {});
    pipe.ended = once(pipe.child, 'close');
    pipe.messages = [];
    pipe.wake = () => {};
    createInterface({ input: pipe.child.stdout }).on('line', (line) => {
      pipe.messages.push(parseExact(line));  // a line that is no JSON fails the test
      pipe.wake();
    });
    return pipe;
  }

  write(text) { this.child.stdin.write(text); }
  send(message) { this.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`); }

  /** The first message for which `wanted` holds, taken out of those received. */
  async receive(wanted = () => true, timeout = 10000) {
    const end = Date.now() + timeout;
    for (;;) {
      const at = this.messages.findIndex(wanted);
      if (at >= 0) return this.messages.splice(at, 1)[0];
      assert.ok(Date.now() < end, `nothing came on stdout in time:\n${this.stderr.slice(-2000)}`);
      await new Promise((resolve) => { this.wake = resolve; setTimeout(resolve, 200); });
    }
  }

  async request(message) {
    this.send(message);
    return this.receive((answer) => answer.id === message.id);
  }

  /** Closes stdin; the process must end by itself with 0. */
  async end() {
    this.child.stdin.end();
    const timer = setTimeout(() => this.child.kill('SIGABRT'), 20000);
    const [code, signal] = await this.ended;
    clearTimeout(timer);
    assert.doesNotMatch(this.stderr, /Sanitizer|runtime error:/);
    assert.equal(signal ?? code, 0, this.stderr.slice(-4000));
  }
}
