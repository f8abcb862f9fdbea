// `gantry console`: with input from a pipe, and on a terminal of tmux.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { until } from '../lib/events.mjs';
import { gantryProgram } from '../lib/gantry.mjs';
import { Server, cleanEnvironment } from '../lib/gantryd.mjs';
import { scratch } from '../lib/paths.mjs';
import { journal, logged, named, startScripts } from '../lib/script.mjs';
import { demoDatabase } from '../lib/shared.mjs';

const db = demoDatabase();
let server;
before(async () => { server = await Server.start({ db }); });
after(() => server.stop());

/** The console with these lines on standard input: {code, stdout, stderr}. */
async function piped(lines, { flags = ['--url', server.url.href], env = {} } = {}) {
  const child = spawn(gantryProgram, ['console', ...flags], { env: cleanEnvironment(env), stdio: 'pipe' });
  child.stdin.end(lines.join('\n'));
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (bytes) => { stdout += bytes; });
  child.stderr.on('data', (bytes) => { stderr += bytes; });
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}

describe('without a terminal', () => {
  test('each command answers on standard output, without a prompt', async () => {
    const { code, stdout, stderr } = await piped(['count countries', '', 'q countries where={"alpha_2":"DE"} keys=name keys=alpha_3']);
    assert.equal(code, 0, stderr);
    assert.equal(stdout, 'class_name  countries\ncount       249\nname     alpha_3\nGermany  DEU\n');
    assert.equal(stderr, '');
  });

  test('open brackets continue on the next line', async () => {
    const { code, stdout } = await piped(['q countries where={"alpha_2":', '"FR"} keys=["name",', '"alpha_3"]']);
    assert.equal(code, 0);
    assert.match(stdout, /\nFrance +FRA\n/);
  });

  test('schemas, schema, tools, t, prompts, prompt, dispatch and help', async () => {
    const shows = async (line, pattern) => {
      const { code, stdout, stderr } = await piped([line]);
      assert.equal(code, 0, stderr);
      assert.match(stdout, pattern);
    };
    await shows('schemas', /\ncountries +/);
    await shows('schemas lang', /\nlanguages +/);
    await shows('schema currencies', /\ncountry +Pointer/);
    await shows('tools', /^NAME +CATEGORY/);
    await shows('tools query_class', /\nquery_class\(class_name:str, /);
    await shows('t count_objects {"class_name":"scripts"}', /"count": 182/);
    await shows('prompts', /\nclass_overview +class_name/);
    await shows('prompt class_overview class_name=countries', /^user:\n.*countries/);
    await shows('dispatch tools/list', /"name": "query_class"/);
    await shows('dispatch tools/call {"name":"count_objects","arguments":{"class_name":"scripts"}}', /182/);
    await shows('help', /q CLASS/);
  });

  test('a command that fails is explained, the rest runs, and the exit code is 1', async () => {
    for (const [line, said] of [['coun countries', /no command 'coun'; did you mean 'count'/], ['q', /needs the name of a class/],
      ['q nope', /Class 'nope' is not accessible/], ['t nope', /no tool 'nope'/], ['q countries limit=ten', /limit needs an integer/],
      ['dispatch tools/list []', /one JSON object/], ['prompt nope', /nope/], ['ask why', /set LLM_PROVIDER/]]) {
      const { code, stdout, stderr } = await piped([line, 'count countries'], { env: { LLM_PROVIDER: '' } });
      assert.equal(code, 1, line);
      assert.match(stderr, said);
      assert.match(stdout, /249/);
    }
  });

  test('exit leaves, a server of its own is started, and no server ends with 2', async () => {
    const left = await piped(['exit', 'count countries'], { flags: ['--db', db] });
    assert.deepEqual([left.code, left.stdout], [0, '']);
    const none = await piped(['help'], { flags: ['--url', 'http://127.0.0.1:1'] });
    assert.equal(none.code, 2);
    assert.match(none.stderr, /no server can be asked/);
  });
});

test('a reader that leaves early leaves no server of the console behind', async () => {
  const own = () => readdirSync('/tmp').filter((name) => name.startsWith('gantry-own-'));
  const before = own();
  const lines = Array(30).fill('t get_all_schemas').join('\n');
  execFileSync('bash', ['-c', `"$0" console --db "$1" <<< "$2" 2>/dev/null | head -1`, gantryProgram, db, lines], { env: cleanEnvironment() });
  // Consoles of other tests run beside it, and end.
  const added = own().filter((name) => !before.includes(name));
  await until(() => own().every((name) => !added.includes(name)), 'the end of the server', 30_000);
});

/** A terminal in which the console runs. */
class Terminal {
  constructor(flags, env = {}) {
    this.socket = join(scratch(), 'tmux');
    this.env = { ...cleanEnvironment(env), TERM: 'xterm', LC_ALL: 'C.UTF-8' };
    const words = ['console', ...flags].map((word) => `'${word}'`).join(' ');
    this.tmux('-u', 'new-session', '-d', '-s', 't', '-x', '120', '-y', '40', `'${gantryProgram}' ${words}; echo "ended with $?"; sleep 60`);
  }
  tmux(...words) { return execFileSync('tmux', ['-S', this.socket, '-f', '/dev/null', ...words], { env: this.env, encoding: 'utf8' }); }
  type(text) { this.tmux('send-keys', '-t', 't', '-l', text); }
  keys(...names) { this.tmux('send-keys', '-t', 't', ...names); }
  async shows(pattern) {
    let screen = '';
    await until(() => { screen = this.tmux('capture-pane', '-p', '-t', 't'); return pattern.test(screen); }, `${pattern}`)
      .catch((error) => { throw new Error(`${error.message}\n${screen}`); });
  }
  end() { this.tmux('kill-server'); }
}

describe('on a terminal', () => {
  test('Tab completes, lines continue, the history stays, and Ctrl-D leaves', async () => {
    const state = scratch();
    const terminal = new Terminal(['--url', server.url.href], { XDG_STATE_HOME: state });
    try {
      await terminal.shows(/gantry>/);
      terminal.type('cou');
      terminal.keys('Tab');
      await terminal.shows(/gantry> count *$/m);
      terminal.type('countri');
      terminal.keys('Tab');
      await terminal.shows(/gantry> count countries *$/m);
      terminal.keys('Enter');
      await terminal.shows(/count +249/);
      terminal.type('q countries lim');
      terminal.keys('Tab');
      await terminal.shows(/limit=/);
      terminal.type('1 format=m');
      terminal.keys('Tab');
      await terminal.shows(/limit=1 format=markdown/);
      terminal.keys('C-c');
      await terminal.shows(/\^C\ngantry> *\n/);
      terminal.type('q scripts where={"name":');
      terminal.keys('Enter');
      await terminal.shows(/\.\.\.>/);
      terminal.type('"Größe"}');
      terminal.keys('Enter');
      await terminal.shows(/gantry> *\n*$/);
      terminal.type(' count scripts');
      terminal.keys('Enter');
      await terminal.shows(/count +182/);
      terminal.type('t quer');
      terminal.keys('Tab', 'Tab');
      await terminal.shows(/\n ?query_class/);
      terminal.keys('C-c');
      terminal.keys('C-d');
      await terminal.shows(/ended with 0/);
    } finally {
      terminal.end();
    }
    const file = join(state, 'gantry', 'console_history');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const history = readFileSync(file, 'utf8');
    assert.match(history, /count\\040countries/);
    assert.ok(!history.includes('scripts\n') || !history.includes('\\040count\\040scripts'), 'a line that begins with a blank is not kept');
    const again = new Terminal(['--url', server.url.href], { XDG_STATE_HOME: state });
    try {
      await again.shows(/gantry>/);
      again.keys('Up', 'Up');
      await again.shows(/gantry> count countries/);
    } finally {
      again.end();
    }
  });

  test('Ctrl-C cancels the call, and the console goes on', async () => {
    const scripts = await startScripts();
    const steps = JSON.stringify(named('stopped', { do: 'host_log', body: 'it began' }, { do: 'wait_cancel', ms: 20_000 }));
    const terminal = new Terminal(['--url', scripts.url.href]);
    try {
      await terminal.shows(/gantry>/);
      terminal.type(`t script_blocking ${steps}`);
      terminal.keys('Enter');
      await logged(scripts, 'it began');
      terminal.keys('C-c');
      await terminal.shows(/cancelled/);
      await until(async () => (await journal(scripts, 'stopped')).includes('cancelled: 1'), 'the call learns of it');
      terminal.type('exit');
      terminal.keys('Enter');
      await terminal.shows(/ended with 0/);
    } finally {
      terminal.end();
      await scripts.stop();
    }
  });
});
