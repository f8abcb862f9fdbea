// Plugins built from the frozen headers of version 1 run on the current host, in its process and in
// a worker.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Server } from '../lib/gantryd.mjs';
import { ask, call, modern } from '../lib/rpc.mjs';
import { logged } from '../lib/script.mjs';
import { gantryd, scratch } from '../lib/paths.mjs';

const frozen = (name) => join(dirname(gantryd), '..', 'abi-v1', `${name}.so`);

for (const isolate of ['in-process', 'process']) {
  describe(`plugins of version 1, ${isolate}`, () => {
    let server;
    before(async () => {
      const config = join(scratch(), 'gantry.json');
      writeFileSync(config, JSON.stringify({
        builtin_plugins: 'none',
        plugin_files: ['classic', 'waiting', 'newer', 'needy'].map(frozen),
        plugins: Object.fromEntries(['v1-classic', 'v1-waiting', 'v1-newer', 'v1-needy']
          .map((name) => [name, { isolate, ...(name === 'v1-classic' && { config: { shade: 'green' } }) }])),
      }));
      server = await Server.start({ flags: ['--config', config] });
    });
    after(() => server?.stop());

    test('answer, fail, report and read their configuration', async () => {
      assert.deepEqual(await ask(server, 'v1_echo', { a: [1, 'b'] }), { got: { a: [1, 'b'] } });
      assert.deepEqual(await ask(server, 'v1_config', {}), { got: { shade: 'green' } });
      assert.deepEqual(await ask(server, 'v1_hooks', {}), { got: false });
      assert.equal((await call(server, 'v1_text', {})).content[0].text, 'plain');
      const failed = await call(server, 'v1_fail', {});
      assert.equal(failed.isError, true);
      assert.match(JSON.stringify(failed.content), /as asked/);
    });
    test('offer resources', async () => {
      const { message } = await modern(server, 'resources/read', { uri: 'v1://fixed' }, { 'mcp-name': 'v1://fixed' });
      assert.equal(message.result.contents[0].text, 'fixed text');
    });
    test('answer later, and call services of each other', async () => {
      assert.deepEqual(await ask(server, 'v1_later', {}), { got: 'later' });
      assert.deepEqual(await ask(server, 'v1_nested', {}), { got: 'from the service' });
    });
    test('a plugin newer than the host works without the functions that the host lacks', async () => {
      assert.deepEqual(await ask(server, 'v1_newer', {}), { got: 'as before' });
      await logged(server, 'mood is unknown to this host and ignored');
    });
    test('a plugin that needs an unknown service is refused by name, before its code runs', async () => {
      assert.match(await logged(server, 'plugin=v1-needy'), /needs gantry\.teleport\/1, which this host and no loaded plugin offers/);
    });
  });
}
