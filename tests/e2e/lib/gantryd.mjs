// Runs the real gantryd on a free port and fails the test unless the server ends with code 0.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { gantryd, scratch } from './paths.mjs';
import { keepTrials, newState } from './trials.mjs';

const sanitizerReport = /(Address|Thread|Leak|UndefinedBehavior)Sanitizer|runtime error:/;
// Milliseconds for a step that ends in any case: with other work beside it, a sanitized server takes 20 s to start.
const patience = 120_000;
// Milliseconds until SIGTERM has ended it: calls get ten seconds (`shutdown_grace_ms`), then a sanitizer checks for leaks.
const farewell = 30_000;
const readyLine = /^gantryd ready (http:\/\/\S+\/mcp)\n/;

// A test that fails before it stops its server leaves it, and the file would wait for it until its time limit. The
// hooks of the file, which stop servers, come after this one.
const running = new Set();
const endAll = () => running.forEach((child) => child.kill('SIGKILL'));
process.on('exit', endAll);
if (process.argv[1]?.endsWith('.test.mjs')) (await import('node:test')).after(() => { setTimeout(endAll, 30_000).unref(); });

/** Has the child end with the tests of this file at the latest. */
export function endsWithUs(child) {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** An environment in which nothing of the user's is read or written. */
export function cleanEnvironment(extra = {}) {
  const home = scratch();
  const kept = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(GANTRY_|XDG_)/.test(name)));
  return {
    ...kept, HOME: home, XDG_STATE_HOME: home, XDG_RUNTIME_DIR: home, XDG_CACHE_HOME: home,
    XDG_CONFIG_HOME: home, UBSAN_OPTIONS: 'print_stacktrace=1', ...extra,
  };
}

/** Program and arguments; `shell` holds bash commands that run before gantryd, such as limits. */
const command = (flags, shell) => (shell
  ? ['bash', ['-c', `${shell}\nexec "$0" "$@"`, gantryd, ...flags]] : [gantryd, flags]);

/** Runs a gantryd that does not serve to its end: {code, stdout, stderr}. */
export async function runToEnd(flags, { env = {}, timeout = patience, shell, uid } = {}) {
  const [program, given] = command(flags, shell);
  const child = endsWithUs(spawn(program, given,
    { env: cleanEnvironment(env), stdio: ['ignore', 'pipe', 'pipe'], ...(uid ? { uid, gid: uid } : {}) }));
  const timer = setTimeout(() => child.kill('SIGKILL'), timeout);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (bytes) => { stdout += bytes; });
  child.stderr.on('data', (bytes) => { stderr += bytes; });
  const [code, signal] = await once(child, 'close');
  clearTimeout(timer);
  assert.doesNotMatch(stderr, sanitizerReport);
  return { code: code ?? signal, stdout, stderr };
}

/** Flags of a server whose test needs no built-in plugin: they take most of its start. */
export const noBuiltIns = ['--builtin-plugins', 'none'];

/** The flags every test server gets: a free port, nothing shared with other servers. */
export const ownFlags = () => ['--control', 'none', '--state', scratch()];

export class Server {
  /** Resolves at the ready line; rejects with gantryd's output if it ends before. */
  static async start({ db, flags = [], env = {}, uid, listen = '127.0.0.1:0', shell } = {}) {
    const server = new Server();
    const at = flags.indexOf('--state');
    const state = at < 0 ? newState() : flags[at + 1];
    const own = [...(flags.includes('--control') ? [] : ['--control', 'none']), ...(at < 0 ? ['--state', state] : [])];
    const all = ['--listen', listen, ...own, ...(db ? ['--db', db] : []), ...flags];
    const [program, given] = command(all, shell);
    server.child = endsWithUs(spawn(program, given, {
      env: cleanEnvironment(env), stdio: ['ignore', 'pipe', 'pipe'], ...(uid ? { uid, gid: uid } : {}),
    }));
    server.ended = once(server.child, 'close');
    server.stdout = '';
    server.stderr = '';
    server.child.stderr.on('data', (bytes) => { server.stderr += bytes; });
    await server.#ready();
    keepTrials(state);
    return server;
  }

  async #ready() {
    const seen = new Promise((resolve) => {
      this.child.stdout.on('data', (bytes) => {
        this.stdout += bytes;
        if (readyLine.test(this.stdout)) resolve();
      });
    });
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no ready line in time:\n${this.stderr}`)), patience);
    });
    const early = this.ended.then(([code]) => {
      throw new Error(`gantryd ended with ${code} before it was ready:\n${this.stderr}`);
    });
    try {
      await Promise.race([seen, late, early]);
    } catch (error) {
      this.child.kill('SIGKILL');
      throw error;
    } finally {
      clearTimeout(timer);
    }
    early.catch(() => {});
    this.url = new URL(readyLine.exec(this.stdout)[1]);
    this.port = Number(this.url.port);
  }

  /** Ends it without a chance to clean up. */
  async kill() {
    if (!this.child) return;
    this.child.kill('SIGKILL');
    await this.ended;
    this.child = undefined;
  }

  /** Lines that a plugin with damaged code may print in its worker, sanitizers' reports too; none. */
  damaged = /^\b$/;

  /** Stops by SIGTERM; a code other than 0, a sanitizer's report or chatter on stdout fails. */
  async stop(signal = 'SIGTERM') {
    if (!this.child) return;
    this.child.kill(signal);
    const timer = setTimeout(() => this.child.kill('SIGABRT'), farewell);
    const [code, killedBy] = await this.ended;
    clearTimeout(timer);
    this.child = undefined;
    const printed = this.stderr.split('\n').filter((line) => !this.damaged.test(line)).join('\n');
    const report = printed.search(sanitizerReport);
    assert.equal(report, -1, `a sanitizer's report:\n${printed.slice(Math.max(0, report - 2000), report + 4000)}`);
    assert.equal(killedBy ?? code, 0, `gantryd did not stop cleanly:\n${this.stderr.slice(-4000)}`);
    assert.match(this.stdout, /^gantryd ready \S+\n$/, 'only the ready line belongs on stdout');
  }
}
