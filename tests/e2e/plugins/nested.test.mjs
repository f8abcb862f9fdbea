// gantry.invoke/1 and gantry.catalog/1 through a running server: plugins that call plugins.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ModernClient, until } from '../lib/events.mjs';
import { call, modern, refused } from '../lib/rpc.mjs';
import { isolate, journal, logged, named, noted, script, startScripts } from '../lib/script.mjs';

const [ok, failed, invalid, notFound, denied, cancelled, timedOut, busy, tooBig, unsupported, misuse] =
  [0, -1, -2, -3, -4, -5, -6, -7, -8, -9, -11];

const plugins = ['script', 'script-one', 'script-two', 'script-three', 'script-serial', 'script-other', 'script-async', 'script-crew'];
let server;
before(async () => { server = await startScripts({ plugins }); });
after(() => server.stop());

const write = (type, body) => ({ do: 'write', type, body });
const raw = (body) => ({ do: 'json_raw', body });
const json = (...pieces) => ['json_begin', ...pieces.map(raw), 'json_end'];
const invoke = (kind, name, args, more = {}) => ({ do: 'invoke', kind, name, ...(args ? { arguments: args } : {}), ...more });
const tool = (name, args, more) => invoke('tool', name, args, more);
const service = (name, args, more) => invoke('service', name, args, more);
const error = (reply) => {
  assert.equal(reply.parts.length, 1, JSON.stringify(reply));
  const [type, body] = reply.parts[0];
  assert.equal(type, 'error');
  return { status: reply.status, ...JSON.parse(body) };
};
const ways = ['call', 'start'];
/** One invocation in each way; start() needs a call that ends later. */
const reply = async (step, via = 'call') => {
  const steps = via === 'start' ? ['pending', { ...step, via }] : [{ ...step, via }];
  return (await noted(server, 'script', ...steps)).at(-1);
};

describe('calling a tool', () => {
  const block = '{"type":"resource_link","uri":"a://b","name":"b"}';
  const steps = script(...json('{"n":', '12345678901234567890', '}'), write('text', 'one'), { do: 'write', type: 'image/png', hex: '00ff' },
    write('block', block), write('text', 'two'));

  for (const via of ways) {
    test(`gives its parts as they were written (${via})`, async () => {
      assert.deepEqual(await reply(tool('script_plain', steps), via), {
        status: ok,
        parts: [['json', '{"n":12345678901234567890}'], ['text', 'one'],
          ['block', '{"type":"image","data":"AP8=","mimeType":"image/png"}'], ['block', block], ['text', 'two']],
      });
    });

    test(`gives its failure as one part and its status (${via})`, async () => {
      const said = error(await reply(tool('script_plain', script(write('text', 'gone'),
        { do: 'fail', code: 'not_found', message: 'No such é', details: '{"k":[1]}' })), via));
      assert.deepEqual(said, { status: failed, error_code: 'not_found', error: 'No such é', details: { k: [1] } });
      assert.equal(error(await reply(tool('script_plain', script({ do: 'return', status: -6 })), via)).status, timedOut);
      const spoken = error(await reply(tool('script_plain', script(write('text', 'because'), { do: 'return', status: -1 })), via));
      assert.equal(spoken.error, 'because');
      const thrown = error(await reply(tool('script_plain', script({ do: 'throw', body: 'secret story' })), via));
      assert.equal(thrown.error_code, 'internal_error');
      assert.doesNotMatch(thrown.error, /secret/);
    });

    test(`that does not exist, is misnamed or gets bad arguments fails with that reason (${via})`, async () => {
      assert.equal(error(await reply(tool('nothing_like_it'), via)).status, notFound);
      const bad = error(await reply(tool('script', { steps: 1 }), via));
      assert.equal(bad.status, invalid);
      assert.match(bad.error, /steps/);
      assert.equal(error(await reply({ ...tool('script'), arguments: '{"a":' }, via)).status, invalid);
      assert.equal(error(await reply({ ...tool('script_plain'), arguments: '[1]' }, via)).status, invalid);
      assert.equal(error(await reply(invoke('prompt', 'script'), via)).status, unsupported);
      assert.equal(error(await reply(tool('script', {}, { size: 8 }), via)).status, misuse);
    });
  }

  test('without arguments gives it an empty object', async () => {
    const [{ parts }] = await noted(server, 'script', tool('script_plain'));
    assert.deepEqual(parts, [['json', '{"journal":[]}']]);
  });

  test('whose result does not fit its schema is an internal error to the caller and a fault in the log', async () => {
    const from = server.stderr.length;
    const said = error(await reply(tool('script_typed', script(...json('{"n":"x"}')))));
    assert.equal(said.error_code, 'internal_error');
    await until(() => /does not fit its output schema/.test(server.stderr.slice(from)), 'the fault is logged');
  });

  test('that answers later waits for it', async () => {
    for (const via of ways) {
      const { status, parts } = await reply(tool('script_plain', script('pending', { do: 'sleep', ms: 30 }, write('text', 'done'))), via);
      assert.deepEqual([status, parts.at(-1)], [ok, ['text', 'done']]);
    }
  });

  test('without waiting for it ends when it ends', async () => {
    const args = script(service('script.async/1', script('pending', { do: 'sleep', ms: 20 }, write('word', 'späť'))));
    args.steps[0].do = 'chain';
    const { structuredContent } = await call(server, 'script', args);
    assert.deepEqual(structuredContent.journal, [{ status: ok, parts: [['word', 'späť'], ['journal', '[0]']] }]);
  });

  test('reports progress and log to the client that made the first call', async () => {
    const args = script(tool('script_plain', script({ do: 'progress', done: 1, note: 'inner' }, { do: 'log', level: 4, body: 'inner' })),
      tool('other', script({ do: 'log', level: 4, body: 'other' })), { do: 'progress', done: 2 });
    const stream = new ModernClient(server).open('script', args, { token: 't', level: 'info' });
    await stream.result();
    assert.deepEqual(stream.progress().map(({ progress }) => progress), [1, 2]);
    assert.deepEqual(stream.logs().map(({ logger, data }) => [logger, data]), [['script', 'inner'], ['script-other', 'other']]);
  });
});

