import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installed, output } from './command.mjs';

export const isStdioOnly = true;

export async function connect({ command, args, env }) {
  const file = join(process.cwd(), 'mcp-cli.json');
  writeFileSync(file, JSON.stringify({ mcpServers: { shop: { command, args, env } } }));
  const call = (name, given) => output(installed('@wong2/mcp-cli/src/cli.js'), ['--config', file, 'call-tool', `shop:${name}`, '--args', JSON.stringify(given)]);
  await call('count_objects', { class_name: 'suppliers' });
  return { call };
}
