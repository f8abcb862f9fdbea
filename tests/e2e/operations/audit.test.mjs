// The audit log has one record for every call, of any caller and with any outcome.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { until } from '../lib/events.mjs';
import { LegacySession, call, modern } from '../lib/rpc.mjs';
import { AskedSession, accepted, again, asks, calling, elicit, need, once, plugins } from '../lib/rounds.mjs';
import { script, startScripts } from '../lib/script.mjs';

const scripts = ['script', 'script-one', 'script-two', 'script-three', 'script-serial', 'script-async'];
let server;
before(async () => {
  server = await startScripts({ plugins: [...scripts, ...plugins], flags: ['--log-level', 'warn', '--log-format', 'json'] });
});
after(() => server.stop());

const lines = (at = server) => at.stderr.split('\n').filter(Boolean).map((line) => JSON.parse(line));
let taken = 0;
/** The records since the last ones taken, waited for until there are `count`. */
async function records(count, at = server) {
  const calls = () => lines(at).filter(({ message }) => message === 'call').slice(taken);
  await until(() => calls().length >= count, `${count} records`);
  const all = calls();
  assert.equal(all.length, count, JSON.stringify(all));
  taken += count;
  return all;
}

describe('a record', () => {
  test('is written at log level warn too, and holds no values of arguments', async () => {
    await call(server, 'script_plain', { secret_name: 'secret value' });
    const [record] = await records(1);
    assert.deepEqual(Object.keys(record), ['time', 'level', 'message', 'tool', 'plugin', 'generation', 'args_keys', 'agent', 'agent_id',
      'depth', 'auth_type', 'master', 'permissions', 'ran', 'success', 'result_size', 'duration_ms', 'est_input_tokens']);
    const { time, generation, result_size: size, duration_ms: took, est_input_tokens: tokens, ...rest } = record;
    assert.deepEqual(rest, {
      level: 'info', message: 'call', tool: 'script_plain', plugin: 'script', args_keys: ['secret_name'], agent: 'local',
      agent_id: 'local', depth: 0, auth_type: 'none', master: true, permissions: 'readonly', ran: true, success: true,
    });
    assert.ok(!Number.isNaN(Date.parse(time)) && generation >= 1 && size > 0 && took >= 0);
    assert.equal(tokens, Math.floor(size / 4));
    assert.ok(!server.stderr.includes('secret value'));
    assert.deepEqual(lines().filter(({ level, message }) => level === 'info' && message !== 'call'), []);
  });

  test('names the request\'s own id', async () => {
    await modern(server, 'tools/call', { name: 'script_plain', arguments: {}, _meta: { 'gantry/correlationId': 'mine' } });
    assert.equal((await records(1))[0].correlation_id, 'mine');
  });

  test('of a refused call says that no plugin ran', async () => {
    await modern(server, 'tools/call', { name: 'no_such', arguments: {} });
    await modern(server, 'tools/call', { name: 'script_write', arguments: {} });
    await modern(server, 'tools/call', { name: 'rounds_journal', arguments: { as: {} } });
    await modern(server, 'tools/call', { name: 'rounds', arguments: {}, requestState: 'forged' });
    assert.deepEqual((await records(4)).map(({ tool, ran, success, error_code: code }) => [tool, ran, success, code]), [
      ['no_such', false, false, 'unknown_tool'], ['script_write', false, false, 'permission_denied'],
      ['rounds_journal', false, false, 'invalid_argument'], ['rounds', false, false, 'invalid_input'],
    ]);
  });

  test('of a failed call has the error code that the client got, and the kind of denial', async () => {
    const details = JSON.stringify({ kind: 'field_denied', denied_field: 'x' });
    const result = await call(server, 'script_plain', script({ do: 'fail', code: 'access_denied', message: 'no', details }));
    const [record] = await records(1);
    const told = JSON.parse(result.content[0].text);
    assert.deepEqual([record.ran, record.success, record.error_code, record.denial_kind],
      [true, false, told.error_code, told.details.kind]);
  });

  test('has the error code of the reply when a client lacks the capability to be asked', async () => {
    const steps = [elicit(), { do: 'return', status: -9 }];
    const plain = await LegacySession.open(server, '2025-11-25');
    const { message } = await plain.request('tools/call', calling(...steps));
    assert.equal(JSON.parse(message.result.content[0].text).error_code, 'approval_unavailable');
    assert.equal((await records(1))[0].error_code, 'approval_unavailable');
    await once(server, 'tools/call', calling(...steps), { capabilities: {} });
    assert.equal((await records(1))[0].error_code, 'missing_capability');
  });

  test('is written for every round', async () => {
    const params = calling(elicit(), need);
    const asked = await asks(server, params);
    await once(server, 'tools/call', again(params, asked, { person: accepted('Ada') }));
    assert.deepEqual((await records(2)).map(({ success, error_code: code }) => [success, code]), [[false, 'input_required'], [true, undefined]]);
    const client = await AskedSession.open(server);
    const running = client.run(elicit(), need);
    await until(() => running.messages.length > 0, 'the question');
    await client.respond(running.messages[0], accepted('Ben'));
    await running.result();
    assert.deepEqual((await records(1)).map(({ success }) => success), [true]);
  });
});

test('with a credential the record names the agent, and never the key', async () => {
  const own = await startScripts({
    plugins: scripts, env: { GANTRY_API_KEY: 'sesame-open' }, flags: ['--log-level', 'warn', '--log-format', 'json'],
  });
  await modern(own, 'tools/call', { name: 'script_plain', arguments: {} }, { authorization: 'Bearer sesame-open' });
  taken = 0;
  const [record] = await records(1, own);
  assert.match(record.agent_id, new RegExp(`^${record.agent}:[0-9a-f]{8}$`));
  assert.deepEqual([record.auth_type, record.master], ['api_key', true]);
  assert.ok(!own.stderr.includes('sesame-open'));
  await own.stop();
});

for (const level of ['error', 'off']) {
  test(`log level ${level} writes no record`, async () => {
    const own = await startScripts({ plugins: scripts, flags: ['--log-level', level] });
    await call(own, 'script_plain');
    await own.stop();
    assert.doesNotMatch(own.stderr, level === 'off' ? /./ : / call tool=/);
  });
}
