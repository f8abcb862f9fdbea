import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installed, output } from './command.mjs';
import { textOf } from './answers.mjs';

export async function connect({ url, command, args, env }) {
  const home = { MCPC_HOME_DIR: mkdtempSync(join(process.cwd(), 'mcpc-')) };
  const file = join(process.cwd(), 'mcpc.json');
  writeFileSync(file, JSON.stringify({ mcpServers: { shop: url ? { url } : { command, args, env } } }));
  const ask = (...flags) => output(installed('@apify/mcpc/bin/mcpc'), ['--json', ...flags], { env: home });
  await ask('connect', `${file}:shop`, '@shop');
  return {
    list: async () => JSON.parse(await ask('@shop', 'tools-list')).map(({ name }) => name),
    call: async (name, given) => textOf(await ask('@shop', 'tools-call', name,
      ...Object.entries(given).map(([key, value]) => `${key}:=${JSON.stringify(value)}`))),
    read: async (uri) => ask('@shop', 'resources-read', uri),
    keepsSession: true, close: () => ask('close', '@shop'),
  };
}
