// Swaps while clients call: nothing fails, nothing is lost, no answer is of a build that was not there.
// GANTRY_SWAPS: how often each plugin is swapped.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pause, until } from '../e2e/lib/events.mjs';
import { Live, languages } from './lib/live.mjs';

// Whether a swap also leaves nothing in the server's own maps, or among its processes.
const modes = [['by command', 'in-process'], ['by command, each in a worker', 'process']];

const swaps = Number(process.env.GANTRY_SWAPS ?? 40);

function nothingWrong({ counts }) {
  assert.deepEqual(counts.failed.slice(0, 5), [], `${counts.failed.length} calls failed`);
  assert.deepEqual(counts.wrong.slice(0, 3), [], `${counts.wrong.length} wrong answers`);
}

describe('a plugin is swapped under load', () => {
  for (const [how, isolate] of modes) test(`C, C++ and Rust, ${how}`, { timeout: 3_600_000 }, async (t) => {
    const live = await Live.start(t, { isolate });
    const atRest = () => live.held().copies === live.copiesAtRest() && live.workers().length === live.workersAtRest;
    let stop = live.hammer(2);
    // Caches, arenas and threads are there before the first look.
    for (let i = 0; i < 5; ++i) await Promise.all(languages.map((language) => live.swap(language)));
    await stop();
    nothingWrong(live);
    await until(atRest, 'the first builds are gone');
    const before = live.held();

    stop = live.hammer(2);
    const times = [];
    for (let i = 0; i < swaps; ++i) {
      const began = performance.now();
      await Promise.all(languages.map((language) => live.swap(language)));
      times.push((performance.now() - began) / languages.length);
    }
    await stop();
    nothingWrong(live);
    assert.equal(live.workersAtRest, isolate === 'process' ? languages.length : 0, 'the plugins run where they were told to');
    await until(atRest, 'one generation of each is left', 20_000);
    const after = live.held();
    times.sort((a, b) => a - b);
    t.diagnostic(`${swaps * languages.length} swaps under load, ${live.counts.answers} answers, 0 failed, 0 wrong; a swap ${times[times.length >> 1].toFixed(1)} ms (median, under load)`);
    t.diagnostic(`before ${JSON.stringify(before)} after ${JSON.stringify(after)}`);
    assert.ok(after.maps <= before.maps + 20, `mappings ${before.maps} -> ${after.maps}`);
    assert.ok(after.descriptors <= before.descriptors + 4, `descriptors ${before.descriptors} -> ${after.descriptors}`);
    assert.ok(after.resident <= before.resident * 1.25 + 4096, `memory ${before.resident} -> ${after.resident} KiB`);
    await live.stop();
  });

  test('the directory is watched: renamed over and written in place, within a second', { timeout: 120_000 }, async (t) => {
    const live = await Live.start(t);
    const stop = live.hammer(1, languages, ['now', 'later']);
    for (let round = 0; round < 3; ++round) {
      for (const language of languages) {
        const number = live.placed[language] + 1;
        if (round % 2 === 0) live.place(language, number); else live.copyInPlace(language, number);
      }
      const placed = Date.now();
      await until(() => languages.every((language) => live.seen[language] === live.placed[language]), 'all serve the new build');
      // Newcomers are tried out in processes of their own, which start slowly under a sanitizer.
      assert.ok(Date.now() - placed < (live.sanitized() ? 5000 : 1500), `${Date.now() - placed} ms until they served`);
      await pause(50);
    }
    await stop();
    nothingWrong(live);
    await live.stop();
  });
});
