import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installed, output } from './command.mjs';

const launcher = installed('@modelcontextprotocol/inspector/clients/launcher/build/index.js');

export async function connect({ url, command, args }) {
  const script = join(process.cwd(), 'serve');
  if (!url) writeFileSync(script, `#!/bin/sh\nexec ${[command, ...args].map((word) => `'${word}'`).join(' ')}\n`, { mode: 0o755 });
  const target = url ? [url, '--transport', 'http'] : [script];
  const ask = async (...flags) => JSON.parse(await output(launcher, ['--cli', ...target, '--quiet', ...flags]));
  await ask('--method', 'tools/list');
  return {
    list: async () => (await ask('--method', 'tools/list')).tools.map(({ name }) => name),
    call: async (name, given) => (await ask('--method', 'tools/call', '--tool-name', name,
      ...Object.entries(given).flatMap(([key, value]) => ['--tool-arg', `${key}=${value}`]))).content[0].text,
    read: async (uri) => JSON.stringify(await ask('--method', 'resources/read', '--uri', uri)),
  };
}
