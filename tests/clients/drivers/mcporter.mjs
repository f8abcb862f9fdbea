import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installed, output } from './command.mjs';
import { textOf } from './answers.mjs';

export async function connect({ url, command, args, env }) {
  const file = join(process.cwd(), 'mcporter.json');
  writeFileSync(file, JSON.stringify({ mcpServers: { shop: url ? { url } : { command, args, env } }, imports: [] }));
  const ask = (...flags) => output(installed('mcporter/dist/cli.js'), ['--config', file, ...flags]);
  const list = async () => [...(await ask('list', 'shop', '--json')).matchAll(/"name": ?"(\w+)"/g)].map(([, name]) => name);
  await list();
  return {
    list,
    call: async (name, given) => textOf(await ask('call', `shop.${name}`, '--args', JSON.stringify(given), '--output', 'raw')),
    close: () => ask('daemon', 'stop'),
  };
}
