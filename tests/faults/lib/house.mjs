// The targets of a hostile plugin: a server with a database, a configuration that holds a secret, a
// state directory, a control socket and a watched directory of plugins. portrait() records content,
// owner, mode and times of all of it, so that a test sees any change.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, copyFileSync, lstatSync, mkdirSync, readFileSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { cleanEnvironment, Server } from '../../e2e/lib/gantryd.mjs';
import { gantryd, scratch } from '../../e2e/lib/paths.mjs';
import { testPlugin } from '../../e2e/lib/script.mjs';

export const key = 'the-operators-own-key';
export const alone = join(dirname(gantryd), '..', 'fixtures', 'hostile-alone');
const builtins = join(dirname(gantryd), '..', 'plugins');

/** Targets by the name that a row gives: {kind, path}. A `system` path belongs to the machine. */
export const targets = {
  database: { kind: 'file', path: (house) => house.database },
  configuration: { kind: 'file', path: (house) => house.configuration },
  stateFile: { kind: 'file', path: (house) => join(house.state, 'a-file') },
  plugin: { kind: 'file', path: (house) => house.plugin },
  builtin: { kind: 'system', path: () => join(builtins, 'query.so') },
  host: { kind: 'system', path: () => gantryd },
  shadow: { kind: 'system', path: () => '/etc/shadow' },
  corePattern: { kind: 'system', path: () => '/proc/sys/kernel/core_pattern' },
  sysrq: { kind: 'system', path: () => '/proc/sysrq-trigger' },
  ownMemoryLimit: { kind: 'system', path: () => '/sys/fs/cgroup/cgroup.procs' },
  stateFolder: { kind: 'folder', path: (house) => house.state },
  databaseFolder: { kind: 'folder', path: (house) => dirname(house.database) },
  configurationFolder: { kind: 'folder', path: (house) => dirname(house.configuration) },
  pluginFolder: { kind: 'folder', path: (house) => dirname(house.plugin) },
  controlFolder: { kind: 'folder', path: (house) => dirname(house.control) },
  home: { kind: 'folder', path: (house) => house.home },
  temporaryRoot: { kind: 'folder', path: () => tmpdir() },
  root: { kind: 'system', path: () => '/' },
  processFolder: { kind: 'system', path: () => '/proc' },
  control: { kind: 'system', path: (house) => house.control },
  machineMemory: { kind: 'system', path: () => '/dev/mem' },
  kernelMemory: { kind: 'system', path: () => '/dev/kmem' },
  ports: { kind: 'system', path: () => '/dev/port' },
  terminalDevice: { kind: 'system', path: () => '/dev/tty' },
  pseudoTerminals: { kind: 'system', path: () => '/dev/ptmx' },
  kernelLog: { kind: 'system', path: () => '/dev/kmsg' },
  tunnel: { kind: 'system', path: () => '/dev/net/tun' },
  loops: { kind: 'system', path: () => '/dev/loop-control' },
};

/** Everything below a folder, the folder too. */
function* below(path) {
  yield path;
  if (!lstatSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) yield* below(join(path, name));
}

const hash = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** A text that differs when content, name, owner, mode or time differ. */
function portrait(path) {
  const info = lstatSync(path, { bigint: true });
  const content = info.isFile() ? hash(readFileSync(path)) : info.isSymbolicLink() ? readlinkSync(path) : '';
  return [info.mode.toString(8), info.uid, info.gid, info.nlink, info.ino, info.size, info.mtimeNs, info.ctimeNs, content].join(' ');
}

export class House {
  /**
   * Built for a user. `programs`: as plainWorkers() gives them, instead of those under test; there are
   * no built-in plugins then.
   */
  constructor(uid, programs = {}) {
    Object.assign(this, { uid, program: programs.program });
    this.source = (programs.plugin ?? testPlugin)('hostile');
    this.root = scratch();
    const folder = (name) => {
      const path = join(this.root, name);
      mkdirSync(path, { mode: 0o700 });
      return path;
    };
    this.database = join(folder('data'), 'shop.db');
    this.configuration = join(folder('etc'), 'gantry.json');
    this.plugin = join(folder('plugins'), 'hostile.so');
    this.control = join(folder('run'), 'control.sock');
    this.state = folder('state');
    this.home = folder('home');
    this.#fill();
    for (const path of below(this.root)) if (process.getuid() === 0) chownSync(path, uid, uid);
    chmodSync(this.root, 0o755);
  }

