import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execute, installed } from './command.mjs';
import { overModel } from './over_model.mjs';

export async function connect({ url, command, args, env }) {
  const file = join(process.cwd(), 'claude.json');
  writeFileSync(file, JSON.stringify({ mcpServers: { shop: url ? { type: 'http', url } : { command, args, env } } }));
  const flags = ['-p', 'Go', '--mcp-config', file, '--strict-mcp-config', '--allowedTools', 'mcp__shop', '--output-format', 'text'];
  return overModel((model) => execute(installed('@anthropic-ai/claude-code-linux-x64/claude'), flags, { env: {
    ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'none', ENABLE_TOOL_SEARCH: 'false',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', CLAUDE_CONFIG_DIR: join(process.cwd(), 'claude-config') } }));
}
