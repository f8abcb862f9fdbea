// A hostile plugin in a worker: every attempt is refused, and nothing outside its worker changes. The
// same attempts in a process without walls show that they can succeed.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { until } from '../e2e/lib/events.mjs';
import { scratch } from '../e2e/lib/paths.mjs';
import { modern } from '../e2e/lib/rpc.mjs';
import { attempts, title } from './lib/attempts.mjs';
import { plainWorkers } from './lib/plain.mjs';
import { differences, House, key, targets, withoutWalls } from './lib/house.mjs';

const isRoot = process.getuid() === 0;
const unprivileged = 65534;
const headers = { authorization: `Bearer ${key}` };
const abstractName = `gantry-hostile-target-${process.pid}`;

const everywhere = net.createServer((socket) => socket.destroy());
before(() => new Promise((resolve) => { everywhere.listen({ path: `\0${abstractName}` }, resolve); }));
after(() => everywhere.close());

async function call(server, name, args) {
  const { status, message } = await modern(server, 'tools/call', { name, arguments: args }, headers);
  assert.equal(status, 200, JSON.stringify(message));
  assert.ok(message.result, JSON.stringify(message));
  return message.result;
}

/** The tool's arguments for a row. */
function argumentsOf(row, house) {
  const { name, on, via, text, number, pid } = row;
  return {
    name, ...(on ? { path: targets[on].path(house) } : {}), ...(via ? { via } : {}), ...(pid ? { pid } : {}),
    ...(text ? { text: text === 'abstract' ? abstractName : text } : {}),
    ...(number === undefined ? {} : { number: number === 'port' ? house.server.port : number }),
  };
}

/** Whether a worker answers; where its temporary directory is. */
async function settled(house) {
  const { isError, structuredContent } = await call(house.server, 'attempt', { name: 'environment' });
  if (!isError) [, house.temporary] = structuredContent.steps.find(([what]) => what === 'temporary');
  return !isError;
}

/** Makes one attack: the plugin's report, or that its worker ended. */
async function attack(house, args) {
  const result = await call(house.server, 'attempt', args);
  if (!result.isError) return result.structuredContent ?? JSON.parse(result.content[0].text);
  const said = result.content[0].text;
  assert.match(said, /worker process/, said);
  await until(() => settled(house), 'another worker is there');
  return { got: 'ended', steps: [], said };
}

const strays = () => [...readdirSync(tmpdir()), ...readdirSync('/dev/shm')].filter((name) => name.startsWith('hostile'));
const descriptors = (house) => readdirSync(`/proc/${house.server.child.pid}/fd`).length;

const checks = {
  async descriptors(house, _, rest) {
    await until(() => descriptors(house) <= rest.descriptors + 8, 'the host has none of the descriptors');
  },
  log(house, _, rest) {
    const grown = house.server.stderr.length - rest.logged;
    assert.ok(grown < 2 << 20, `the log grew by ${grown} bytes`);
  },
  inherited(_, { steps }) {
    const kinds = Object.fromEntries(steps.map(([fd, said]) => [fd, said.split(' ')]));
    assert.deepEqual([0, 1, 2, 3].map((fd) => kinds[fd]?.[0]), ['character', 'pipe', 'pipe', 'socket']);
    for (const [fd, [kind, , seals, link]] of Object.entries(kinds).slice(4)) {
      // F_SEAL_SEAL, SHRINK, GROW and WRITE: nothing of it can change any more.
      const isSealed = kind === 'file' && (Number(seals) & 15) === 15;
      const isOwn = kind === 'folder' && /^\/proc\/\d+$/.test(link);
      assert.ok(isSealed || isOwn, `${fd}: ${kinds[fd].join(' ')}`);
    }
  },
  async litter(house) {
    const { temporary } = house;
    assert.equal((await attack(house, { name: 'garbage' })).got, 'ended');
    const left = () => existsSync(temporary) && readdirSync(temporary).includes('deep');
    await until(() => !left(), 'its temporary directory is removed');
  },
  environment(_, { steps }) {
    const names = steps.filter(([what]) => what === 'variable').map(([, name]) => name);
    assert.deepEqual(names.filter((name) => /GANTRY|XDG|KEY|SECRET/.test(name)), []);
  },
};

const wanted = ({ expect, ends }) => [expect ?? 'refused', ...(ends ? ['ended'] : [])];

function attacks(uid) {
  let house, builtins;
  const open = async () => {
    house = new House(uid);
    await house.open();
    assert.ok(await settled(house));
  };
  before(async () => {
    await open();
    builtins = house.builtins();
  });
  after(() => house.server.stop());

  for (const row of attempts.filter(({ memory }) => !memory)) {
    test(title(row), async () => {
      if (!house.lives()) await open();  // the row that ended the server has failed
      const rest = { descriptors: descriptors(house), logged: house.server.stderr.length };
      const [scene, others] = [house.look(), strays()];
      const answer = await attack(house, argumentsOf(row, house));
      assert.ok(wanted(row).includes(answer.got), JSON.stringify(answer));
      await checks[row.check]?.(house, answer, rest);
      assert.deepEqual(differences(scene, house.look()), []);
      assert.deepEqual(strays(), others, 'files outside');
      const { structuredContent } = await call(house.server, 'count_objects', { class_name: 'shops' });
      assert.equal(structuredContent.count, 2);
    });
  }

  test('after all attempts the server, the built-in plugins and the tools are unchanged', async () => {
    assert.ok(house.lives());
    assert.deepEqual(differences(builtins, house.builtins()), []);
    const { message } = await modern(house.server, 'tools/list', {}, headers);
    const names = message.result.tools.map(({ name }) => name);
    assert.ok(names.includes('attempt') && names.includes('query_class'), names.join());
  });
}

describe('a hostile plugin in a worker of a server that runs as root', {
  skip: !isRoot && 'only root can start a server as root; the same attempts are made below as this user',
}, () => attacks(0));

describe('a hostile plugin in a worker of a server that runs as an ordinary user', () => attacks(isRoot ? unprivileged : process.getuid()));

describe('a hostile plugin that takes memory', () => {
  for (const row of attempts.filter(({ memory }) => memory)) {
    test(title(row), async (t) => {
      const programs = plainWorkers();
      if (programs.missing) return t.skip(programs.missing);
      const house = new House(process.getuid(), programs);
      await house.open();
      t.after(() => house.server.stop());
      const answer = await attack(house, argumentsOf(row, house));
      assert.ok(wanted(row).includes(answer.got), JSON.stringify(answer));
      assert.ok(await settled(house) && house.lives());
    });
  }
});

describe('without walls the same attempts succeed', { skip: !isRoot && 'most of them take root' }, () => {
  const house = { server: {}, control: join(scratch(), 'control.sock') };
  const listeners = [0, 1].map(() => net.createServer((socket) => socket.destroy()));
  before(async () => {
    await new Promise((resolve) => { listeners[0].listen(0, '127.0.0.1', resolve); });
    await new Promise((resolve) => { listeners[1].listen(house.control, resolve); });
    house.server.port = listeners[0].address().port;
  });
  after(() => listeners.forEach((one) => one.close()));

  for (const row of attempts) {
    const reason = row.alone?.startsWith('(') && row.alone;
    test(title(row), { skip: reason }, () => {
      const on = targets[row.on]?.kind === 'system' ? row.on : undefined;
      const answer = withoutWalls(row, argumentsOf({ ...row, on }, house));
      assert.equal(answer.got, row.alone ?? 'succeeded', JSON.stringify(answer));
    });
  }
});