describe('calling a service', () => {
  test('joins bodies of one part, in the order of their first', async () => {
    const { status, parts } = await reply(service('script.one/1',
      script(write('b', '1'), write('a', 'x'), write('b', '2'), 'quiet')));
    assert.deepEqual([status, parts], [ok, [['b', '12'], ['a', 'x']]]);
  });

  test('needs it in the manifest and a plugin that offers it', async () => {
    const stranger = error(await reply(service('script.three/1')));
    assert.equal(stranger.status, notFound);
    assert.match(stranger.error, /does not name the service 'script.three\/1' in its manifest/);
  });

  test('that is too large is refused by piece', async () => {
    const said = error(await reply(service('script.one/1', script({ do: 'write', type: 'a', fill: 5_000_000 }))));
    assert.equal(said.status, tooBig);
  });

  test('carries the caller: agent, correlation id, protocol, deadline', async () => {
    const facts = ['agent', 'correlation_id', 'protocol'].map((key) => ({ do: 'property', key }));
    const [agent, id, protocol, left, inner] = await noted(server, 'script', ...facts, 'deadline',
      service('script.one/1', script(...facts, 'deadline', service('script.two/1', script(...facts, 'deadline')))));
    const one = JSON.parse(inner.parts[0][1]);
    assert.deepEqual(one.slice(0, 3), [agent, id, protocol]);
    assert.ok(one[3] <= left && one[3] > left - 2000);
    const two = JSON.parse(one[4].parts[0][1]);
    assert.deepEqual(two.slice(0, 3), [agent, id, protocol]);
  });
});