  #fill() {
    const database = new DatabaseSync(this.database);
    database.exec('CREATE TABLE shops (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO shops VALUES (1, \'one\'), (2, \'two\')');
    database.close();
    chmodSync(this.database, 0o600);
    writeFileSync(join(this.state, 'a-file'), 'something that the server keeps\n', { mode: 0o600 });
    copyFileSync(this.source, this.plugin);
    chmodSync(this.plugin, 0o700);
    const secret = join(dirname(this.configuration), 'secret');
    writeFileSync(secret, 'a secret of the operator\n', { mode: 0o600 });
    // The key of the environment acts as this profile, so that its calls are not limited.
    const agents = join(dirname(this.configuration), 'agents.json');
    writeFileSync(agents, JSON.stringify({ agents: { tester: { rate_limit: 'unlimited' } } }), { mode: 0o600 });
    const worker = { failures: 0, cpu_seconds: 60 };
    const hostile = { isolate: 'process', worker, secrets: { token: { file: secret } } };
    const config = { agents, agent: 'tester', plugin_directories: [dirname(this.plugin)], plugins: { hostile }, ...(this.program ? { builtin_plugins: 'none' } : {}) };
    writeFileSync(this.configuration, JSON.stringify(config), { mode: 0o600 });
  }

  async open() {
    const { uid, program } = this;
    this.server = await Server.start({
      ...(program ? {} : { db: this.database }), env: { GANTRY_API_KEY: key, HOME: this.home, XDG_STATE_HOME: this.home }, ...(uid ? { uid } : {}),
      ...(program ? { shell: `exec ${program} "$@"` } : {}),
      flags: ['--config', this.configuration, '--state', this.state, '--control', this.control],
    });
    return this.server;
  }

  lives() { return this.server.child.exitCode === null && this.server.child.signalCode === null; }

  files(folder) { return [...below(folder)].filter((path) => lstatSync(path).isFile()); }

  /** Path → portrait of all of it and of the built-in plugins, without what only worker processes have. */
  look() {
    const paths = [...below(this.root)].filter((path) => !this.isTheirs(path));
    return new Map(paths.map((path) => [path, portrait(path)]));
  }

  /** The temporary directories of workers; they, and that they come and go, are no harm. */
  isTheirs(path) {
    const folder = dirname(this.temporary);
    return path === folder || path.startsWith(join(folder, 'gantry-worker-'));
  }

  builtins() { return new Map(this.files(builtins).filter((path) => path.endsWith('.so')).map((path) => [path, portrait(path)])); }
}

/** Paths that were changed, added or removed between two portraits. */
export function differences(before, after) {
  const changed = [...before].filter(([path, one]) => after.get(path) !== one)
    .map(([path, one]) => `${path}: ${one} became ${after.get(path) ?? 'nothing'}`);
  return [...changed, ...[...after.keys()].filter((path) => !before.has(path)).map((path) => `${path} is new`)];
}

/** Makes the attempt in a process without walls, against targets made for it. */
export function withoutWalls(row, args) {
  const folder = scratch();
  const kind = targets[row.on]?.kind;
  const path = kind === 'file' || kind === 'folder' ? join(folder, 'target') : args.path;
  if (kind === 'folder') mkdirSync(path);
  if (kind === 'file') writeFileSync(path, 'a victim\n'.repeat(1000));
  const said = JSON.stringify({ ...args, path, number: row.small ?? args.number });
  const env = { ...cleanEnvironment(), TMPDIR: folder, ASAN_OPTIONS: 'detect_leaks=0:handle_segv=0' };
  const printed = execFileSync(alone, [said], { env, cwd: folder, encoding: 'utf8', timeout: 60_000 });
  return JSON.parse(printed.trimEnd().split('\n').at(-1));
}
