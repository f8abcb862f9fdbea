// Classes whose objects are documents in a JSON column, as a model describes them.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { documentsDatabase, modelDirectory, people, stored, writeModel } from './lib/documents.mjs';
import { Server, ownFlags, runToEnd } from './lib/gantryd.mjs';
import { ask } from './lib/rpc.mjs';

let server;
before(async () => {
  server = await Server.start({ db: documentsDatabase(), flags: ['--model', modelDirectory({ 'people.json': people })] });
});
after(() => server.stop());

const { _hashed_password: hidden, ...dan } = stored[3];
const visible = [...stored.slice(0, 3), dan, stored[4]];
const aggregate = async (pipeline, more = {}) => (
  (await ask(server, 'aggregate', { class_name: 'people', pipeline, ...more })).results);

describe('aggregate over documents', () => {
  test('answers what is stored, in its order and form', async () => {
    const results = await aggregate([]);
    assert.equal(hidden, 'secret');
    assert.deepEqual(results, visible);
    assert.deepEqual(results.map((row) => Object.keys(row)), visible.map((row) => Object.keys(row)));
  });

  test('tells missing from null and matches any field', async () => {
    const names = async (where) => (await aggregate([{ $match: where }])).map((row) => row.name);
    assert.deepEqual(await names({ age: null }), ['Cyd', 'Eve']);
    assert.deepEqual(await names({ age: { $exists: false } }), ['Eve']);
    assert.deepEqual(await names({ 'deep.a.b': 2 }), ['Cyd']);
    assert.deepEqual(await names({ tags: 'b' }), ['Ada']);
    assert.deepEqual(await names({ nothing: 1 }), []);
    assert.deepEqual(await names({ _id: 'two' }), ['Bob']);
    assert.deepEqual(await names({ _id: 1.0 }), ['Ada']);
    assert.deepEqual(await names({ born: { $lt: { $date: '2000-01-01T00:00:00Z' } } }), ['Ada']);
  });

  test('joins documents with rows and rows with documents', async () => {
    const [ada] = await aggregate([
      { $match: { _id: 1 } }, { $lookup: { from: 'city', localField: 'home', foreignField: 'code', as: 'c' } },
      { $project: { city: { $first: '$c.name' } } }]);
    assert.deepEqual(ada, { _id: 1, city: 'Berlin' });
    const { results } = await ask(server, 'aggregate', {
      class_name: 'city',
      pipeline: [{ $lookup: { from: 'people', localField: 'code', foreignField: 'home', as: 'p' } },
        { $project: { n: { $size: '$p' } } }],
    });
    assert.deepEqual(results.map((row) => row.n), [2, 1]);
  });
});