describe('forward()', () => {
  const into = (...steps) => script('json_begin', raw('{"rows":'), ...steps, raw(',"after":true}'), 'json_end');

  test('puts one part of a service straight into the open result and returns the others', async () => {
    const steps = into(service('script.one/1', script('quiet', write('rows', '[1,'), write('note', 'hi'), write('rows', '2]')),
      { via: 'forward', splice: 'rows' }));
    const { structuredContent } = await call(server, 'script_plain', named('spliced', ...steps.steps));
    assert.deepEqual(structuredContent, { rows: [1, 2], after: true });
    assert.deepEqual(await journal(server, 'spliced'), [ok, ok, { status: ok, parts: [['note', 'hi']] }, ok, ok]);
  });

  test('puts the structured result of a tool there', async () => {
    const steps = into(tool('script_plain', script(...json('{"x":', '1}')), { via: 'forward', splice: 'json' }));
    assert.deepEqual((await call(server, 'script_plain', steps)).structuredContent, { rows: { x: 1 }, after: true });
  });

  test('forwards nothing without an open result or a named part', async () => {
    const one = service('script.one/1', script(write('rows', '1')), { via: 'forward', splice: 'rows' });
    assert.equal((await noted(server, 'script', one))[0].status, misuse);
    const steps = named('unnamed', 'json_begin', { ...one, splice: '' }, raw('{}'), 'json_end');
    assert.deepEqual((await call(server, 'script_plain', steps)).structuredContent, {});
    assert.equal((await journal(server, 'unnamed'))[1].status, misuse);
  });

  test('of broken JSON makes an internal error of the whole answer', async () => {
    const said = await refused(server, 'script_plain',
      into(service('script.one/1', script('quiet', write('rows', '[1,')), { via: 'forward', splice: 'rows' })));
    assert.equal(said.code, 'internal_error');
  });
});

describe('a narrowed call', () => {
  const narrowed = (narrowing, name, args = script({ do: 'property', key: 'agent' })) => tool(name, args, { narrowing });

  test('runs with a smaller agent, one level deeper, and so do its own calls', async () => {
    const [inner] = await noted(server, 'script', narrowed({ permissions: 'readonly' }, 'script_plain',
      script({ do: 'property', key: 'agent' }, tool('script_plain', script({ do: 'property', key: 'agent' })), tool('script_write', script()))));
    const [agent, below, writing] = JSON.parse(inner.parts[0][1]).journal;
    assert.deepEqual([JSON.parse(agent).permissions, JSON.parse(agent).depth], ['readonly', 1]);
    assert.equal(JSON.parse(JSON.parse(below.parts[0][1]).journal[0]).permissions, 'readonly');
    assert.equal(error(writing).status, denied);
  });

  test('is denied the tools that it leaves out', async () => {
    const write_tool = error((await noted(server, 'script', tool('script_write')))[0]);
    assert.equal(write_tool.status, denied);
    assert.match(write_tool.error, /'script_write' needs the permission 'write'/);
    for (const narrowing of [{ tools: { only: ['other'] } }, { tools: { except: ['script_plain'] } }]) {
      const said = error((await noted(server, 'script', narrowed(narrowing, 'script_plain')))[0]);
      assert.equal(said.status, denied);
    }
    const allowed = await noted(server, 'script', narrowed({ tools: { only: ['script_plain'] } }, 'script_plain'));
    assert.equal(allowed[0].status, ok);
  });

  test('cannot be widened', async () => {
    const [outer] = await noted(server, 'script', narrowed({ permissions: 'readonly', tools: { only: ['script_plain'] } }, 'script_plain', script(
      narrowed({ permissions: 'admin' }, 'script_plain'), narrowed({ tools: { only: ['script_admin'] } }, 'script_admin'))));
    const [tier, other] = JSON.parse(outer.parts[0][1]).journal;
    assert.deepEqual([tier.status, other.status], [denied, invalid]);
  });

  test('with an invalid narrowing is refused', async () => {
    for (const narrowing of ['{', '[]', '{"permissions":"root"}', '{"tools":{"only":7}}', '{"unknown":1}']) {
      const { status } = (await noted(server, 'script', narrowed(narrowing, 'script_plain')))[0];
      assert.ok([invalid, denied].includes(status), `${narrowing}: ${status}`);
    }
  });

  test('is allowed four times in one tree', async () => {
    // As text: arguments may be nested 20 levels deep at most.
    const deep = (left) => (left === 0 ? script()
      : script(narrowed({ permissions: 'readonly' }, 'script_plain', JSON.stringify(deep(left - 1)))));
    const depthOf = (entry) => {
      if (entry === undefined) return 0;
      return entry.status < 0 ? 0 : 1 + depthOf(JSON.parse(entry.parts[0][1]).journal[0]);
    };
    assert.equal(depthOf((await noted(server, 'script', ...deep(4).steps))[0]), 4);
    assert.equal(depthOf((await noted(server, 'script', ...deep(6).steps))[0]), 4);
  });
});

