// Lists of several pages that change between two pages.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { plugins } from '../lib/rounds.mjs';
import { modernRevision, peer } from '../lib/rpc.mjs';
import { noted, startScripts } from '../lib/script.mjs';

describe('a list that changes between two pages', () => {
  const names = (from, to) => Array.from({ length: to - from }, (_, i) => `n${String(from + i).padStart(4, '0')}`);
  const kept = ['rounds', 'rounds_journal'].map((name) => ({ kind: 'tool', name, description: 'D.', inputSchema: { type: 'object' } }));
  const make = {
    tools: (name) => ({ kind: 'tool', name, description: 'D.', inputSchema: { type: 'object' } }),
    prompts: (name) => ({ kind: 'prompt', name, description: 'D.' }),
    resources: (name) => ({ kind: 'resource', name, uri: `script://${name}`, description: 'D.' }),
  };
  const listed = 'script://things/{kind}/{id}';
  const sets = {
    ...Object.fromEntries(Object.entries(make).map(([list, item]) => [list,
      (at, now) => noted(at, 'rounds', { do: 'offer', items: JSON.stringify([...kept, ...now.map(item)]) })])),
    // Resources that a plugin lists for a template at the time of the request.
    'listed resources': (at, now) => noted(at, 'rounds', {
      do: 'script', kind: 'resource_list', name: listed, steps: JSON.stringify([{ do: 'json_begin' },
        { do: 'json_raw', body: JSON.stringify({ resources: now.map((name) => ({ uri: `script://things/a/${name}`, name })) }) }, { do: 'json_end' }]),
    }),
  };
  const all = names(0, 600);
  const without = (from, to) => all.filter((_, i) => i < from || i >= to);
  const changes = {
    'nothing': all,
    'some in front of the page\'s end go': without(230, 250),
    'the whole first page goes': without(0, 250),
    'the end of the page and what follows go': without(245, 300),
    'some come in front': [...names(1000, 1040), ...all],
    'some come in front and the page\'s end goes': [...names(1000, 1040), ...without(240, 252)],
    'every second goes': all.filter((_, i) => i % 2),
    'the rest goes': all.slice(0, 100),
  };

  for (const era of ['2025-06-18', modernRevision]) {
    test(`loses and repeats no item that stays (${era})`, async (t) => {
      const own = await startScripts({ plugins: plugins });
      t.after(() => own.stop());
      const ask = await peer(own, era);
      for (const list of ['listed resources', 'tools', 'prompts', 'resources']) {
        const member = list.split(' ').at(-1);
        for (const [what, then] of Object.entries(changes)) {
          await sets[list](own, all);
          const first = await ask(`${member}/list`);
          assert.equal(first[member].length, 250);
          await sets[list](own, then);
          const seen = first[member].map(({ name }) => name);
          for (let cursor = first.nextCursor, pages = 0; cursor !== undefined; ++pages) {
            assert.ok(pages < 5);
            const page = await ask(`${member}/list`, { cursor });
            seen.push(...page[member].map(({ name }) => name));
            cursor = page.nextCursor;
          }
          assert.equal(new Set(seen).size, seen.length, `${list}, ${what}: twice`);
          const stayed = then.filter((name) => all.includes(name));
          assert.deepEqual(stayed.filter((name) => !seen.includes(name)), [], `${list}, ${what}: lost`);
        }
      }
    });
  }

  test('refuses invalid cursors', async (t) => {
    const own = await startScripts({ plugins });
    t.after(() => own.stop());
    for (const revision of ['2024-11-05', '2025-11-25', modernRevision]) {
      const ask = await peer(own, revision);
      for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']) {
        for (const cursor of ['x', 'bm9wZQ==', 7, {}]) assert.equal((await ask(method, { cursor })).code, -32602);
      }
    }
  });
});
