// Random events while clients call: files that are added, changed, damaged and removed, workers that
// crash and hang, new plugins that die on trial, configuration changes. GANTRY_SOAK: seconds.
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../e2e/lib/events.mjs';
import { testPlugin } from '../e2e/lib/script.mjs';
import { dice, seedOf } from './lib/damage.mjs';
import { Live, languages } from './lib/live.mjs';
import { Soak } from './lib/soak.mjs';

const seconds = Number(process.env.GANTRY_SOAK ?? 60);
const healthy = ['script', 'script-one', 'script-two', 'script-three', 'script-serial', 'script-async'];
const others = [...healthy, 'script-worker'];
const sections = {
  ...Object.fromEntries(healthy.map((name) => [name, { isolate: 'in-process' }])),
  'script-worker': { isolate: 'process', worker: { failures: 0, kill_after_ms: 200 } },
  ...Object.fromEntries(['constructor', 'create', 'start', 'stop', 'destroy'].flatMap((when) =>
    ['crashes', 'exits'].map((how) => [`${when}-${how}`, { isolate: 'in-process' }]))),
};

test(`${seconds} s of everything`, { timeout: (seconds + 150) * 1000 }, async (t) => {
  const random = dice(seedOf(t));
  const before = (directory) => others.forEach((name) => copyFileSync(testPlugin(name), join(directory, `${name}.so`)));
  const live = await Live.start(t, { before, sections });
  // A file with a damaged header may load, and its code may then do anything to its worker.
  live.server.damaged = / warning .* plugin=live-\w+$/;
  // Everything happened before the first look: caches, threads and arenas are there.
  const soak = new Soak(live, random);
  await soak.run(languages, 10);
  await rest(live, soak);
  const first = live.held();

  await soak.run(languages, seconds);
  assert.deepEqual(soak.failed.slice(0, 5), [], `${soak.failed.length} calls failed`);
  assert.deepEqual(soak.wrong.slice(0, 3), [], `${soak.wrong.length} wrong answers`);
  await rest(live, soak);
  const last = live.held();
  t.diagnostic(`${soak.answers} answers, 0 failed, 0 wrong; ${JSON.stringify(soak.done)}`);
  t.diagnostic(`before ${JSON.stringify(first)} after ${JSON.stringify(last)}`);
  assert.ok(last.maps <= first.maps + 30, `mappings ${first.maps} -> ${last.maps}`);
  assert.ok(last.descriptors <= first.descriptors + 4, `descriptors ${first.descriptors} -> ${last.descriptors}`);
  assert.ok(last.threads <= first.threads + 4, `threads ${first.threads} -> ${last.threads}`);
  // The heap grows once to the need of the busiest moment, which may come late.
  assert.ok(last.resident <= first.resident * 1.25 + 16_384, `memory ${first.resident} -> ${last.resident} KiB`);
  await live.stop();
});

/** Back to the initial state: every live plugin in the server's process, one generation of each, no worker. */
async function rest(live, soak) {
  soak.over = false;
  for (const language of languages) {
    if (live.sections[`live-${language}`].isolate === 'process') await soak.configure(language);
    await live.swap(language);
    await soak.serving(language, live.placed[language]);
  }
  await until(() => live.held().copies === live.copiesAtRest() && live.workers().length === live.workersAtRest,
    'one generation of each, one worker', 20_000).catch((error) => {
    throw new Error(`${error.message}: ${JSON.stringify(live.held())}, ${live.workers().length} workers`);
  });
  await until(() => soak.agrees().catch((error) => { soak.disagreed = error; return false; }), 'the list agrees', 5000)
    .catch(() => { throw soak.disagreed; });
}
