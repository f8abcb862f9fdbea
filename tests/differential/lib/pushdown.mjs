// The share of pipelines over tables with columns that the database runs, from `plan: true`.
import { findAsPipeline } from './calls.mjs';
import { forEach } from './client.mjs';
import { operatorsIn } from './scope.mjs';

const pushable = new Set(['$match', '$sort', '$skip', '$limit', '$count']);
const nameOf = (stage) => stage.keys().next().value;
const countOf = (stages, name) => stages.filter((stage) => nameOf(stage) === name).length;

/** The stages a database can run before the first that it cannot. */
function prefixOf(stages) {
  const end = stages.findIndex((stage) => !(stage instanceof Map) || !pushable.has(nameOf(stage)));
  return end < 0 ? stages : stages.slice(0, end);
}

/** A condition that reads no column by itself: it compares fields with each other. */
const isOverColumns = (stages) => !operatorsIn(stages).has('$expr');

/** {prefix: stages, wholly, partly, not: Map(name -> number)} of one plan. */
function shareOf(stages, plan) {
  const prefix = prefixOf(stages);
  const rest = stages.slice(prefix.length);
  const stage = (name) => {
    const all = countOf(prefix, name);
    const pushed = countOf(plan.get('pushed'), name);
    const left = Math.max(0, countOf(plan.get('residual'), name) - countOf(rest, name));
    const none = Math.max(0, all - pushed);
    const partly = Math.max(0, Math.min(all - none, pushed + left - all));
    return { wholly: all - none - partly, partly, none };
  };
  return { prefix, stages: new Map([...pushable].map((name) => [name, stage(name)])) };
}

/** The pipeline of a case over a table, or the one equivalent to its find. */
function stagesOf({ one, names, call }) {
  if (one.verb === 'aggregate') return { call, stages: one.command.get('pipeline') };
  const asked = findAsPipeline(one, names, 'typed');
  return { call: asked, stages: asked.stages };
}

/** {stages: Map(name -> {wholly, partly, none}), prefixes: {all, pushed}} of the asks that were
 *  answered. */
export async function measuredPushdown(client, asks) {
  const totals = new Map([...pushable].map((name) => [name, { wholly: 0, partly: 0, none: 0 }]));
  const prefixes = { all: 0, pushed: 0 };
  const add = (share) => {
    share.stages.forEach((counts, name) => {
      for (const key of ['wholly', 'partly', 'none']) totals.get(name)[key] += counts[key];
    });
    if (share.prefix.length === 0 || !isOverColumns(share.prefix)) return;
    prefixes.all += 1;
    const isPushed = [...share.stages.values()].every(({ partly, none }) => partly + none === 0);
    prefixes.pushed += isPushed ? 1 : 0;
  };
  const wanted = asks.filter(({ one, storage }) => storage === 'table' && ['find', 'aggregate'].includes(one.verb));
  await forEach(wanted, async (ask) => {
    const { call, stages } = stagesOf(ask);
    const { answer } = await client.call('aggregate', call.args.replace(/}$/, ',"plan":true}'));
    if (answer?.has('pushed')) add(shareOf(stages, answer));
  });
  return { stages: totals, prefixes };
}

/** In percent. */
export const pushedShare = ({ prefixes }) => (prefixes.all === 0 ? 100 : (100 * prefixes.pushed) / prefixes.all);

export function pushdownText({ stages, prefixes }) {
  const rows = [...stages].map(([name, { wholly, partly, none }]) => `| \`${name}\` | ${wholly} | ${partly} | ${none} |\n`).join('');
  return `| stage at the beginning | wholly in SQL | partly | not |\n|---|---:|---:|---:|\n${rows}\n`
    + `${prefixes.pushed} of ${prefixes.all} beginnings over columns run in SQL: ${pushedShare({ prefixes }).toFixed(1)} %.\n`;
}
