// Which plugin files a host loads: allowlist, signatures, directories that others can write to.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, describe, test } from 'node:test';
import { Server, runToEnd } from '../lib/gantryd.mjs';
import { modern } from '../lib/rpc.mjs';
import { fixture, logged } from '../lib/script.mjs';
import { gantryd, scratch } from '../lib/paths.mjs';

const gantry = join(dirname(gantryd), 'gantry');
const tools = async (server) => (await modern(server, 'tools/list')).message.result.tools.map(({ name }) => name);

/** A server with one plugin directory and this trust; `work` gets it. */
async function served(directory, trust, work) {
  const config = join(scratch(), 'gantry.json');
  writeFileSync(config, JSON.stringify({ builtin_plugins: 'none', plugin_directories: [directory], trust }));
  const server = await Server.start({ flags: ['--config', config] });
  try { await work(server); } finally { await server.stop(); }
}

describe('a plugin file is loaded', () => {
  let directory, file, keys, hash;
  before(() => {
    directory = scratch();
    file = join(directory, 'echo.so');
    copyFileSync(fixture('good', 'echo'), file);
    chmodSync(file, 0o755);
    hash = createHash('sha256').update(readFileSync(file)).digest('hex');
    keys = join(scratch(), 'us');
    execFileSync(gantry, ['plugin', 'keygen', '--no-password', keys]);
  });
  const loads = async (trust) => served(directory, trust, async (server) => {
    assert.deepEqual(await tools(server), ['echo'], server.stderr);
  });
  const refuses = async (trust, reason) => served(directory, trust, async (server) => {
    assert.deepEqual(await tools(server), []);
    assert.match(await logged(server, 'plugin refused'), reason);
  });

  test('when nothing is required', () => loads({}));
  test('when its hash is on the allowlist, and not otherwise', async () => {
    await loads({ sha256: [hash.toUpperCase()] });
    await refuses({ sha256: ['0'.repeat(64)] }, new RegExp(`sha256 ${hash} is not among the allowed ones`));
  });
  test('when one of the keys signed these very bytes, and not otherwise', async () => {
    await refuses({ keys: [`${keys}.pub`] }, /it has no signature.*gantry plugin sign/);
    execFileSync(gantry, ['plugin', 'sign', file, '--key', `${keys}.key`]);
    await loads({ keys: [`${keys}.pub`], require: 'signature' });
    const line = readFileSync(`${keys}.pub`, 'utf8').split('\n')[1];
    await loads({ keys: [line], sha256: [hash], require: 'both' });
    const good = readFileSync(file);
    writeFileSync(file, Buffer.concat([good, Buffer.from('more')]));
    await refuses({ keys: [line] }, /does not fit the file/);
    writeFileSync(file, good);
  });
  test('when no other user can write to its directory', async () => {
    chmodSync(directory, 0o777);
    await refuses({}, new RegExp(`others can write to the directory ${directory} \\(mode 0777\\).*chmod go-w ${directory}`));
    await loads({ check_permissions: false });
    chmodSync(directory, 0o700);
    chmodSync(file, 0o666);
    await refuses({}, /others can write to the file/);
    chmodSync(file, 0o755);
    await loads({});
  });
});

test('a key that cannot be read stops the start with its name', async () => {
  const config = join(scratch(), 'gantry.json');
  writeFileSync(config, JSON.stringify({ trust: { keys: ['/nowhere/us.pub'] } }));
  const { code, stderr } = await runToEnd(['--config', config, '--listen', '127.0.0.1:0']);
  assert.notEqual(code, 0);
  assert.match(stderr, /trust\.keys: '\/nowhere\/us\.pub'/);
});
