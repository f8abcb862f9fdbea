// The Inspector's command line as an operator uses it: in both eras and over both transports it lists
// the tools and calls one.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { cleanEnvironment, ownFlags } from '../e2e/lib/gantryd.mjs';
import { gantryd, scratch } from '../e2e/lib/paths.mjs';
import { setups, startServer } from './lib/setups.mjs';

const launcher = join(dirname(fileURLToPath(import.meta.url)),
  'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');

/** Its output, which with --quiet is the result alone. */
async function inspect(target, ...flags) {
  const child = spawn(process.execPath, [launcher, '--cli', ...target, '--quiet', ...flags],
    { env: cleanEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (bytes) => { stdout += bytes; });
  child.stderr.on('data', (bytes) => { stderr += bytes; });
  const [code] = await once(child, 'close');
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

let server;
before(async () => { server = await startServer('demo'); });
after(() => server.stop());

const targets = {
  HTTP: () => [String(server.url), '--transport', 'http'],
  stdio: () => {
    // In a script, since the Inspector takes a flag --config for its own.
    const { db, flags } = setups.demo();
    const command = [gantryd, '--stdio', '--db', db, ...ownFlags(), ...flags];
    const script = join(scratch(), 'serve');
    writeFileSync(script, `#!/bin/sh\nexec ${command.map((word) => `'${word}'`).join(' ')}\n`, { mode: 0o755 });
    return [script];
  },
};

for (const [transport, target] of Object.entries(targets)) {
  for (const era of ['legacy', 'modern']) {
    describe(`the ${era} era over ${transport}`, () => {
      const ask = (...flags) => inspect(target(), '--protocol-era', era, ...flags);

      test('lists the tools', async () => {
        const { tools } = await ask('--method', 'tools/list');
        const byName = new Map(tools.map((tool) => [tool.name, tool]));
        for (const name of ['describe_access', 'query_class', 'greet', 'test_simple_text']) {
          assert.ok(byName.get(name)?.description, name);
          assert.equal(byName.get(name).inputSchema.type, 'object', name);
        }
      });

      test('calls a tool of the built-ins', async () => {
        const answer = await ask('--method', 'tools/call', '--tool-name', 'count_objects',
          '--tool-arg', 'class_name=countries');
        assert.notEqual(answer.isError, true);
        assert.ok(answer.structuredContent.count > 200, JSON.stringify(answer));
      });

      test('calls a tool with an argument', async () => {
        const answer = await ask('--method', 'tools/call', '--tool-name', 'greet', '--tool-arg', 'name=World');
        assert.deepEqual(answer.content, [{ type: 'text', text: 'Hello, World!' }]);
      });

      test('reads a resource and gets a prompt', async () => {
        const { contents } = await ask('--method', 'resources/read', '--uri', 'test://static-text');
        assert.equal(contents[0].text, 'This is the content of the static text resource.');
        const { messages } = await ask('--method', 'prompts/get', '--prompt-name', 'test_prompt_with_arguments',
          '--prompt-args', 'arg1=one', 'arg2=two');
        assert.equal(messages[0].content.text, "Prompt with arguments: arg1='one', arg2='two'");
      });
    });
  }
}
