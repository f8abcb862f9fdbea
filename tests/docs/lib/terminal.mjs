// One bash that runs commands, one at a time, in a directory of its own; and a second one for a server.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pattern } from './blocks.mjs';
import { endsWithUs } from '../../e2e/lib/gantryd.mjs';

const kPatience = 300_000, kStart = 60_000;  // ms: a command may compile, a server only starts
const mark = '\u001e';

/** Where a command stands, for messages. */
const at = ({ command, line }) => `line ${line}: ${command}`;

/** As a key of the terminal does: to all processes of the command. */
function signal(child, name) {
  try {
    process.kill(-child.pid, name);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

export class Terminal {
  #bash;
  #output = '';
  #code = 0;
  #serving;

  constructor(directory, env) {
    this.directory = directory;
    this.env = env;
    this.#bash = endsWithUs(spawn('bash', ['--noprofile', '--norc'], { cwd: directory, env, stdio: ['pipe', 'pipe', 'inherit'] }));
    this.#bash.stdout.setEncoding('utf8').on('data', (text) => { this.#output += text; });
    this.#bash.stdin.on('error', () => {});
  }

  /** Runs a command and compares what it prints with what is shown. A code other than 0 must be shown by the next
   *  command, `echo $?`. */
  async run(one, next) {
    const { output, code } = await this.#run(one.command);
    if (one.shown?.length) {
      const wanted = new RegExp(`^${pattern(one.shown)}$`);
      const said = output === '' || output.endsWith('\n') ? output : `${output}\n`;
      assert.ok(wanted.test(said), `${at(one)}\nshown:\n${one.shown.join('\n')}\nprinted:\n${output}`);
    }
    assert.ok(code === 0 || next?.command === 'echo $?', `${at(one)}\nended with ${code}:\n${output}`);
  }

  async #run(command) {
    this.#output = '';
    this.#bash.stdin.write(`IFS= read -r -d '${mark}' typed\n${command}\n${mark}(exit ${this.#code})\n`
      + `eval "$typed" </dev/null 2>&1\nended=$?; printf '${mark}%d %s\\n' "$ended" "$PWD"\n`);
    const deadline = Date.now() + kPatience;
    let end;
    while (!(end = /\u001e(\d+) (.*)\n$/.exec(this.#output))) {
      assert.ok(Date.now() < deadline, `no end of: ${command}\n${this.#output}`);
      assert.equal(this.#bash.exitCode, null, `the shell ended at: ${command}\n${this.#output}`);
      await new Promise((resolve) => { setTimeout(resolve, 5); });
    }
    this.#code = Number(end[1]);
    this.directory = end[2];
    return { output: this.#output.slice(0, end.index), code: this.#code };
  }

  /** Presses Ctrl-C at the server of the second terminal, and starts this one there. Resolves when it has printed what
   *  is shown. */
  async serve(one) {
    await this.interrupt();
    const child = endsWithUs(spawn('bash', ['--noprofile', '--norc', '-c', `exec 2>&1; ${one.command}`],
      { cwd: this.directory, env: this.env, stdio: ['ignore', 'pipe', 'inherit'], detached: true }));
    const serving = { ...one, child, output: '', ended: once(child, 'exit') };
    child.stdout.setEncoding('utf8').on('data', (text) => { serving.output += text; });
    const wanted = new RegExp(`^${pattern(one.shown)}`);
    const deadline = Date.now() + kStart;
    while (!wanted.test(serving.output)) {
      const goesOn = child.exitCode === null;
      if (!goesOn || Date.now() > deadline) {
        if (goesOn) signal(child, 'SIGKILL');
        assert.fail(`${at(one)}\nshown:\n${one.shown.join('\n')}\nprinted:\n${serving.output}`);
      }
      await new Promise((resolve) => { setTimeout(resolve, 20); });
    }
    this.#serving = serving;
  }

  async interrupt() {
    if (!this.#serving) return;
    const { child, ended, ...one } = this.#serving;
    this.#serving = undefined;
    signal(child, 'SIGINT');
    const timer = setTimeout(() => signal(child, 'SIGKILL'), 30_000);
    const [code, killedBy] = await ended;
    clearTimeout(timer);
    assert.equal(killedBy ?? code, 0, `${at(one)}\ndid not end well at Ctrl-C:\n${one.output}`);
  }

  async close() {
    this.#bash.stdin.end();
    try {
      await this.interrupt();
    } finally {
      this.#bash.kill('SIGKILL');
    }
  }
}
