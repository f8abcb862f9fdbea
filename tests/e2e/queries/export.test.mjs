// Exports in every format, compared with the same computation in JavaScript.
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parseCsv } from '../lib/csv.mjs';
import { documentsDatabase, modelDirectory, people as documentClass } from '../lib/documents.mjs';
import { LegacyClient, ModernClient, until } from '../lib/events.mjs';
import { Server } from '../lib/gantryd.mjs';
import { scratch } from '../lib/paths.mjs';
import { people, peopleDatabase, teams } from '../lib/people.mjs';
import { ask, LegacySession, modern, modernRevision, peer, refused } from '../lib/rpc.mjs';

let server;
before(async () => { server = await Server.start({ db: peopleDatabase() }); });
after(() => server.stop());

const exported = (args) => ask(server, 'export_data', { class_name: 'people', ...args });

const text = (value) => (value === null || value === undefined ? '' : String(value));
const teamName = (p) => (p.team === null ? '' : teams[p.team - 1].name);

describe('export_data', () => {
  test('gives CSV that a strict reader reads back', async () => {
    const answer = await exported({ columns: ['id', 'name', 'score', { 'team.name': 'Team, "quoted"' }, 'profile.city'], order: 'id' });
    assert.equal(answer.class_name, 'people');
    assert.equal(answer.format, 'csv');
    assert.deepEqual(answer.headers, ['id', 'name', 'score', 'Team, "quoted"', 'profile.city']);
    assert.equal(answer.row_count, Math.min(1000, people.length));
    const [headers, ...rows] = parseCsv(answer.output);
    assert.deepEqual(headers, answer.headers);
    assert.deepEqual(rows.map(([id, name, , team, city]) => [id, name, team, city]), people.slice(0, 1000).map((p) => (
      [text(p.id), text(p.name), teamName(p), text(p.profile?.city)])));
    for (const [i, row] of rows.entries()) assert.equal(row[2] === '' ? null : Number(row[2]), people[i].score);
  });

  test('distinguishes empty text from missing values in CSV', async () => {
    const { output } = await exported({ columns: ['id', 'name'], order: 'id', limit: 11 });
    const lines = output.split('\r\n');
    assert.equal(lines[1 + 6], '6,""', 'an empty name');
    assert.equal(lines[1 + 10], '10,', 'no name');
  });

  test('shows a pointer beside the fields behind it, in queries and pipelines', async () => {
    const columns = ['team.name', 'team', 'team.boss.age'];
    const expected = people.slice(0, 300).map((p) => [teamName(p), text(p.team),
      text(p.team === null || teams[p.team - 1].boss === null ? null : people[teams[p.team - 1].boss].age)]);
    for (const how of [{ order: 'id' }, { pipeline: [{ $sort: { id: 1 } }] }]) {
      const { output, headers } = await exported({ ...how, columns, row_cap: 300 });
      assert.deepEqual(headers, columns);
      assert.deepEqual(parseCsv(output).slice(1), expected, JSON.stringify(how));
    }
  });

  test('gives the same CSV and Markdown as query_class with that format', async () => {
    const what = { class_name: 'people', keys: ['name', 'age', 'team', 'tags', 'profile'], order: 'id', limit: 60 };
    for (const format of ['csv', 'markdown']) {
      const query = await ask(server, 'query_class', { ...what, format });
      const columns = query.headers;
      const answer = await ask(server, 'export_data', { ...what, format, columns });
      assert.equal(query.output, answer.output, format);
    }
  });

  test('gives JSON lines with types', async () => {
    const answer = await exported({ format: 'jsonl', columns: ['id', { age: 'years' }], order: '-id', limit: 50 });
    const rows = answer.output.trimEnd().split('\n').map((line) => JSON.parse(line));
    assert.deepEqual(rows, people.slice(-50).reverse().map((p) => ({ id: p.id, years: p.age })));
  });

  test('gives Markdown and an aligned table', async () => {
    const what = { class_name: 'teams', columns: ['name'], order: 'id' };
    const markdown = await ask(server, 'export_data', { ...what, format: 'markdown' });
    assert.equal(markdown.output, ['| name |', '| --- |', ...teams.map((t) => `| ${t.name} |`), ''].join('\n'));
    const table = await ask(server, 'export_data', { ...what, format: 'table' });
    assert.deepEqual(table.output.split('\n').slice(2, -1), teams.map((t) => t.name));
  });

  test('has the columns of the first row when none are named', async () => {
    const all = await exported({ limit: 1, order: 'id' });
    const rows = await ask(server, 'query_class', { class_name: 'people', limit: 1, order: 'id', format: 'csv' });
    assert.deepEqual(all.headers, rows.headers);
  });

  test('reports that it was cut, and the number of available rows', async () => {
    const where = { age: { $gte: 18 } };
    const grown = people.filter((p) => p.age !== null && p.age >= 18).length;
    const answer = await exported({ where, row_cap: 7, columns: ['id'] });
    assert.equal(answer.row_count, 7);
    assert.equal(answer.truncated, true);
    assert.equal(answer.row_cap, 7);
    assert.equal(answer.available_rows, grown);
    assert.match(answer.hint, /row_cap/);
    const whole = await exported({ where, limit: 7, columns: ['id'] });
    assert.equal(whole.truncated, undefined);
    assert.equal(whole.row_count, 7);
  });

  test('exports a pipeline beyond the bound of aggregate', async () => {
    const pipeline = [{ $match: { id: { $lt: 400 } } }, { $sort: { id: 1 } }];
    const answer = await exported({ pipeline, columns: ['id', 'team.objectId'] });
    assert.equal(answer.row_count, Math.min(400, people.filter((p) => p.id < 400).length));
    assert.deepEqual(parseCsv(answer.output)[1], [text(people[0].id), text(people[0].team)]);
    const grouped = await exported({ pipeline: [{ $group: { _id: '$team', n: { $sum: 1 } } }, { $sort: { n: -1, _id: 1 } }], format: 'table' });
    assert.deepEqual(grouped.headers, ['_id', 'n']);
    const documents = await ask(server, 'export_data', { pipeline: [{ $documents: [{ a: 1 }] }] });
    assert.equal(documents.output, 'a\r\n1\r\n');
    assert.equal(documents.class_name, undefined);
  });

  test('answers both eras alike', async () => {
    const args = { class_name: 'teams', columns: ['name'], format: 'csv' };
    const modern = await ask(server, 'export_data', args);
    for (const revision of ['2024-11-05', '2025-11-25']) {
      const legacy = await peer(server, revision);
      const { content } = await legacy('tools/call', { name: 'export_data', arguments: args });
      assert.deepEqual(JSON.parse(content[0].text), modern, revision);
    }
  });

  for (const [args, code, message] of [
    [{ format: 'xlsx' }, 'invalid_argument', /jsonl/],
    [{ row_cap: 10_001 }, 'invalid_argument', /10000/],
    [{ columns: [] }, 'invalid_argument', /columns/],
    [{ columns: ['nmae'] }, null, /name/],
    [{ columns: ['id', 'id'] }, 'invalid_argument', /header/],
    [{ pipeline: [], columns: ['team.nmae'] }, null, /name/],
    [{ pipeline: [], where: {} }, 'invalid_argument', /do not go together/],
    [{ pipeline: [{ $out: 'x' }] }, 'security_blocked', /\$out/],
    [{ where: { nmae: 1 } }, 'invalid_query', /name/],
    [{ class_name: 'missing' }, 'access_denied', /missing/],
    [{ what: 1 }, 'invalid_argument', /what/],
  ]) {
    test(`refuses ${JSON.stringify(args)}`, async () => {
      const error = await refused(server, 'export_data', { class_name: 'people', ...args });
      if (code) assert.equal(error.code, code);
      assert.match(error.message, message);
    });
  }
});

