// Plugins follow their files and the configuration while the server serves. Every way to replace a
// file takes effect within a second; an invalid configuration changes nothing.
import assert from 'node:assert/strict';
import {
  appendFileSync, copyFileSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { pause, until } from '../lib/events.mjs';
import { Server } from '../lib/gantryd.mjs';
import { listen, lists } from '../lib/listen.mjs';
import { ask, modern } from '../lib/rpc.mjs';
import { isolate, logged, script, testPlugin, withStateVersion } from '../lib/script.mjs';
import { gantryd, scratch } from '../lib/paths.mjs';

const soon = 1000;  // milliseconds within which every change takes effect

const tools = async (server) => (await modern(server, 'tools/list', {})).message.result.tools.map(({ name }) => name);
const has = async (server, name) => (await tools(server)).includes(name);
const generation = async (server, plugin) => {
  const text = await (await fetch(new URL('/metrics', server.url))).text();
  const line = text.split('\n').find((one) => one.startsWith(`gantry_plugin_generation{plugin="${plugin}"}`));
  return line ? Number(line.split(' ')[1]) : 0;
};

/** Fails unless the plugin's generation becomes another one in time. */
async function swapped(server, plugin, what, within = soon) {
  const before = await generation(server, plugin);
  await what();
  await until(async () => ![0, before].includes(await generation(server, plugin)), `another ${plugin}`, within);
}

function configured(file, { plugins = {}, ...config }) {
  const sections = Object.fromEntries(['script-rounds', 'script-serial'].map((name) => [name, { isolate, ...plugins[name] }]));
  writeFileSync(file, JSON.stringify({ builtin_plugins: 'none', plugins: sections, ...config }));
}

async function start(config) {
  const file = join(scratch(), 'gantry.json');
  configured(file, config);
  const server = await Server.start({ flags: ['--config', file] });
  return { server, configure: (next) => configured(file, next), file };
}

describe('a file in a plugin directory', () => {
  const builds = [1, 2].map((version) => withStateVersion('script-rounds', version));
  let directory;
  let file;
  let server;
  let turn = 0;
  const build = () => builds[++turn % 2];
  before(async () => {
    directory = join(scratch(), 'plugins');
    mkdirSync(directory);
    file = join(directory, 'rounds.so');
    copyFileSync(build(), file);
    ({ server } = await start({ plugin_directories: [directory] }));
    assert.ok(await has(server, 'rounds'));
  });
  after(() => server.stop());

  test('that is renamed over', () => swapped(server, 'script-rounds', () => {
    copyFileSync(build(), join(directory, '.next'));
    renameSync(join(directory, '.next'), file);
  }));
  test('that is copied over', () => swapped(server, 'script-rounds', () => copyFileSync(build(), file)));
  test('that is written in place, slowly', async () => {
    const bytes = readFileSync(build());
    const quarter = Math.ceil(bytes.length / 4);
    await swapped(server, 'script-rounds', async () => {
      writeFileSync(file, '');
      for (let at = 0; at < bytes.length; at += quarter) {
        appendFileSync(file, bytes.subarray(at, at + quarter));
        await pause(60);
        assert.ok(await has(server, 'rounds'), 'the old one serves on');
      }
    });
  });
  test('that becomes a link, which is then redirected', async () => {
    const links = [1, 2].map((version) => builds[version - 1]);
    const turnTo = (target) => () => {
      rmSync(join(directory, '.link'), { force: true });
      symlinkSync(target, join(directory, '.link'));
      renameSync(join(directory, '.link'), file);
    };
    await swapped(server, 'script-rounds', turnTo(links[++turn % 2]));
    await swapped(server, 'script-rounds', turnTo(links[++turn % 2]));
  });
  test('that is removed and returns as a hard link', async () => {
    rmSync(file);
    await until(async () => !(await has(server, 'rounds')), 'the plugin to go', soon);
    const beside = join(scratch(), 'beside.so');
    copyFileSync(build(), beside);
    try {
      linkSync(beside, file);
    } catch {
      copyFileSync(beside, file);  // another file system
    }
    await until(() => has(server, 'rounds'), 'the plugin', soon);
  });
  test('that is broken leaves the old one serving, and a good one follows', async () => {
    // The tools are listed a moment before the metrics name their generation.
    await until(async () => await generation(server, 'script-rounds') !== 0, 'its generation', soon);
    const before = await generation(server, 'script-rounds');
    writeFileSync(file, readFileSync(file).subarray(0, 5000));
    await pause(soon);
    assert.equal(await generation(server, 'script-rounds'), before);
    assert.ok(await has(server, 'rounds'));
    await swapped(server, 'script-rounds', () => copyFileSync(build(), file));
  });
  test('with the same offer sends subscribers nothing; a removed file sends one message', async () => {
    const call = await listen(server, { toolsListChanged: true });
    await swapped(server, 'script-rounds', () => copyFileSync(build(), file));
    await pause(400);
    assert.equal(lists(call, 'tools'), 0);
    rmSync(file);
    await until(() => lists(call, 'tools') === 1, 'the changed list', soon);
    copyFileSync(build(), file);
    await until(() => lists(call, 'tools') === 2, 'the changed list', soon);
    await pause(400);
    assert.equal(lists(call, 'tools'), 2);
    await call.drop();
  });
});

describe('a configuration that changes', () => {
  const files = ['script-rounds'].map(testPlugin);

  test('gives a plugin whose section differs a new generation, and no other', async () => {
    const both = [...files, testPlugin('script-serial')];
    const { server, configure } = await start({ plugin_files: both });
    const other = await generation(server, 'script-rounds');
    await swapped(server, 'script-serial', () => configure({
      plugin_files: both, plugins: { 'script-serial': { worker: { descriptors: 128 } } },
    }));
    assert.equal(await generation(server, 'script-rounds'), other);
    assert.match(await logged(server, 'configuration read again'), /plugins\.script-serial/);
    await server.stop();
  });

  test('adds and removes files and directories', async () => {
    const directory = join(scratch(), 'more');
    mkdirSync(directory);
    copyFileSync(testPlugin('script-serial'), join(directory, 'serial.so'));
    const { server, configure } = await start({ plugin_files: files });
    configure({ plugin_files: files, plugin_directories: [directory] });
    await until(() => has(server, 'serial'), 'the plugin of the directory', 2 * soon);
    configure({ plugin_directories: [directory] });
    await until(async () => !(await has(server, 'rounds')), 'the file to go', 2 * soon);
    rmSync(join(directory, 'serial.so'));  // the new directory is watched
    await until(async () => !(await has(server, 'serial')), 'the plugin to go', soon);
    await server.stop();
  });

  test('disables a plugin and enables it again', async () => {
    const { server, configure } = await start({ plugin_files: files });
    configure({ plugin_files: files, plugins: { 'script-rounds': { enabled: false } } });
    await until(async () => !(await has(server, 'rounds')), 'the plugin to go', 2 * soon);
    configure({ plugin_files: files });
    await until(() => has(server, 'rounds'), 'the plugin', 2 * soon);
    await server.stop();
  });

  test('into an invalid one changes nothing and is logged once', async () => {
    const { server, file, configure } = await start({ plugin_files: files });
    writeFileSync(file, '{ "plugin_files": [], ');
    const line = await logged(server, 'is not taken over');
    assert.match(line, /gantry\.json/);
    writeFileSync(file, '{ "plugin_files": [], ');
    await pause(600);
    assert.ok(await has(server, 'rounds'));
    assert.equal(server.stderr.split('is not taken over').length, 2);
    configure({ plugin_files: [...files, testPlugin('script-serial')] });
    await until(() => has(server, 'serial'), 'the file that is valid again', 2 * soon);
    await server.stop();
  });

  test('names the settings that need a restart', async () => {
    const { server, configure } = await start({ plugin_files: files });
    configure({ plugin_files: files, limits: { max_calls: 7 }, log_level: 'info', shutdown_grace_ms: 9000 });
    assert.match(await logged(server, 'need a restart'), /shutdown_grace_ms, limits\.max_calls/);
    assert.ok(await has(server, 'rounds'));
    await server.stop();
  });

  test('is read again at SIGHUP, which does not end the server', async () => {
    const { server } = await start({ plugin_files: files });
    server.child.kill('SIGHUP');
    await logged(server, 'configuration read again');
    assert.ok(await ask(server, 'rounds', script()));
    await server.stop();
  });
});

const builtIn = (name) => join(dirname(dirname(gantryd)), 'plugins', `${name}.so`);

test('the data engine is unmapped after its end, also when threads have used named time zones', async () => {
  const builtIns = join(scratch(), 'built-in');
  mkdirSync(builtIns);
  for (const name of ['data', 'aggregate']) copyFileSync(builtIn(name), join(builtIns, `${name}.so`));
  const db = join(scratch(), 'times.db');
  const writer = new DatabaseSync(db);
  writer.exec("CREATE TABLE t (id INTEGER PRIMARY KEY, created_at TEXT); INSERT INTO t VALUES (1, '2026-07-01T23:30:00Z')");
  writer.close();
  const server = await Server.start({ db, flags: ['--builtin-plugins', builtIns] });
  // Libraries that are neither the system's nor the program itself, by inode.
  const mapped = () => new Set(readFileSync(`/proc/${server.child.pid}/maps`, 'utf8').split('\n')
    .filter((line) => / r-xp /.test(line) && /\.so|memfd:/.test(line) && !/ \/(usr|lib)/.test(line))
    .map((line) => line.split(/\s+/)[4])).size;
  const leaked = async () => {
    const text = await (await fetch(new URL('/metrics', server.url))).text();
    return Number(/^gantry_plugin_libraries_leaked_total (\d+)/m.exec(text)[1]);
  };
  const zones = ['Europe/Berlin', 'Asia/Kolkata', 'US/Pacific', 'America/New_York', 'Africa/Cairo', 'UTC'];
  const loaded = mapped();
  assert.equal(loaded, 2);
  for (let round = 1; round <= 2; ++round) {
    const days = await Promise.all(Array.from({ length: 24 }, (_, i) => ask(server, 'group_by_date',
      { class_name: 't', field: 'created_at', interval: 'day', timezone: zones[i % zones.length] })));
    assert.equal(days[0].groups[0].key, '2026-07-02');
    await ask(server, 'aggregate', { class_name: 't', pipeline: [{ $project: {
      at: { $dateToString: { date: '$created_at', timezone: 'Europe/Berlin', format: '%H' } } } }] });
    await swapped(server, 'data', () => {
      copyFileSync(builtIn('data'), join(builtIns, '.next'));
      appendFileSync(join(builtIns, '.next'), 'x'.repeat(round));
      renameSync(join(builtIns, '.next'), join(builtIns, 'data.so'));
    }, 20000);
    await until(() => mapped() === loaded, 'the end of the old library', 10000);
  }
  assert.equal(await leaked(), 0, server.stderr);
  await server.stop();
});