describe('how deep calls go', () => {
  const deep = (left) => (left === 0 ? script() : script(tool('script_plain', JSON.stringify(deep(left - 1)))));
  const innermost = (entry) => {
    if (entry.status < 0) return { depth: 0, entry };
    const next = JSON.parse(entry.parts[0][1]).journal[0];
    if (next === undefined) return { depth: 1 };
    const { depth, entry: end } = innermost(next);
    return { depth: depth + 1, entry: end };
  };

  test('is eight levels, and the ninth is refused', async () => {
    assert.equal(innermost((await noted(server, 'script', ...deep(8).steps))[0]).depth, 8);
    const { depth, entry } = innermost((await noted(server, 'script', ...deep(9).steps))[0]);
    assert.equal(depth, 8);
    assert.equal(error(entry).status, busy);
    assert.match(error(entry).error, /8 deep/);
  });
});

describe('plugins that are not re-entrant', () => {
  test('are entered by one call at a time, the others wait', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => noted(server, 'serial', { do: 'alone', ms: 10 })));
    assert.deepEqual(answers.flat(), Array(12).fill(1));
    const free = await Promise.all(Array.from({ length: 4 }, () => noted(server, 'script', { do: 'meet', name: 'free', count: 4 })));
    assert.deepEqual(free.flat(), [true, true, true, true], 're-entrant ones run at once');
  });

  test('do not wait for themselves: the chain is named at once', async () => {
    for (const via of ways) {
      const started = Date.now();
      const inner = via === 'start' ? script('pending', tool('serial', script(), { via })) : script(tool('serial', script()));
      const [outer] = await noted(server, 'serial', tool('script', inner));
      const said = error(JSON.parse(outer.parts[0][1]).journal.at(-1));
      assert.equal(said.status, busy);
      assert.match(said.error, /script-serial/);
      assert.ok(Date.now() - started < 5000);
    }
  });

  test('do not wait for each other in a circle', async () => {
    // Two trees: one holds serial and wants other, one holds other and wants serial.
    const one = noted(server, 'serial', tool('script', script({ do: 'meet', name: 'circle', count: 2 }, tool('other', script()))));
    const two = noted(server, 'other', tool('script', script({ do: 'meet', name: 'circle', count: 2 }, tool('serial', script()))));
    const statuses = (await Promise.all([one, two]))
      .map(([outer]) => JSON.parse(outer.parts[0][1]).journal.at(-1)).map((entry) => entry.status).sort();
    assert.deepEqual(statuses, [busy, ok]);
  });

  test('wait for a place and then run', async () => {
    const hold = noted(server, 'serial', { do: 'sleep', ms: 400 });
    let held = true;
    hold.then(() => { held = false; });
    const [entry] = await noted(server, 'script', { do: 'sleep', ms: 100 }, service('script.serial/1', script('quiet', write('a', 'in'))))
      .then((entries) => entries.slice(-1));
    assert.deepEqual([entry, held], [{ status: ok, parts: [['a', 'in']] }, false]);
  });

  test('release waiting callers at their deadline', async () => {
    const hold = noted(server, 'serial', { do: 'sleep', ms: 1500 });
    await new Promise((resolve) => { setTimeout(resolve, 200); });  // until it holds the strand
    const said = await refused(server, 'script_brief', script(service('script.serial/1', script())));
    assert.equal(said.code, 'timeout');
    await hold;
    assert.deepEqual((await noted(server, 'serial', 'cancelled')), [0], 'the strand is free again');
  });
});

