import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installed, output } from './command.mjs';
import { overModel } from './over_model.mjs';

export async function connect({ url, command, args, env }) {
  const home = join(process.cwd(), 'gemini-home');
  mkdirSync(join(home, '.gemini'), { recursive: true });
  writeFileSync(join(home, '.gemini', 'settings.json'), JSON.stringify({
    security: { auth: { selectedType: 'gemini-api-key' } }, telemetry: { enabled: false }, general: { disableAutoUpdate: true },
    mcpServers: { shop: { ...(url ? { httpUrl: url } : { command, args, env }), trust: true } },
  }));
  return overModel((model) => output(installed('@google/gemini-cli/bundle/gemini.js'), ['-p', 'Go', '--yolo', '-m', 'gemini-2.5-pro'], {
    env: { HOME: home, GEMINI_CLI_HOME: home, GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: model.url, GEMINI_CLI_TRUST_WORKSPACE: 'true' } }));
}
