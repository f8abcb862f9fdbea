// node clients.mjs [--only NAME]… [--installed DIR]: MCP clients of other authors, each through the same
// steps against a server of its own; README.md says which and what a step checks.
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { Shop } from '../answers/shop.mjs';
import { cleanEnvironment, ownFlags, Server } from '../e2e/lib/gantryd.mjs';
import { gantryd, scratch } from '../e2e/lib/paths.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const npm = join(here, '..', 'e2e', 'node', 'node_modules', 'npm', 'bin', 'npm-cli.js');
const steps = ['connect', 'list', 'call', 'id as number', 'read', 'subscribe', 'cancel', 'restart', 'stdio'];
const kInstallMs = 300000;
const kClientMs = 400000;
// Joins every line with every other one: minutes of work, which a cancelled call must not do.
const slow = {
  name: 'aggregate', args: { class_name: 'order_lines', pipeline: [
    { $lookup: {
      from: 'order_lines', as: 'more', let: { q: '$quantity' },
      pipeline: [{ $match: { $expr: { $gt: [{ $add: ['$quantity', '$$q'] }, 9] } } }] } },
    { $group: { _id: null, n: { $sum: { $size: '$more' } } } }] },
};
const { values: flags } = parseArgs({ options: { only: { type: 'string', multiple: true }, installed: { type: 'string' } } });

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/** A server that can be restarted at its address, over a database that can be changed. */
class Target {
  static async open() {
    const target = new Target();
    target.db = join(scratch(), 'shop.db');
    new Shop(target.db).write();
    target.state = scratch();
    target.port = await freePort();
    target.log = '';
    await target.start();
    return target;
  }

  async start() {
    this.server = await Server.start({ db: this.db, listen: `127.0.0.1:${this.port}`, flags: ['--state', this.state] });
  }

  async restart() {
    this.log += this.server.stderr;
    await this.server.stop();
    await this.start();
  }

  change() {
    const db = new DatabaseSync(this.db);
    db.exec(`INSERT INTO customers(first_name, last_name, country, segment, newsletter, created_at)
      VALUES('New', 'One', 'DE', 'consumer', 0, '2026-10-01 00:00:00')`);
    db.close();
  }

  cancelled() { return (this.log + this.server.stderr).split('error_code=cancelled').length - 1; }

  describe() {
    const command = { command: gantryd, args: ['--stdio', '--db', this.db, ...ownFlags()], env: cleanEnvironment() };
    return JSON.stringify({ url: String(this.server.url), command, slow });
  }
}

/** A folder with the packages and the drivers; npm's last lines when it fails. */
async function install({ name, packages }) {
  const folder = join(flags.installed ?? scratch(), name.replace(/\W+/g, '_'));
  mkdirSync(join(folder, 'drivers'), { recursive: true });
  for (const file of readdirSync(join(here, 'drivers'))) copyFileSync(join(here, 'drivers', file), join(folder, 'drivers', file));
  if (readdirSync(folder).includes('node_modules')) return folder;
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const quietly = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  await promisify(execFile)(process.execPath, [npm, 'install', ...quietly, ...packages], { cwd: folder, timeout: kInstallMs });
  return folder;
}

/** {step: {outcome, note}} of one client. */
async function driven(client, folder, target) {
  const found = {};
  const child = fork(join(folder, 'drivers', 'run.mjs'), [join(folder, 'drivers', `${client.driver}.mjs`)], {
    cwd: folder, stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...cleanEnvironment(), CLIENT_TARGET: target.describe(), CLIENT_ERA: client.era ?? '' },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => { printed += bytes; });
  child.on('message', async ({ please, step, outcome, note }) => {
    if (step) found[step] = { outcome, note };
    else child.send({ done: await target[please]() ?? true });
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), kClientMs);
  await once(child, 'close');
  clearTimeout(timer);
  const isWhole = found.stdio || found.connect?.outcome === 'failed';
  if (!isWhole) found.ended = { outcome: 'failed', note: `it ended early: ${printed.slice(-300)}` };
  return found;
}

async function tried(client) {
  let folder;
  try {
    folder = await install(client);
  } catch (error) {
    return { connect: { outcome: 'failed', note: `cannot be installed: ${String(error.stderr ?? error).slice(-300)}` } };
  }
  const target = await Target.open();
  try {
    return await driven(client, folder, target);
  } finally {
    await target.server.stop();
  }
}

function print(name, found) {
  console.log(`${name.padEnd(25)}${steps.map((step) => (found[step]?.outcome ?? '').padEnd(step.length + 2)).join('')}`);
  for (const [step, { outcome, note }] of Object.entries(found)) {
    const isTold = ['failed', 'known'].includes(outcome) || step === 'restart' || step === 'subscribe';
    if (note && isTold) console.log(`    ${step}: ${note.replace(/\s+/g, ' ')}`);
  }
}

const all = JSON.parse(readFileSync(join(here, 'clients.json'), 'utf8'));
const missing = flags.only?.find((name) => !all.some((client) => client.name === name));
if (missing) throw new Error(`no client is called ${missing}`);
console.log(`${''.padEnd(25)}${steps.map((step) => step.padEnd(step.length + 2)).join('')}`);
let failed = 0;
for (const client of flags.only ? all.filter(({ name }) => flags.only.includes(name)) : all) {
  const found = await tried(client);
  for (const [step, note] of Object.entries(client.known ?? {})) {
    if (found[step]?.outcome === 'failed') found[step] = { outcome: 'known', note };
  }
  print(client.name, found);
  failed += Object.values(found).filter(({ outcome }) => outcome === 'failed').length;
}
console.log(`${failed} steps failed`);
process.exitCode = failed > 0 ? 1 : 0;
