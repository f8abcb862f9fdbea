// The sealed state of a round is valid once, until it expires, for the call that it was issued for.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { pause } from '../lib/events.mjs';
import { accepted, again, asks, calling, completes, elicit, found, keep, need, once, refuses, startRounds, state } from '../lib/rounds.mjs';
import { call } from '../lib/rpc.mjs';

let server;
before(async () => { server = await startRounds(); });
after(() => server.stop());

const journal = (result) => result.structuredContent.journal;
/** A request that has been asked something and carries state. */
const stateful = calling(state, keep('kept'), elicit(), need);

describe('state', () => {
  const retried = (asked, more = {}) => ({ ...again(stateful, asked, { person: accepted('Ada') }), ...more });
  const theirs = /not given out by this server for this request, or was changed/;

  test('that is changed anywhere is refused, and the original is still accepted', async () => {
    const asked = await asks(server, stateful);
    const text = asked.requestState;
    const step = Math.max(1, Math.floor(text.length / 60));
    const changed = [`${text}A`, text.slice(0, -1), `${text}.`, ` ${text}`, '', 'v1.', text.slice(3), `v2${text.slice(2)}`];
    for (let at = 0; at < text.length; at += step) {
      changed.push(`${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`);
    }
    for (const requestState of changed) assert.match(await refuses(server, retried({ requestState })), theirs, requestState);
    assert.deepEqual(journal(await completes(server, retried(asked))).at(-1), found(accepted('Ada')));
    await call(server, 'rounds_journal', { as: 'me' });
  });

  test('is accepted once, also when two requests bring it at the same time', async () => {
    const asked = await asks(server, stateful);
    const answers = await Promise.all(Array.from({ length: 8 }, () => once(server, 'tools/call', retried(asked))));
    assert.equal(answers.filter(({ message }) => message.result).length, 1);
    for (const { message } of answers.filter((one) => one.message.error)) {
      assert.equal(message.error.code, -32602);
      assert.match(message.error.message, /used before/);
    }
  });

  test('is valid for its arguments and its tool only', async () => {
    const asked = await asks(server, stateful);
    const other = { ...stateful.arguments, more: 1 };
    assert.match(await refuses(server, retried(asked, { arguments: other })), theirs);
    assert.match(await refuses(server, retried(asked, { name: 'rounds_journal', arguments: { as: 'me' } })), theirs);
    assert.match(await refuses(server, { ...again({ uri: 'script://fixed' }, asked) }, { method: 'resources/read' }), theirs);
    assert.ok((await completes(server, retried(asked))).structuredContent);
  });

  test('expires', async (t) => {
    const brief = await startRounds({ limits: { input_lifetime_ms: 300 } });
    t.after(() => brief.stop());
    const asked = await asks(brief, stateful);
    assert.ok((await completes(brief, retried(asked))).structuredContent);
    const late = await asks(brief, stateful);
    await pause(500);
    assert.match(await refuses(brief, retried(late)), /expired/);
  });

  test('of another run of the server, or of another caller, is refused', async (t) => {
    const asked = await asks(server, stateful);
    const keyed = await startRounds({ env: { GANTRY_API_KEY: 'sesame' } });
    t.after(() => keyed.stop());
    const headers = { authorization: 'Bearer sesame' };
    assert.match(await refuses(keyed, retried(asked), { headers }), theirs);
    const own = await asks(keyed, stateful, { headers });
    assert.match(await refuses(server, retried(own)), theirs);
    assert.equal((await once(keyed, 'tools/call', retried(own), { headers: { authorization: 'Bearer x' } })).status, 401);
    assert.ok((await completes(keyed, retried(own), { headers })).structuredContent);
  });
});
