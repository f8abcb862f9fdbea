import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execute, installed } from './command.mjs';
import { overModel } from './over_model.mjs';

export async function connect({ url, command, args, env }) {
  const home = join(process.cwd(), 'opencode-home');
  mkdirSync(home, { recursive: true });
  const shop = url ? { type: 'remote', url, enabled: true } : { type: 'local', command: [command, ...args], environment: env, enabled: true };
  return overModel((model) => {
    writeFileSync(join(home, 'opencode.json'), JSON.stringify({
      model: 'anthropic/claude-sonnet-4-5', share: 'disabled', autoupdate: false, mcp: { shop },
      provider: { anthropic: { options: { baseURL: `${model.url}/v1`, apiKey: 'none' } } },
    }));
    return execute(installed('opencode-linux-x64/bin/opencode'), ['run', 'Go'], { env: {
      HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, XDG_STATE_HOME: home, XDG_CACHE_HOME: home, OPENCODE_CONFIG: join(home, 'opencode.json') } });
  });
}
