// Calls that a person must approve: what is asked, how in each era and out of band, and that nothing runs without it.
// The vault counts what has run.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { after, before, beforeEach, describe, test } from 'node:test';
import { accept, agents, close, codeOf, decline, detailsOf, form, key, Vault } from '../lib/approvals.mjs';
import { Call, pause, until } from '../lib/events.mjs';
import { gantryProgram } from '../lib/gantry.mjs';
import { cleanEnvironment, endsWithUs } from '../lib/gantryd.mjs';
import { again, capabilityKey, requests } from '../lib/rounds.mjs';
import { modernBody, modernHeaders } from '../lib/rpc.mjs';
import { httpV1, httpV2, httpV2Legacy } from '../lib/talkers.mjs';

let vault;
before(async () => { vault = await Vault.start(); });
after(() => vault.stop());

const set = (value, more = {}) => ({ name: 'vault_set', arguments: { value, ...more } });
const note = { name: 'vault_note', arguments: { text: 'x' } };
const gantryRunning = (words) => endsWithUs(spawn(gantryProgram, words,
  { env: cleanEnvironment(), stdio: ['ignore', 'pipe', 'inherit'] }));
const textOf = (result) => result.content.at(-1).text;

/** Asserts that `act` runs nothing. */
async function runsNothing(act, at = vault) {
  const before_ = await at.runs();
  const answer = await act();
  assert.equal(await at.runs(), before_, 'something ran');
  return answer;
}
async function asked(name, params, options, at = vault) {
  const { result } = await at.modern(name, params, options);
  assert.equal(result?.resultType, 'input_required', JSON.stringify(result));
  return result;
}

describe('a modern client', () => {
  test('is shown arguments and preview, and the shown call runs once', async () => {
    const params = set('second');
    const first = await runsNothing(() => asked('writer', params));
    assert.deepEqual(Object.keys(first.inputRequests), [key]);
    const { method, params: form } = first.inputRequests[key];
    assert.equal(method, 'elicitation/create');
    assert.match(form.message, /agent 'writer', acting for 'ann'.*'vault_set'/s);
    assert.match(form.message, /Arguments: \{"value":"second"\}/);
    assert.match(form.message, /What it would do: \{"rows":1,"before":"first","after":"second"\}/);
    assert.doesNotMatch(JSON.stringify(first), /plan_token|version-/);
    const before_ = await vault.runs();
    const { result } = await vault.modern('writer', again(params, first, accept));
    assert.deepEqual(result.structuredContent, { value: 'second' });
    assert.equal(await vault.runs(), before_ + 1);
  });

  test('that declines or closes the question runs nothing, and is told so', async () => {
    for (const answer of [decline, close]) {
      const result = await runsNothing(async () => {
        const first = await asked('writer', set('no'));
        return (await vault.modern('writer', again(set('no'), first, answer))).result;
      });
      assert.equal(codeOf(result), 'approval_declined');
      assert.deepEqual(detailsOf(result), { kind: 'declined' });
    }
  });

  test('is asked again without an answer, and with one of a wrong form', async () => {
    await runsNothing(async () => {
      let first = await asked('writer', note);
      for (const answers of [undefined, {}, { [key]: 1 }, { [key]: { action: 'yes' } }, { other: accept[key] }]) {
        first = await asked('writer', again(note, first, answers));
      }
    });
  });

  test('previews without an approval; a preview that fails is the answer', async () => {
    const { result } = await runsNothing(() => vault.modern('writer', set('x', { dry_run: true })));
    assert.ok(result.structuredContent.plan_token);
    const failed = await runsNothing(() => vault.modern('writer', set('bad')));
    assert.equal(codeOf(failed.result), 'invalid_argument');
    assert.deepEqual(await vault.waiting().then((all) => all.filter(({ tool }) => tool !== 'vault_note')), []);
  });

  test('gets a refusal if the data has changed since the preview', async () => {
    const first = await asked('writer', set('mine'));
    await vault.modern('free', { name: 'vault_touch', arguments: {} });
    const { result } = await runsNothing(() => vault.modern('writer', again(set('mine'), first, accept)));
    assert.match(textOf(result), /changed since the preview/);
  });

  test('does not choose the plan of its own call', async () => {
    const { result: { structuredContent: { plan_token } } } = await vault.modern('writer', set('a', { dry_run: true }));
    await vault.modern('free', { name: 'vault_touch', arguments: {} });
    const params = set('a', { plan_token });
    const first = await asked('writer', params);
    assert.match(first.inputRequests[key].params.message, /"before":"touched"/);
    const { result } = await vault.modern('writer', again(params, first, accept));
    assert.deepEqual(result.structuredContent, { value: 'a' }, 'with the plan that was shown');
  });

  test('sees characters that hide others as escapes', async () => {
    const first = await asked('writer', { name: 'vault_note', arguments: { text: 'a\u202eb\u200b' } });
    assert.match(first.inputRequests[key].params.message, /a\\u202eb\\u200b/);
    assert.doesNotMatch(first.inputRequests[key].params.message, /[\u200b\u202e]/);
  });

  test('may be asked by the tool too, after the approval, which holds for its rounds', async () => {
    const params = { name: 'vault_ask', arguments: {} };
    const first = await asked('writer', params);
    const second = (await vault.modern('writer', again(params, first, accept))).result;
    assert.deepEqual(Object.keys(second.inputRequests), ['word']);
    const word = { word: { action: 'accept', content: {} } };
    const before_ = await vault.runs();
    const { result } = await vault.modern('writer', again(params, second, word));
    assert.deepEqual(result.structuredContent, { ran: true });
    const replayed = await vault.modern('writer', again(params, second, word));
    assert.ok(replayed.error);
    assert.equal(await vault.runs(), before_ + 1);
  });
});

