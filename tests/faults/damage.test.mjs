// Damaged files in the place of a plugin that serves: none comes in that is not whole, none takes the
// server with it, the old one serves on, and an operator is told why.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../e2e/lib/events.mjs';
import { damaged, dice, seedOf } from './lib/damage.mjs';
import { Live, build, languages } from './lib/live.mjs';

const kinds = ['now', 'later', 'steps', 'nested'];

/** Puts a damaged build in place: the reason why it was refused, or '' when it serves. */
async function tryDamaged(live, language, part, random) {
  const good = live.placed[language];
  const { bytes, what } = damaged(build(language, good + 1), part, random);
  live.put(language, good + 1, bytes);
  live.last = what;
  await live.control('plugin.reload', { name: `live-${language}` }).catch(() => {});
  const { plugins } = await live.control('plugin.list');
  const state = plugins.find(({ file }) => file === live.file(language));
  assert.ok(state, `${what}: the file is not listed`);
  if (!state.last_failure) return { what, state, reason: '' };
  assert.equal(state.state, 'serving', `${what}: the old one does not serve: ${JSON.stringify(state)}`);
  assert.ok(state.last_failure.length > 20, `${what}: '${state.last_failure}' is no reason`);
  const { structuredContent } = await live.client.ask(`live_${language}_now`);
  assert.equal(structuredContent.build, live.serving, `${what}: the wrong build answers`);
  return { what, state, reason: state.last_failure };
}

/** The plugin is whole again, as another build. */
async function repair(live, language) {
  live.place(language, live.placed[language] + 1);
  live.serving = live.placed[language];
  await live.control('plugin.reload', {}).catch(() => {});
  await until(async () => {
    const { message } = await live.open(`live_${language}_now`);
    return message?.result?.structuredContent?.build === live.serving;
  }, 'the good build serves');
  live.seen[language] = live.serving;
}

/** One call; one that never ends is given up. */
async function patiently(live, tool) {
  const call = live.client.open(tool);
  let timer;
  const late = new Promise((resolve) => { timer = setTimeout(resolve, 1500, { error: 'given up' }); });
  const message = await Promise.race([call.answer.catch((error) => ({ failure: error.message })), late]);
  clearTimeout(timer);
  if (message?.error === 'given up') await call.drop();
  return { message };
}

const count = (map, key) => map.set(key, (map.get(key) ?? 0) + 1);

async function damage(t, isolate, points, judge) {
  const began = Date.now();
  const random = dice(seedOf(t, 31));
  const live = await Live.start(t, { isolate, settings: { worker: { failures: 0, kill_after_ms: 300 } } });
  live.serving = 1;
  // Its code is instrumented too, and runs into anything. The server's own reports name no plugin.
  if (isolate === 'process') live.server.damaged = / warning .* plugin=live-c$/;
  t.after(() => t.diagnostic(`the last damage was: ${live.last}`));
  let accepted = 0;
  const reasons = new Map();
  // The other languages are called all the time and notice nothing; so is this one while it is refused.
  const language = 'c';
  const stop = live.hammer(1, languages.filter((one) => one !== language), ['now', 'steps'], 20);
  for (const [part, times] of points) {
    for (let i = 0; i < times; ++i) {
      const inside = Promise.all(kinds.map((kind) => live.open(`live_${language}_${kind}`)));
      const { what, reason } = await tryDamaged(live, language, part, random);
      for (const { message } of await inside) {
        const number = message?.result?.structuredContent?.build;
        if (reason) assert.equal(number, live.serving, `${what}: ${JSON.stringify(message)}`);
      }
      if (reason) {
        count(reasons, reason.replaceAll(/\d+/g, '#').slice(0, 60));
        // What was refused was never there: its number is free again.
        live.placed[language] = live.serving;
        continue;
      }
      ++accepted;
      for (const kind of kinds) judge(what, kind, live.placed[language], await patiently(live, `live_${language}_${kind}`));
      await repair(live, language);
    }
  }
  await repair(live, language);
  await stop();
  assert.deepEqual(live.counts.failed.slice(0, 5), []);
  assert.deepEqual(live.counts.wrong.slice(0, 3), []);
  await until(() => live.held().copies === live.copiesAtRest() && live.workers().length === live.workersAtRest, 'nothing is left behind')
    .catch((error) => {
      throw new Error(`${error.message}: ${JSON.stringify(live.held())} where ${live.copiesAtRest()} copies were, ${live.workers().length} workers where ${live.workersAtRest} were`);
    });
  t.diagnostic(`${accepted} of the damaged files were fit for use; ${reasons.size} different reasons for the others; ${Math.round((Date.now() - began) / 1000)} s`);
  await live.stop();
}

describe('a damaged file in the place of a plugin', () => {
  // A byte of the note may be one of a tool's name or description: that is another plugin, but a whole one.
  test('in the server\'s own process', { timeout: 300_000 }, (t) => damage(t, 'in-process',
    [['cut', 80], ['header', 50], ['note', 30]],
    (what, kind, number, { message }) => {
      const got = message?.result?.structuredContent?.build;
      if (got === undefined && /^note/.test(what)) assert.match(JSON.stringify(message), /Unknown tool|error/i, what);
      else assert.equal(got, number, `${what}, ${kind}: ${JSON.stringify(message)}`);
    }));

  // Wrong code may do anything: it does it in its worker.
  test('whose code is wrong, in a worker', { timeout: 300_000 }, (t) => damage(t, 'process', [['dynamic', 20], ['code', 20]],
    (what, kind, number, { message }) => {
      assert.ok(message?.result ?? message?.error, `${what}, ${kind}: no answer`);
    }));
});
