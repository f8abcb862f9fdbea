// Asks all cases of all forms, with pushdown and without.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Server } from '../../e2e/lib/gantryd.mjs';
import { scratch } from '../../e2e/lib/paths.mjs';
import { Client, forEach } from './client.mjs';
import { Database } from './database.mjs';
import { asksOf } from './forms.mjs';
import { judge } from './judge.mjs';
import { measuredPushdown } from './pushdown.mjs';

/** Stops the server and prints its warnings and errors without the log of calls. */
async function stopped(server) {
  try {
    await server.stop();
  } catch {
    const lines = server.stderr.split('\n').filter((line) => !/ (info|warn) +/.test(line));
    throw new Error(`gantryd did not end well:\n${lines.join('\n').slice(0, 4000)}`);
  }
}

async function withServer(database, pushdown, work) {
  const config = join(scratch(), 'gantry.json');
  writeFileSync(config, JSON.stringify({ plugins: { data: { config: { pushdown, model: database.model } } } }));
  const server = await Server.start({ db: database.file, flags: ['--config', config, '--log-level', 'error'] });
  const client = new Client(server);
  try {
    await work(client);
  } finally {
    client.close();
    await stopped(server);
  }
}

const outcomeOf = async (client, ask) => judge(ask, await client.call(ask.call.tool, ask.call.args));

/** A class with columns refuses in `where` literals that a column cannot hold, which a pipeline
 *  compares by MongoDB's rules: that is asked then. */
async function askedAgain(client, ask, first) {
  const second = await outcomeOf(client, { ...ask, call: ask.again });
  return second && { ...second, askedAgain: first.message };
}

/** Columns know null but not missing: where that matters, and documents are answered rightly, the
 *  table's answer is right when documents without their nulls give the same. */
async function comparedBare(client, ask, first) {
  const whole = await outcomeOf(client, ask.whole);
  if (whole.verdict !== 'right') return first;
  const bare = await outcomeOf(client, ask.bare);
  const isSame = bare?.value !== undefined && ask.bare.same(bare.value, first.value);
  return isSame ? { ...first, verdict: 'right', asBare: true } : first;
}

/** Asks the tools one case in one form. */
async function formOf(client, ask) {
  const judged = await outcomeOf(client, ask);
  if (judged?.verdict === 'refused' && ask.again) return askedAgain(client, ask, judged);
  return judged?.verdict === 'wrong' && ask.bare ? comparedBare(client, ask, judged) : judged;
}

/** {records: [{one, forms: {'documents on': {verdict, …}, …}}] for every case, pushdown}. */
export async function runCases(cases, { storages }) {
  const database = new Database();
  const records = cases.map((one) => ({ one, forms: {} }));
  const asks = [];
  for (const record of records) {
    for (const ask of asksOf(record.one, database)) {
      if (storages.includes(ask.storage)) asks.push({ ...ask, record });
    }
  }
  database.close();
  let measured;
  for (const pushdown of [true, false]) {
    await withServer(database, pushdown, async (client) => {
      await forEach(asks, async (ask) => {
        const judged = await formOf(client, ask);
        if (judged) ask.record.forms[`${ask.storage} ${pushdown ? 'on' : 'off'}`] = { ...judged, call: ask.call };
      });
      if (pushdown) measured = await measuredPushdown(client, asks);
    });
  }
  return { records, pushdown: measured };
}