describe('calls that need an approval', () => {
  test('a listed tool, not others of its tier', async () => {
    await runsNothing(() => asked('listed', note));
    const { result } = await vault.modern('listed', { name: 'vault_drop', arguments: {} });
    assert.deepEqual(result.structuredContent, { ran: true });
  });

  test('a call of more rows than the agent may change unasked', async () => {
    const many = (rows) => ({ name: 'vault_many', arguments: { value: 'm', rows } });
    assert.deepEqual((await vault.modern('counted', many(10))).result.structuredContent, { value: 'm' });
    const first = await runsNothing(() => asked('counted', many(11)));
    assert.match(first.inputRequests[key].params.message, /"rows":11/);
    await runsNothing(() => asked('counted', note));
  });

  test('no call whose preview binds nothing is approved', async () => {
    const { result } = await runsNothing(() => vault.modern('writer', { name: 'vault_untold', arguments: { value: 'u' } }));
    assert.equal(codeOf(result), 'approval_unavailable');
  });

  test('the tier is checked first', async () => {
    const { result } = await runsNothing(() => vault.modern('writer', { name: 'vault_drop', arguments: {} }));
    assert.equal(codeOf(result), 'permission_denied');
  });

  test('a call that is too large to show is refused', async () => {
    const huge = { name: 'vault_note', arguments: { text: 'x'.repeat(40_000) } };
    const { result } = await runsNothing(() => vault.modern('writer', huge));
    assert.equal(codeOf(result), 'approval_unavailable');
    assert.match(textOf(result), /too large to show/);
  });

  test('a tool inside another call is refused, unless that call was approved', async () => {
    const { result } = await runsNothing(() => vault.modern('writer', { name: 'vault_wrap', arguments: {} }));
    assert.match(textOf(result), /needs a person's approval/);
    const params = { name: 'vault_wrap_write', arguments: {} };
    const first = await asked('writer', params);
    const done = (await vault.modern('writer', again(params, first, accept))).result;
    assert.deepEqual(done.structuredContent, { limit: 'write' });
    const inside = await runsNothing(() => vault.modern('listed', { name: 'vault_wrap_write', arguments: {} }));
    assert.match(textOf(inside.result), /must be called by the client itself/);
  });
});

describe('a legacy client', () => {
  for (const revision of ['2025-06-18', '2025-11-25']) {
    test(`${revision}: is asked on the stream of its call`, async () => {
      const client = await vault.legacy('writer', revision);
      for (const [answer, runs] of [[accept, 1], [decline, 0], [close, 0]]) {
        const before_ = await vault.runs();
        const running = client.call('tools/call', set('legacy'));
        const [request] = await requests(running);
        assert.equal(request.method, 'elicitation/create');
        assert.match(request.params.message, /What it would do/);
        assert.equal(await client.respond(request, answer[key]), 202);
        const result = await running.result();
        if (runs === 0) assert.equal(codeOf(result), 'approval_declined');
        await client.respond(request, accept[key]);
        await pause(50);
        assert.equal(await vault.runs(), before_ + runs);
      }
    });
  }

  test('gets 202 for answers to no question, and they are ignored', async () => {
    const [mine, other] = [await vault.legacy('writer'), await vault.legacy('other')];
    await runsNothing(async () => {
      const running = mine.call('tools/call', note);
      const [request] = await requests(running);
      for (const id of [request.id, 'unknown', 1]) assert.equal(await other.respond({ id }, accept[key]), 202);
      assert.equal(await mine.respond({ id: 'unknown' }, accept[key]), 202);
      await pause(100);
      assert.equal(running.messages.length, 1, 'it still waits');
      await mine.respond(request, decline[key]);
      assert.equal(codeOf(await running.result()), 'approval_declined');
    });
  });

  test('that cancels, or ends its session, runs nothing', async () => {
    await runsNothing(async () => {
      const client = await vault.legacy('writer');
      const running = client.call('tools/call', note);
      const [request] = await requests(running);
      await client.session.notify('notifications/cancelled', { requestId: running.id });
      const result = await running.result();
      assert.equal(JSON.parse(result.content[0].text).cancelled, true);
      await client.respond(request, accept[key]);
      const second = client.call('tools/call', note);
      await requests(second);
      await client.session.end?.();
      await second.drop();
    });
  });
});

describe('an operator', () => {
  beforeEach(() => vault.clear());
  test('sees the waiting approvals, and accepts while the client waits', async () => {
    const before_ = await vault.runs();
    const running = vault.modern('remote', set('by operator'));
    const one = await vault.one();
    assert.deepEqual([one.tool, one.agent, one.plugin], ['vault_set', 'remote', 'vault']);
    assert.match((await vault.cli('list')).stdout, /vault_set +remote/);
    const shown = JSON.parse((await vault.cli('show', one.id, '--json')).stdout);
    assert.deepEqual([shown.arguments.value, shown.preview.after], ['by operator', 'by operator']);
    assert.equal((await vault.cli('accept', one.id)).code, 2, 'without a terminal it needs --yes');
    assert.equal((await vault.cli('accept', one.id, '--yes')).code, 0);
    assert.deepEqual((await running).result.structuredContent, { value: 'by operator' });
    assert.equal(await vault.runs(), before_ + 1);
    assert.equal((await vault.cli('accept', one.id, '--yes')).code, 1, 'it counts once');
    assert.deepEqual(await vault.waiting(), []);
  });

  test('is shown no character that a terminal would interpret, also as JSON', async () => {
    const value = '\u009b31m\u202ex';
    const running = vault.modern('remote', set(value));
    const { id } = await vault.one();
    for (const words of [['show', id], ['show', id, '--json'], ['list', '--json']]) {
      assert.doesNotMatch((await vault.cli(...words)).stdout, /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    }
    assert.equal(JSON.parse((await vault.cli('show', id, '--json')).stdout).arguments.value, value);
    await vault.cli('decline', id);
    await running;
  });

  test('declines', async () => {
    const running = vault.modern('remote', note);
    const { id } = await vault.one();
    assert.equal((await vault.cli('decline', id, '--note', 'not today')).code, 0);
    assert.equal(codeOf((await running).result), 'approval_declined');
  });

  test('declines a call of the command line, which says so', async () => {
    for (const [more, told] of [[[], /^gantry: A person declined this call, so it was not run\./m],
      [['--json'], /^\{"error":\{"code":"approval_declined","message":"A person declined /m]]) {
      const running = vault.call('remote', 'vault_note', 'text=x', ...more);
      const { id } = await vault.one();
      await vault.cli('decline', id);
      const { code, stdout, stderr } = await running;
      assert.match(stderr, new RegExp(`^Waits for approval ${id}; .* gantry approvals accept ${id}`), 'it says so at once');
      assert.deepEqual([code, stdout], [1, ''], stderr);
      assert.match(stderr, told);
    }
  });

  test('answers for a legacy client that is asked too; the first answer wins', async () => {
    const client = await vault.legacy('writer');
    const before_ = await vault.runs();
    const running = client.call('tools/call', note);
    const [request] = await requests(running);
    const { id } = await vault.one();
    assert.equal((await vault.cli('accept', id, '--yes')).code, 0);
    assert.deepEqual((await running.result()).structuredContent, { ran: true });
    assert.deepEqual(running.heard('notifications/cancelled').map(({ requestId }) => requestId), [request.id]);
    assert.equal(await client.respond(request, decline[key]), 202);
    assert.equal(await vault.runs(), before_ + 1);
  });

  test('accepts for a modern client, whose own answer may still decline', async () => {
    const first = await asked('writer', note);
    const { id } = await vault.one();
    await vault.cli('accept', id, '--yes');
    const { result } = await runsNothing(() => vault.modern('writer', again(note, first, decline)));
    assert.equal(codeOf(result), 'approval_declined');
    const second = await asked('writer', note);
    await vault.cli('decline', (await vault.one()).id);
    const late = await runsNothing(() => vault.modern('writer', again(note, second, accept)));
    assert.equal(codeOf(late.result), 'approval_declined');
  });

  test('answers over HTTP with an admin\'s key, and no other; none approves its own call', async () => {
    const running = vault.modern('remote', note);
    const { id } = await vault.one();
    const body = { id, accept: true };
    assert.equal((await vault.admin('remote', 'approval.answer', body)).status, 403);
    assert.equal((await vault.admin('boss', 'approval.answer', { ...body, id: 'forged' })).status, 404);
    assert.equal((await vault.admin('boss', 'approval.list')).message.result.approvals.length, 1);
    const done = await vault.admin('boss', 'approval.answer', body);
    assert.deepEqual([done.status, done.message], [200, { jsonrpc: '2.0', id: 7, result: body }]);
    assert.deepEqual((await running).result.structuredContent, { ran: true });
    const own = await asked('listed', note);
    const { id: mine } = await vault.one();
    assert.equal((await vault.admin('listed', 'approval.answer', { id: mine, accept: true })).status, 403);
    await vault.modern('listed', again(note, own, decline));
  });

  test('is asked by a task that waits (2025-11-25)', async () => {
    const client = await vault.legacy('remote', '2025-11-25', {});
    const running = client.call('tools/call', { ...note, task: {} });
    const { task } = await running.result();
    assert.equal(task.status, 'working');
    await vault.cli('accept', (await vault.one()).id, '--yes');
    const result = await client.call('tasks/result', { taskId: task.taskId }).result();
    assert.deepEqual(result.structuredContent, { ran: true });
  });

  test('is named to a client that asks for progress, which grows', async () => {
    const body = modernBody('tools/call', { ...set('told'), _meta: { [capabilityKey]: form, progressToken: 'p' } });
    const running = Call.post(vault.server.url, body, { ...modernHeaders(body), ...vault.headers('remote') });
    const { id } = await vault.one();
    await until(() => running.progress().length > 0, 'a progress');
    const { progressToken, message, _meta: meta } = running.progress().at(-1);
    assert.deepEqual([progressToken, meta], ['p', { 'gantry/approval': id }]);
    assert.match(message, new RegExp(`gantry approvals accept ${id}, or decline ${id}, or in the web console`));
    await vault.cli('accept', id, '--yes');
    assert.deepEqual((await running.result()).structuredContent, { value: 'told' });
    const values = running.progress().map(({ progress }) => progress);
    assert.deepEqual(values, [...new Set(values)].toSorted((a, b) => a - b));
  });

  test('watches calls as they begin to wait', async (t) => {
    const watching = gantryRunning(['approvals', 'list', '--watch', '--json', '--control', vault.control]);
    t.after(() => watching.kill());
    const seen = [];
    createInterface({ input: watching.stdout }).on('line', (line) => seen.push(JSON.parse(line)));
    for (const value of ['w1', 'w2']) {
      const running = vault.modern('remote', set(value));
      await until(() => seen.at(-1)?.arguments?.value === value, 'a line for the call');
      await vault.cli('decline', seen.at(-1).id);
      await running;
    }
    assert.equal(seen.length, 2);
    assert.equal((await vault.cli('show', 'nothing')).code, 1);
  });
});

describe('a client that left', () => {
  beforeEach(() => vault.clear());
  test('a client that cancels ends its call', async () => {
    await runsNothing(async () => {
      const client = await vault.legacy('remote');
      const running = client.call('tools/call', note);
      const { id } = await vault.one();
      await client.session.notify('notifications/cancelled', { requestId: running.id });
      await running.answer;
      assert.equal((await vault.cli('accept', id, '--yes')).code, 1);
    });
  });

  test('a connection that is lost ends its call', async () => {
    await runsNothing(async () => {
      const body = modernBody('tools/call', { ...note, _meta: { [capabilityKey]: form } });
      const running = Call.post(vault.server.url, body, { ...modernHeaders(body), ...vault.headers('remote') });
      const { id } = await vault.one();
      await running.drop();
      await assert.rejects(running.answer, /abort/i);
      await until(async () => (await vault.waiting()).length === 0, 'the end of the call');
      assert.equal((await vault.cli('accept', id, '--yes')).code, 1);
    });
  });

  for (const kill of [true, false]) {
    test(`a server that ${kill ? 'was killed' : 'has ended'} and started again runs nothing that waited before`, async (t) => {
      const own = await Vault.start({ profiles: { writer: agents.writer, remote: agents.remote, free: agents.free } });
      t.after(() => own.stop());
      const asked_ = await asked('writer', note, {}, own);
      const accepted = await asked('writer', set('accepted'), {}, own);
      const [{ id }] = (await own.waiting()).filter(({ tool }) => tool === 'vault_set');
      assert.equal((await own.cli('accept', id, '--yes')).code, 0, 'its client has not come back for it');
      const client = await own.legacy('writer');
      const legacy = client.call('tools/call', note);
      const [request] = await requests(legacy);
      const remote = own.modern('remote', note).catch((error) => error);
      await until(async () => (await own.waiting()).length === 3, 'three calls that wait');
      const before_ = await own.waiting();
      await own.restart({ kill });
      await remote;
      assert.deepEqual(await own.waiting(), []);
      for (const { id: old } of before_) assert.equal((await own.cli('accept', old, '--yes')).code, 1);
      for (const [params, first] of [[note, asked_], [set('accepted'), accepted]]) {
        const { result, error } = await own.modern('writer', again(params, first, accept));
        assert.ok(error || result.isError || result.resultType === 'input_required', JSON.stringify(result));
      }
      client.session.server = own.server;
      await client.respond(request, accept[key]);
      await pause(100);
      assert.equal(await own.runs(), 0);
    });
  }

  test('a plugin that was replaced does not run a call that was approved for the other', async () => {
    const first = await asked('writer', note);
    const reloaded = await vault.admin('boss', 'plugin.reload', { name: 'vault' });
    assert.equal(reloaded.status, 200);
    const { result } = await runsNothing(() => vault.modern('writer', again(note, first, accept)));
    assert.equal(codeOf(result), 'approval_declined');
    assert.deepEqual(detailsOf(result), { kind: 'plugin_replaced' });
  });

  test('rights that change end the call', async () => {
    const first = await asked('other', note);
    const running = vault.modern('remote', note);
    await until(async () => (await vault.waiting()).length === 2, 'two calls that wait');
    const changed = { ...agents, other: { ...agents.other, tools: { except: ['vault_drop'] } },
      remote: { ...agents.remote, tools: { except: ['vault_drop'] } } };
    vault.governed.replace(JSON.stringify({ agents: changed }));
    assert.deepEqual(detailsOf((await running).result), { kind: 'rights_changed' });
    const { result } = await runsNothing(() => vault.modern('other', again(note, first, accept)));
    assert.deepEqual(detailsOf(result), { kind: 'rights_changed' });
    vault.governed.replace(JSON.stringify({ agents }));
  });
});

describe('without an approver', () => {
  test('the call is refused at once, and expires where an answer could have come', async (t) => {
    const profiles = { writer: agents.writer, free: agents.free, remote: agents.remote };
    const alone = await Vault.start({ operators: false, profiles, limits: { approval_timeout_ms: 400 } });
    t.after(() => alone.stop());
    await runsNothing(async () => {
      const { result } = await alone.modern('writer', note, { capabilities: {} });
      assert.equal(codeOf(result), 'approval_unavailable');
      assert.match(textOf(result), /supports elicitation/);
      assert.equal(codeOf((await alone.modern('remote', note)).result), 'approval_unavailable');
      const first = await asked('writer', note, {}, alone);
      await pause(700);
      const late = await alone.modern('writer', again(note, first, accept));
      assert.deepEqual(detailsOf(late.result), { kind: 'timed_out' });
      const client = await alone.legacy('writer');
      const running = client.call('tools/call', note);
      const [request] = await requests(running);
      assert.deepEqual(detailsOf(await running.result()), { kind: 'timed_out' });
      assert.equal(await client.respond(request, accept[key]), 202);
      await pause(50);
    }, alone);
  });
});

describe('the record', () => {
  test('metrics count decisions, and the log names the person that decided', async () => {
    const url = String(vault.server.url).replace(/\/mcp$/, '/metrics');
    const text = await (await fetch(url, { headers: vault.headers('boss') })).text();
    assert.match(text, /gantry_approvals_total\{decision="accepted"\} [1-9]/);
    assert.match(text, /gantry_approvals_total\{decision="rights_changed"\} 2/);
    assert.match(text, /gantry_approvals_waiting \d/);
    assert.match(vault.server.stderr, /approval.*decision=accepted.*by="control socket, pid \d+"/);
    assert.match(vault.server.stderr, /approval_by=client/);
  });
});

describe('the official clients', () => {
  const clients = [['v1, legacy', (at, key_) => httpV1(at.server.url, '2025-11-25', key_)],
    ['v2, modern', (at, key_) => httpV2(at.server.url, key_)],
    ['v2, legacy', (at, key_) => httpV2Legacy(at.server.url, key_)]];  // v1 knows the legacy era alone
  for (const [name, make] of clients) {
    test(`${name}: approve and decline`, async (t) => {
      const talker = make(vault, vault.governed.keys.writer);
      const shown = [];
      let reply;
      talker.answer('elicitation/create', ({ message }) => { shown.push(message); return reply; });
      await talker.open();
      t.after(() => talker.client.close());
      reply = accept[key];
      const before_ = await vault.runs();
      assert.deepEqual((await talker.call({ name: 'vault_set', arguments: { value: name } })).structuredContent, { value: name });
      for (reply of [decline[key], close[key]]) {
        assert.equal(codeOf(await talker.call({ name: 'vault_note', arguments: {} })), 'approval_declined');
      }
      assert.equal(shown.length, 3);
      assert.equal(await vault.runs(), before_ + 1);
    });

    test(`${name}: an answer after the time limit`, async (t) => {
      const hasty = await Vault.start({ operators: false, profiles: { writer: agents.writer, free: agents.free },
        limits: { approval_timeout_ms: 300 } });
      t.after(() => hasty.stop());
      const talker = make(hasty, hasty.governed.keys.writer);
      talker.answer('elicitation/create', async () => { await pause(900); return accept[key]; });
      await talker.open();
      t.after(() => talker.client.close());
      const result = await talker.call({ name: 'vault_note', arguments: {} });
      assert.deepEqual([codeOf(result), detailsOf(result)], ['approval_declined', { kind: 'timed_out' }]);
      await pause(1000);
      assert.equal(await hasty.runs(), 0);
    });
  }
});

describe('nothing runs unapproved', () => {
  test('1,000 forged, replayed, reordered, crossed, tampered and expired answers', async () => {
    const one = await asked('writer', set('a'));
    const two = await asked('writer', set('b'));
    const spent = await asked('writer', note);
    await vault.modern('writer', again(note, spent, decline));
    const flip = (text, at) => text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
    const before_ = await vault.runs();
    const tries = [];
    for (let i = 0; i < 100; ++i) {
      const state = one.requestState;
      tries.push(
        ['writer', again(set('a'), { requestState: flip(state, (i * 7) % state.length) }, accept)],
        ['writer', again(set(`c${i}`), one, accept)],  // other arguments
        ['writer', again(note, two, accept)],  // another tool
        ['other', again(set('a'), one, accept)],  // another agent
        ['writer', again(note, spent, accept)],  // used
        ['writer', again(set('a'), { requestState: state.slice(0, i) }, accept)],
        ['writer', again(set('a'), {}, accept)],  // no state
        ['writer', { ...set('a'), _meta: { approved: true, [key]: 'accept' } }],
        ['writer', set('a', { dry_run: false, plan_token: `version-${i}` })],
      );
    }
    for (let i = 0; i < tries.length; i += 20) {
      await Promise.all(tries.slice(i, i + 20).map(([name, params]) => vault.modern(name, params)));
    }
    const forged = (i) => vault.admin(i % 2 ? 'writer' : 'boss', 'approval.answer',
      { id: i.toString(16).padStart(16, '0'), accept: true });
    // Fewer at once than may wait for the admin thread: that would be a 503.
    for (let i = 0; i < 100; i += 20) {
      const answers = await Promise.all(Array.from({ length: 20 }, (_, j) => forged(i + j)));
      for (const { status } of answers) assert.ok([403, 404].includes(status));
    }
    assert.equal(await vault.runs(), before_);
  });
});