describe('exports of documents', () => {
  let documents;
  before(async () => {
    documents = await Server.start({ db: documentsDatabase(), flags: ['--model', modelDirectory({ 'people.json': documentClass })] });
  });
  after(() => documents.stop());
  const rows = (args) => ask(documents, 'export_data', { class_name: 'people', ...args });

  test('show dates and numbers in Extended JSON by their value', async () => {
    const { output } = await rows({ columns: ['name', 'age', 'born', 'deep.a.b', '_id'], order: '-name', where: { name: { $lte: 'Cyd' } } });
    assert.deepEqual(parseCsv(output).slice(1), [
      ['Cyd', '', '', '[2]', '0123456789abcdef01234567'], ['Bob', '17', '', '', 'two'],
      ['Ada', '36', '1990-05-01T00:00:00.000Z', '', '1']]);
  });

  test('keep the stored form in JSON lines', async () => {
    const { output, row_count } = await rows({ format: 'jsonl', keys: ['_id', 'age'], limit: 2, skip: 1 });
    assert.equal(row_count, 2);
    assert.deepEqual(output.trimEnd().split('\n').map((line) => JSON.parse(line)), [
      { _id: 'two', age: { $numberLong: '17' } }, { _id: { $oid: '0123456789abcdef01234567' }, age: null }]);
  });

  test('say that documents have no pointers to include', async () => {
    const error = await refused(documents, 'export_data', { class_name: 'people', include: ['home'] });
    assert.equal(error.code, 'invalid_argument');
    assert.match(error.message, /\$lookup/);
  });
});