describe('cancellation', () => {
  test('reaches the innermost call of the tree, and its callers', async () => {
    const inner = named('inner', { do: 'on_cancel', note: 'hook' }, { do: 'progress', done: 1 }, 'wait_cancel');
    const args = named('outer', tool('script_plain', script(tool('script_plain', inner))), { do: 'host_log', body: 'outer is over' });
    const stream = new ModernClient(server).open('script', args, { token: 't' });
    await until(() => stream.progress().length === 1, 'the innermost call runs');
    await stream.drop();
    await logged(server, 'outer is over');
    // The call may see its end while its callback runs.
    assert.deepEqual((await journal(server, 'inner')).slice(2).sort(), ['cancelled: 1', 'hook']);
    const [outer] = await journal(server, 'outer');
    assert.ok([ok, cancelled].includes(outer.status), JSON.stringify(outer));
  });

  test('releases a caller whose provider never answers', async () => {
    const said = await refused(server, 'script_brief', named('left alone', service('script.async/1',
      script({ do: 'on_cancel', note: 'h', finish: -5 }, 'never_finish')), { do: 'host_log', body: 'left alone is over' }));
    assert.equal(said.code, 'timeout');
    await logged(server, 'left alone is over');
    const [entry] = await journal(server, 'left alone');
    assert.ok([timedOut, cancelled].includes(entry.status), JSON.stringify(entry));
  });

  test('refuses new calls of a cancelled tree', async () => {
    await refused(server, 'script_brief', named('dead', 'wait_cancel', tool('script_plain'), { do: 'host_log', body: 'dead is over' }));
    await logged(server, 'dead is over');
    assert.ok([cancelled, timedOut].includes((await journal(server, 'dead'))[1].status));
  });
});

describe('the catalog', () => {
  test('lists the items that the caller may use, in listing order, with plugin, tier and category', async () => {
    const [items] = await noted(server, 'script', 'items');
    assert.deepEqual(items.slice(0, 2).map(({ name }) => name), ['script_journal', 'script']);
    assert.deepEqual(items.find(({ name }) => name === 'script'), {
      name: 'script', title: 'Script', description: 'Carries out steps.', category: 'fixtures', plugin: 'script', permission: 'readonly',
    });
    assert.ok(!items.some(({ name }) => ['script_write', 'script_admin'].includes(name)), 'beyond the agent\'s tier');
    const [inner] = await noted(server, 'script', tool('script_plain', script('items'), { narrowing: { tools: { only: ['script_plain', 'other'] } } }));
    assert.deepEqual(JSON.parse(inner.parts[0][1]).journal[0].map(({ name }) => name), ['script_plain', 'other']);
    assert.deepEqual(await noted(server, 'script', { do: 'items', kind: 'planet' }), [unsupported]);
  });

  test('explains why not', async () => {
    const explain = (name) => ({ do: 'explain', name });
    assert.deepEqual(await noted(server, 'script', explain('script'), explain('nothing'), { do: 'explain', kind: 'planet' }), [
      { allowed: true }, { allowed: false, error_code: 'not_found', reason: 'No tool of that name is offered' }, unsupported]);
    const [why] = await noted(server, 'script', explain('script_write'));
    assert.deepEqual([why.allowed, why.error_code], [false, 'permission_denied']);
    assert.match(why.reason, /write/);
    const [inner] = await noted(server, 'script',
      tool('script_plain', script(explain('script')), { narrowing: { tools: { except: ['script'] } } }));
    assert.equal(JSON.parse(inner.parts[0][1]).journal[0].error_code, 'tool_filtered');
  });
});

