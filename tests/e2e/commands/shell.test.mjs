// `gantry tools` and `gantry call`: a server's tools from a shell; and commands that there are not.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { until } from '../lib/events.mjs';
import { gantry, gantryProgram } from '../lib/gantry.mjs';
import { Server, cleanEnvironment } from '../lib/gantryd.mjs';
import { scratch } from '../lib/paths.mjs';
import { journal, logged, named, startScripts } from '../lib/script.mjs';
import { demoDatabase } from '../lib/shared.mjs';

const db = demoDatabase();
let server;
before(async () => { server = await Server.start({ db }); });
after(() => server.stop());

/** `gantry` with the server of this suite, or with the flags of `given`. */
const run = (words, given = ['--url', server.url.href], options) => gantry([...words, ...given], options);

/** Runs it with a text on standard input. */
async function piped(words, input) {
  const child = spawn(gantryProgram, words, { env: cleanEnvironment(), stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(input);
  let stdout = '';
  child.stdout.on('data', (bytes) => { stdout += bytes; });
  const [code] = await once(child, 'close');
  return { code, stdout };
}

describe('gantry tools', () => {
  test('is a table of names, categories and lines', async () => {
    const { code, stdout, stderr } = await run(['tools']);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^NAME +CATEGORY +DESCRIPTION\n/);
    assert.match(stdout, /\ncount_objects +query +\S/);
  });

  test('NAME shows arguments with types and defaults, and an example', async () => {
    const { code, stdout } = await run(['tools', 'query_class']);
    assert.equal(code, 0);
    assert.match(stdout, /\nclass_name +string +required/);
    assert.match(stdout, /\nlimit +integer +100/);
    assert.match(stdout, /\nExample: {2}gantry call query_class class_name=CLASS_NAME\n/);
    const json = JSON.parse((await run(['tools', 'query_class', '--json'])).stdout);
    assert.equal(json.inputSchema.type, 'object');
  });

  test('--signatures and --names are a line for each', async () => {
    assert.match((await run(['tools', '--signatures'])).stdout, /\ncount_objects\(class_name:str, \[/);
    assert.match((await run(['tools', '--names'])).stdout, /\ncount_objects\n/);
    assert.equal((await run(['tools', '--names', '--json'])).code, 2);
  });

  test('on a terminal, long lists go through $PAGER', async () => {
    const words = [gantryProgram, 'tools', '--url', server.url.href].map((word) => `'${word}'`).join(' ');
    const shown = (env) => execFileSync('script', ['-qec', `stty rows 5 cols 80; ${words}`, '/dev/null'], { env: { ...cleanEnvironment(), TERM: 'xterm', ...env }, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
    assert.match(shown({ PAGER: 'sed s/^/paged:/' }), /^paged:NAME/);
    assert.match(shown({ PAGER: 'cat' }), /^NAME/);
    assert.match(shown({ PAGER: '/nowhere/pager 2>&-' }), /NAME +CATEGORY/);
    assert.match(shown({ PAGER: 'true' }), /^$/);
  });

  test('a name that no tool has ends with 2 and the nearest', async () => {
    const { code, stdout, stderr } = await run(['tools', 'query_clas']);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /no tool 'query_clas'; did you mean 'query_class'\?/);
  });
});

describe('gantry call', () => {
  test('takes KEY=VALUE, JSON, and JSON of a file or on standard input', async () => {
    const plain = await run(['call', 'count_objects', 'class_name=countries']);
    assert.equal(plain.code, 0, plain.stderr);
    assert.equal(plain.stdout, '{\n    "class_name": "countries",\n    "count": 249\n}\n');
    for (const words of [['{"class_name":"countries"}'], ['class_name=countries', 'where={"alpha_2":"DE"}'],
      ['{"class_name":"scripts"}', 'class_name=countries']]) {
      const { code, stdout, stderr } = await run(['call', 'count_objects', '--json', ...words]);
      assert.equal(code, 0, stderr);
      assert.equal(JSON.parse(stdout).class_name, 'countries');
      assert.equal(stdout.trim().split('\n').length, 1);
    }
    const file = join(scratch(), 'arguments.json');
    writeFileSync(file, '{"class_name":"scripts"}');
    assert.equal(JSON.parse((await run(['call', 'count_objects', '--json', `@${file}`])).stdout).count, 182);
    assert.match((await run(['call', 'count_objects', '@/nowhere'])).stderr, /cannot read the file of @\/nowhere/);
    const { code, stdout } = await piped(['call', 'count_objects', '-', '--json', '--url', server.url.href], '{"class_name":"scripts"}');
    assert.deepEqual([code, JSON.parse(stdout).count], [0, 182]);
  });

  test('a repeated key is an array, and --table shows rows', async () => {
    const { code, stdout, stderr } = await run(['call', 'query_class', 'class_name=countries', 'keys=name', 'keys=alpha_3',
      'where={"alpha_2":"DE"}', '--table']);
    assert.equal(code, 0, stderr);
    const [head, row, end] = stdout.split('\n');
    assert.match(head, /\bname +alpha_3$/);
    assert.match(row, /\bGermany +DEU$/);
    assert.equal(end, '');
  });

  test('--table names the call for the next rows on standard error', async () => {
    const { stdout, stderr } = await run(['call', 'query_class', 'class_name=countries', 'limit=2', '--table']);
    assert.equal(stdout.trim().split('\n').length, 3);
    const next = /^There are more rows: gantry (call query_class '\{.*"skip":2.*\}' --table --url .*)\n$/.exec(stderr);
    assert.ok(next, stderr);
    const words = execFileSync('bash', ['-c', `printf '%s\\n' ${next[1]}`], { encoding: 'utf8' }).trim().split('\n');
    assert.equal((await gantry(words)).stdout.trim().split('\n').length, 3, 'the same server, the next page');
  });

  test('--table without rows says so', async () => {
    for (const words of [['query_class', 'class_name=countries', 'where={"alpha_2":"--"}'], ['query_sql', 'sql=SELECT name FROM countries WHERE 1=0']]) {
      assert.equal((await run(['call', ...words, '--table'])).stdout, 'no rows\n');
    }
  });

  test('--table fits a terminal, with rows as records where there are many columns', () => {
    const sql = `SELECT ${Array.from({ length: 40 }, (_, i) => `name AS column_${i}`).join(', ')} FROM countries LIMIT 2`;
    const words = [gantryProgram, 'call', 'query_sql', `sql=${sql}`, '--table', '--url', server.url.href].map((word) => `'${word}'`).join(' ');
    const shown = execFileSync('script', ['-qec', `stty rows 200 cols 80; ${words}`, '/dev/null'], { env: { ...cleanEnvironment(), TERM: 'xterm' }, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).split('\r\n');
    assert.match(shown[0], /^row 1$/);
    assert.match(shown[40], /^column_39 +\S/);
    assert.equal(shown[41], 'row 2');
    assert.ok(shown.every((line) => line.length <= 80));
  });

  test('a refusal of the tool ends with 1, and with --json is one line for programs', async () => {
    const plain = await run(['call', 'count_objects', 'class_name=nope']);
    assert.deepEqual([plain.code, plain.stdout], [1, '']);
    assert.match(plain.stderr, /^gantry: Class 'nope' is not accessible/);
    const json = await run(['call', 'count_objects', 'class_name=nope', '--json']);
    assert.equal(json.code, 1);
    assert.equal(JSON.parse(json.stderr).error.code, 'access_denied');
  });

  test('wrong usage ends with 2 and names the word', async () => {
    for (const [words, said] of [[['count_object', 'a=1'], /did you mean 'count_objects'/], [['query_class', 'limit=ten'], /limit needs an integer, got ten/],
      [['query_class', 'clas_name=a'], /no argument 'clas_name'; did you mean 'class_name'/], [['query_class', 'countries'], /neither a JSON object nor KEY=VALUE/],
      [['query_class', '[]'], /the arguments are a JSON object or KEY=VALUE, got \[\]/], [['query_class', '{"a":'], /the JSON is not valid at character 6: .*single ones/], [['query_class', '--json', '--table'], /excludes/], [[], /TOOL is required/]]) {
      const { code, stdout, stderr } = await run(['call', ...words]);
      assert.deepEqual([code, stdout], [2, ''], stderr);
      assert.match(stderr, said);
    }
  });
});

describe('the server', () => {
  test('is started for the call by the flags of gantryd', async () => {
    const before = readdirSync('/tmp').filter((name) => name.startsWith('gantry-own-'));
    const { code, stdout, stderr } = await run(['call', 'count_objects', 'class_name=countries', '--json'], ['--db', db]);
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal(JSON.parse(stdout).count, 249);
    const left = readdirSync('/tmp').filter((name) => name.startsWith('gantry-own-') && !before.includes(name));
    assert.deepEqual(left, []);
    const wrong = await run(['call', 'count_objects', 'class_name=a'], ['--db', '/nowhere/my.db']);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /^gantryd: the plugin 'data' does not start: .*\/nowhere\/my\.db does not exist/m);
  });

  test('is found by its control socket', async () => {
    const runtime = scratch();
    mkdirSync(join(runtime, 'gantry'), { mode: 0o700 });
    const env = { XDG_RUNTIME_DIR: runtime };
    const start = (name) => Server.start({ db, env, flags: ['--control', join(runtime, 'gantry', `gantryd-${name}.sock`)] });
    const first = await start(1);
    assert.equal((await run(['tools'], [], { env })).code, 0);
    const second = await start(2);
    const both = await run(['tools'], [], { env });
    assert.equal(both.code, 2);
    for (const { url } of [first, second]) assert.ok(both.stderr.includes(`--url ${url.href}`), both.stderr);
    await Promise.all([first.stop(), second.stop()]);
  });

  test('gets the key, and without it the sentence says where to give it', async () => {
    const own = await Server.start({ db, env: { GANTRY_API_KEY: 'sesame' } });
    const url = ['--url', own.url.href];
    assert.equal((await run(['tools'], [...url, '--key', 'sesame'])).code, 0);
    assert.equal((await run(['tools'], url, { env: { GANTRY_API_KEY: 'sesame' } })).code, 0);
    const none = await run(['tools'], url);
    assert.equal(none.code, 2);
    assert.match(none.stderr, /give it in GANTRY_API_KEY, or with --url URL --key KEY/);
    assert.match((await run(['tools'], [...url, '--key', 'wrong'])).stderr, /does not know this key: .*gantry key list/);
    await own.stop();
  });

  test('that is none, or is not there, is named', async () => {
    const other = createServer((_, answer) => { answer.writeHead(404); answer.end('no'); }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const at = `http://127.0.0.1:${other.address().port}`;
    const answered = await run(['tools'], ['--url', at]);
    assert.deepEqual([answered.code, /answered 404 and is no MCP server/.test(answered.stderr)], [2, true], answered.stderr);
    other.close();
    other.closeAllConnections();
    const broken = createServer((_, answer) => {
      answer.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      answer.write('{', () => answer.destroy());
    }).listen(0, '127.0.0.1');
    await once(broken, 'listening');
    const lost = await run(['tools'], ['--url', `http://127.0.0.1:${broken.address().port}`]);
    assert.deepEqual([lost.code, /the connection was lost before the whole answer came/.test(lost.stderr)], [2, true], lost.stderr);
    broken.close();
    const gone = await run(['tools'], ['--url', at]);
    assert.deepEqual([gone.code, /no server can be asked at .*; is gantryd running there\?/.test(gone.stderr)], [2, true], gone.stderr);
    assert.equal((await run(['tools'], ['--url', 'ftp://x'])).code, 2);
  });

  test('cancels the call at Ctrl-C', async () => {
    const scripts = await startScripts();
    const steps = JSON.stringify(named('stopped', { do: 'host_log', body: 'it began' }, { do: 'wait_cancel', ms: 20_000 }));
    const child = spawn(gantryProgram, ['call', 'script_blocking', steps, '--url', scripts.url.href],
      { env: cleanEnvironment(), stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', (bytes) => { stderr += bytes; });
    await logged(scripts, 'it began');
    child.kill('SIGINT');
    assert.deepEqual(await once(child, 'close'), [1, null]);
    assert.match(stderr, /cancelled/);
    await until(async () => (await journal(scripts, 'stopped')).includes('cancelled: 1'), 'the call learns of it');
    await scripts.stop();
  });
});

test('the help of a command is about that command', async () => {
  const top = await gantry(['--help']);
  assert.match(top.stdout, /Commands that ask a host.*Try: {2}gantry tools --db/s);
  const { code, stdout } = await gantry(['key', 'create', '--help']);
  assert.equal(code, 0);
  assert.match(stdout, /\n {2}AGENT REQUIRED +The profile.*\n {2}--expires TIME +How long.*Exit codes: 0 done/s);
  assert.doesNotMatch(stdout, /gantry tools|Commands that ask/);
  assert.doesNotMatch((await gantry(['call', '--help'])).stdout, /Excludes|Needs/);
  for (const command of ['describe', 'would-permit']) {  // they start a server of their own
    assert.doesNotMatch((await gantry(['agent', command, '--help'])).stdout, /--url|--key/);
  }
});

test('with --json every failure is JSON, also of the command line itself', async () => {
  const nobody = ['--control', '/nowhere.sock'];
  for (const [words, said] of [[['chat', '--ask', 'x'], /LLM_PROVIDER/], [['tools', 'nope', '--url', server.url.href], /no tool 'nope'/],
    [['tools', '--names', '--url', server.url.href], /excludes/], [['writes', 'show', 'x', ...nobody], /nowhere\.sock/],
    [['undo', 'x'], /no terminal to ask at/], [['sessions', ...nobody], /nowhere\.sock/], [['sessions', '--end', 'x', ...nobody], /nowhere\.sock/],
    [['key', 'revoke', 'x', '--state', '/proc/none'], /\/proc\/none/], [['approvals', 'list', ...nobody], /nowhere\.sock/],
    [['approvals', 'accept', 'x'], /./], [['audit', '--since', 'soon'], /--since takes/], [['plugn'], /unknown command 'plugn'/],
    [['call', 'nope', '--url', 'http://127.0.0.1:1/mcp'], /no server can be asked/]]) {
    const { code, stdout, stderr } = await gantry([...words, '--json']);
    assert.deepEqual([code, stdout], [2, ''], `${words}: ${stderr}`);
    const { error, ...rest } = JSON.parse(stderr.trim());
    assert.match(error.message, said);
    assert.deepEqual([Object.keys(error), rest], [['code', 'message'], {}]);
  }
});

test('a word that is no command is named with the nearest', async () => {
  for (const [words, said] of [[['plugn', 'list'], /unknown command 'plugn'; did you mean 'plugin'\?\nRun gantry --help/],
    [['plugin', 'lst'], /unknown command 'lst'; did you mean 'list'\?\nRun gantry plugin --help/], [['zzzzzzz'], /unknown command 'zzzzzzz'\n/],
    [[], /A subcommand is required/]]) {
    const { code, stderr } = await gantry(words);
    assert.equal(code, 2);
    assert.match(stderr, said);
  }
  assert.match((await gantry(['help'])).stdout, /Usage: gantry/);
  assert.match((await gantry(['help', 'call'])).stdout, /KEY=VALUE/);
  assert.match((await gantry(['version'])).stdout, /^gantry \d+\.\d+\.\d+/);
});
