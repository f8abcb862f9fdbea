// gantry dev with real changes of sources: build, swap, a build that fails, Ctrl-C.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Server, cleanEnvironment, endsWithUs, noBuiltIns } from '../lib/gantryd.mjs';
import { gantry, gantryProgram } from '../lib/gantry.mjs';
import { ask, modern } from '../lib/rpc.mjs';
import { root, scratch } from '../lib/paths.mjs';

/** A project made by `gantry plugin new`, in a build that finds the SDK in this repository. */
async function project() {
  const top = join(scratch(), 'top');
  mkdirSync(top);
  writeFileSync(join(top, 'CMakeLists.txt'), `cmake_minimum_required(VERSION 3.25)
project(top LANGUAGES C CXX)
add_library(gantry_sdk INTERFACE)
add_library(gantry::sdk ALIAS gantry_sdk)
target_include_directories(gantry_sdk INTERFACE ${root}/sdk/include)
include(${root}/sdk/cmake/GantryAddPlugin.cmake)
set(BUILD_TESTING OFF)
add_subdirectory(plugin)
`);
  const made = await gantry(['plugin', 'new', 'demo', '--lang', 'c', '--dir', join(top, 'plugin')]);
  assert.equal(made.code, 0, made.stderr);
  const source = join(top, 'plugin', 'plugin.c');
  const edit = (from, to) => writeFileSync(source, readFileSync(source, 'utf8').replace(from, to));
  return { top, edit };
}

class Dev {
  constructor(flags) {
    this.output = '';
    this.child = endsWithUs(spawn(gantryProgram, ['dev', ...flags],
      { env: cleanEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] }));
    this.ended = once(this.child, 'close');
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream.on('data', (bytes) => { this.output += bytes; this.arrived?.(); });
    }
  }

  /** Waits for a match in output after the previous match. */
  async sees(pattern, seconds = 60) {
    const late = Date.now() + seconds * 1000;
    for (;;) {
      const match = pattern.exec(this.output.slice(this.seen ?? 0));
      if (match) {
        this.seen = (this.seen ?? 0) + match.index + match[0].length;
        return match;
      }
      assert.ok(Date.now() < late && this.child.exitCode === null, `no ${pattern} in:\n${this.output}`);
      await Promise.race([new Promise((resolve) => { this.arrived = resolve; }),
        new Promise((resolve) => { setTimeout(resolve, 250); })]);
    }
  }

  async stop(signal = 'SIGINT') {
    this.child.kill(signal);
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 20000);
    const [code, killed] = await this.ended;
    clearTimeout(timer);
    assert.equal(killed ?? code, 0, this.output);
  }
}

const greet = async (server) => (await ask(server, 'demo_greet', { name: 'Ada' })).greeting;

test('dev starts a host, swaps on change, survives a build that fails, and ends with Ctrl-C', async () => {
  const { top, edit } = await project();
  const dev = new Dev([top, '--', '--builtin-plugins', 'none']);
  const url = new URL((await dev.sees(/gantryd serves at (\S+)/))[1]);
  const server = { url };
  await dev.sees(/demo 1\.0\.0, generation 1, serving/);
  assert.equal(await greet(server), 'Hello, Ada!');

  edit('Hello, ', 'Moin, ');
  await dev.sees(/generation (\d+), serving/);
  assert.equal(await greet(server), 'Moin, Ada!');

  edit('static int is_text', 'static int is_text(((');
  await dev.sees(/error:/);
  await dev.sees(/the build failed.*demo 1\.0\.0, generation \d+, serving/);
  assert.equal(await greet(server), 'Moin, Ada!');

  edit('static int is_text(((', 'static int is_text');
  edit('Moin, ', 'Ahoi, ');
  await dev.sees(/generation (\d+), serving/);
  assert.equal(await greet(server), 'Ahoi, Ada!');

  await dev.stop();
  await assert.rejects(fetch(new URL('/health', url)));
  assert.ok(!readdirSync(join(top, 'build')).includes('gantry-dev'));
});

test('dev uses a host that runs and takes its plugin from it at the end', async () => {
  const { top } = await project();
  const control = join(scratch(), 'c.sock');
  const server = await Server.start({ flags: ['--control', control, ...noBuiltIns] });
  const dev = new Dev([top, '--control', control]);
  await dev.sees(/using the host at http/);
  await dev.sees(/generation 1, serving/);
  assert.equal(await greet(server), 'Hello, Ada!');
  await dev.stop('SIGTERM');
  assert.deepEqual((await modern(server, 'tools/list')).message.result.tools, []);
  await server.stop();
});

test('dev ends while it builds', async () => {
  const { top } = await project();
  writeFileSync(join(top, 'CMakeLists.txt'), 'execute_process(COMMAND sleep 60)\n');
  const dev = new Dev([top, '--', '--builtin-plugins', 'none']);
  await dev.sees(/building/);
  await dev.stop();
});

test('dev refuses a folder that is not a project', async () => {
  const nothing = await gantry(['dev', scratch()]);
  assert.equal(nothing.code, 2);
  assert.match(nothing.stderr, /CMakeLists\.txt/);
  assert.equal((await gantry(['dev', '/nowhere'])).code, 2);
});