describe('the C++ wrapper', () => {
  test('keeps exceptions inside and turns them into errors', async () => {
    const said = await refused(server, 'crew_fall', { how: 'exception' });
    assert.equal(said.code, 'internal_error');
    for (const how of ['number', 'memory']) assert.equal((await refused(server, 'crew_fall', { how })).code, 'internal_error');
    const status = await refused(server, 'crew_fall', { how: 'status' });
    assert.deepEqual([status.code, status.message], ['not_found', 'There is no roof; build one']);
  });

  test('makes typed results, schemas and argument checks of structs', async () => {
    const { structuredContent } = await call(server, 'crew_fall', { how: 'well' });
    assert.deepEqual(structuredContent, { said: 'well', number: 9007199254740993n });
    const wrong = await refused(server, 'crew_fall', { how: 'badly' });
    assert.equal(wrong.code, 'invalid_argument');
  });

  test('answers later, loses no call, sees cancellation', async () => {
    const stream = new ModernClient(server).open('crew_later', {}, { token: 1 });
    assert.deepEqual((await stream.result()).structuredContent, { said: 'later', number: -1 });
    assert.equal(stream.progress()[0].message, 'half');
    assert.match((await refused(server, 'crew_drop')).message, /ended without an answer/);
    const waiting = new ModernClient(server).open('crew_hook');
    await noted(server, 'script', { do: 'sleep', ms: 300 });
    await waiting.drop();
    await logged(server, 'crew: the hook was called');
  });

  test('calls, explains and reads secrets', async () => {
    const { structuredContent } = await call(server, 'crew_ask');
    assert.deepEqual({ ...structuredContent, secret: undefined }, {
      failed: 'There is no roof; build one', well: { said: 'well', number: 9007199254740993n }, secret: undefined,
      explained: { allowed: false, error_code: 'not_found', reason: 'No tool of that name is offered' } });
    assert.match(structuredContent.secret, /granted/);
  });
});

describe('a pool of one thread', () => {
  let small;
  before(async () => {
    small = await startScripts({ config: { limits: { pool_threads: 1, blocking_threads: 64, max_calls: 'unlimited' } } });
  });
  after(() => small.stop());

  test('serves 100 clients whose tools call services three deep, and every answer is right', { timeout: 120_000 }, async () => {
    const client = async (id) => {
      for (let round = 0; round < 3; ++round) {
        const word = `client ${id} round ${round}`;
        const three = script(...(id % 3 === 0 ? [{ do: 'sleep', ms: 2 }] : []), 'quiet', write('word', word));
        const two = script(service('script.three/1', three));
        const [entry] = await noted(small, id % 5 === 0 ? 'script_blocking' : 'script',
          service('script.one/1', script(service('script.two/1', two))));
        const one = JSON.parse(entry.parts[0][1])[0];
        const inner = JSON.parse(one.parts[0][1])[0];
        assert.deepEqual(inner, { status: ok, parts: [['word', word]] });
      }
    };
    await Promise.all(Array.from({ length: 100 }, (_, id) => client(id)));
  });

  test('serves them too when every provider answers later', { timeout: 120_000 }, async () => {
    const client = async (id) => {
      const steps = script(service('script.async/1', script('pending', { do: 'sleep', ms: 5 }, 'quiet', write('word', `w${id}`))));
      const [entry] = await noted(small, 'script', ...steps.steps);
      assert.deepEqual(entry, { status: ok, parts: [['word', `w${id}`]] });
    };
    await Promise.all(Array.from({ length: 100 }, (_, id) => client(id)));
  });

  test('runs slow blocking tools side by side', async () => {
    const meet = { do: 'meet', name: 'many', count: 40, ms: 15_000 };
    const answers = await Promise.all(Array.from({ length: 40 }, () => noted(small, 'script_blocking', meet)));
    assert.deepEqual(answers.flat(), Array(40).fill(true));
  });

  test('answers non-blocking tools while its one thread is busy', async () => {
    const hold = noted(small, 'script', { do: 'gate', name: 'inline' });
    assert.deepEqual(await noted(small, 'script_inline', 'cancelled', { do: 'open', name: 'inline' }), [0]);
    assert.deepEqual(await hold, [true]);
  });

  const skip = isolate === 'process' && 'a worker never holds up the I/O thread';
  test('takes a tool that claims to be non-blocking and is not off the I/O thread', { skip }, async () => {
    for (let i = 0; i < 3; ++i) await noted(small, 'script_inline', { do: 'sleep', ms: 5 });
    assert.match(await logged(small, 'flagged non_blocking but took over 1 ms three times'), /script_inline/);
    const started = Date.now();
    const slow = noted(small, 'script_inline', { do: 'sleep', ms: 1500 });
    await new Promise((resolve) => { setTimeout(resolve, 200); });
    assert.equal((await modern(small, 'tools/list')).status, 200);
    assert.ok(Date.now() - started < 1200, 'the I/O thread is free');
    await slow;
  });
});
