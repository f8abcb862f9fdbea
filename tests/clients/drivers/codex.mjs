import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execute, installed } from './command.mjs';
import { overModel } from './over_model.mjs';

const vendor = installed('@openai/codex-linux-x64/vendor');
const program = () => join(vendor, readdirSync(vendor)[0], 'bin', 'codex');

export async function connect({ url, command, args, env }) {
  const home = join(process.cwd(), 'codex-home');
  mkdirSync(home, { recursive: true });
  const text = JSON.stringify;  // TOML's strings are JSON's
  const server = url ? `url = ${text(url)}` : `command = ${text(command)}\nargs = ${text(args)}\n[mcp_servers.shop.env]\n${
    Object.entries(env).filter(([name]) => /^\w+$/.test(name)).map(([name, value]) => `${name} = ${text(value)}`).join('\n')}`;
  const flags = ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', 'Go'];
  return overModel((model) => {
    writeFileSync(join(home, 'config.toml'), `model = "scripted"\nmodel_provider = "scripted"
[model_providers.scripted]\nname = "scripted"\nbase_url = ${text(`${model.url}/v1`)}\nwire_api = "responses"
[mcp_servers.shop]\n${server}\n`);
    return execute(program(), flags, { env: { CODEX_HOME: home } });
  });
}