describe('exports as links', () => {
  const linked = (args) => exported({ as: 'link', ...args });
  const read = async (at, uri) => (await modern(at, 'resources/read', { uri }, { 'mcp-name': uri })).message;
  const contents = async (uri) => {
    const { result, error } = await read(server, uri);
    assert.equal(error, undefined, JSON.stringify(error));
    assert.equal(result.contents.length, 1);
    return result.contents[0];
  };

  test('hold the rows of an inline answer, and more', async () => {
    const answer = await linked({ columns: ['id', 'name'], order: 'id' });
    assert.equal(answer.row_count, people.length);
    assert.equal(answer.truncated, undefined);
    assert.equal(answer.output, undefined);
    assert.equal(answer.mime_type, 'text/csv');
    assert.equal(answer.parts, 1);
    assert.equal(answer.expires_in, 900);
    assert.match(answer.uri, /^export:\/\/[0-9a-f]{32}$/);
    const { text: whole, uri, mimeType } = await contents(answer.uri);
    assert.equal(uri, answer.uri);
    assert.equal(mimeType, 'text/csv');
    assert.equal(Buffer.byteLength(whole), answer.bytes);
    assert.deepEqual(parseCsv(whole).slice(1), people.map((p) => [text(p.id), text(p.name)]));
    assert.deepEqual((await contents(`${answer.uri}/1`)).text, whole);
    const inline = await exported({ columns: ['id', 'name'], order: 'id', limit: 10 });
    assert.ok(whole.startsWith(inline.output));
  });

  test('are read in parts that begin with a row', async () => {
    const pipeline = [{ $unionWith: 'people' }, { $unionWith: 'people' }, { $set: { more: { $range: [0, 200] } } }];
    const answer = await linked({ pipeline, format: 'jsonl' });
    assert.equal(answer.row_count, 3 * people.length);
    assert.ok(answer.parts > 3, `${answer.parts} parts`);
    assert.match((await read(server, answer.uri)).error.message, new RegExp(`${answer.uri}/1 to ${answer.uri}/${answer.parts}`));
    let rows = 0;
    let bytes = 0;
    for (let part = 1; part <= answer.parts; ++part) {
      const { text: piece, mimeType } = await contents(`${answer.uri}/${part}`);
      assert.equal(mimeType, 'application/jsonl');
      bytes += Buffer.byteLength(piece);
      rows += piece.trimEnd().split('\n').map((line) => JSON.parse(line)).length;
    }
    assert.equal(rows, answer.row_count);
    assert.equal(bytes, answer.bytes);
    for (const part of ['0', `${answer.parts + 1}`, 'x', '-1', '1e0']) {
      const { error } = await read(server, `${answer.uri}/${part}`);
      assert.match(error.message, /not found/);
    }
  });

  test('come with a resource link in both eras', async () => {
    for (const revision of ['2025-11-25', modernRevision]) {
      const said = await peer(server, revision);
      const result = await said('tools/call', { name: 'export_data', arguments: { class_name: 'teams', as: 'link', format: 'markdown' } });
      const link = result.content.find((block) => block.type === 'resource_link');
      assert.equal(link.uri, result.structuredContent.uri);
      assert.equal(link.mimeType, 'text/markdown');
      assert.equal(link.size, result.structuredContent.bytes);
      const { contents: [whole] } = await said('resources/read', { uri: link.uri });
      assert.match(whole.text, /^\| id \|/);
    }
  });

  test('report the number of written rows as progress, in both eras', async () => {
    const args = { class_name: 'people', as: 'link', columns: ['id', 'name'] };
    for (const client of [new ModernClient(server), new LegacyClient(await LegacySession.open(server))]) {
      const stream = client.open('export_data', args, { token: 'rows' });
      assert.equal((await stream.result()).structuredContent.row_count, people.length);
      // On a slow machine the host tells that the call still runs before the first of them.
      const told = stream.progress().filter(({ message }) => message?.endsWith(' rows written'));
      assert.deepEqual(told.map(({ message }) => message), ['1024 rows written', '2048 rows written']);
      assert.ok(told[0].progress < told[1].progress && told.every(({ progressToken }) => progressToken === 'rows'));
    }
  });

  test('stop at row_cap, and say so', async () => {
    const answer = await linked({ row_cap: 2000, columns: ['id'] });
    assert.equal(answer.row_count, 2000);
    assert.equal(answer.available_rows, people.length);
    assert.equal(answer.truncated, true);
  });

  test('are unknown to other agents and at guessed URIs', async (t) => {
    const { uri } = await linked({ columns: ['id'] });
    for (const wrong of ['export://', `export://${'0'.repeat(32)}`, `${uri}0`, `export://${'0'.repeat(32)}/1`]) {
      const { error } = await read(server, wrong);
      assert.ok(error, wrong);
    }
    const other = await Server.start({ db: peopleDatabase() });
    t.after(() => other.stop());
    assert.ok((await read(other, uri)).error);
  });

  test('are limited in number for each agent', async () => {
    const uris = [];
    for (let i = 0; i < 9; ++i) uris.push((await linked({ columns: ['id'], limit: 1 })).uri);
    assert.match((await read(server, uris[0])).error.message, /not found/);
    for (const uri of uris.slice(1)) assert.equal((await contents(uri)).text, 'id\r\n0\r\n');
  });

  test('refuse tables', async () => {
    const error = await refused(server, 'export_data', { class_name: 'people', as: 'link', format: 'table' });
    assert.equal(error.code, 'invalid_argument');
    assert.match(error.message, /csv, markdown or jsonl/);
  });

  test('use unnamed files, and are removed when they expire', async (t) => {
    const state = scratch();
    const config = join(scratch(), 'gantry.json');
    writeFileSync(config, JSON.stringify({ plugins: { data: { config: { export_lifetime_ms: 1000 } } } }));
    const brief = await Server.start({ db: peopleDatabase(), flags: ['--config', config, '--state', state] });
    t.after(() => brief.stop());
    const { uri, expires_in } = await ask(brief, 'export_data', { class_name: 'people', as: 'link' });
    assert.equal(expires_in, 1);
    assert.deepEqual(readdirSync(join(state, 'exports')), []);
    const gone = await until(async () => (await read(brief, uri)).error, 'the export goes');
    assert.match(gone.message, /not found/);
  });
});
