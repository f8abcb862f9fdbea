// The playground: the tools of an agent, and one of them with its form, its call and its answer.
import { answerView, inputCard } from '../lib/answer.js';
import * as caller from '../lib/caller.js';
import { Form } from '../lib/form.js';
import { revision } from '../lib/mcp.js';
import { intro, offer } from '../lib/offer.js';
import { atEnd, badge, button, confirm, copyButton, empty, fill, h, icon, link, note, number, on, rpc, session, span, tabs, viewer } from '../lib/ui.js';

// What was typed stays while the page is open; the last calls too.
const drafts = new Map();
const history = [];

/** A tool says that it may change or delete data. */
const destroys = ({ annotations: { destructiveHint, readOnlyHint } = {} }) => destructiveHint && !readOnlyHint;

function hints(tool) {
  const { annotations: hint = {}, tier = hint.readOnlyHint ? 'readonly' : 'write' } = tool;
  return h('.chips', badge(tier, destroys(tool) ? 'bad' : 'accent'), destroys(tool) ? badge('destructive', 'bad') : null,
    hint.openWorldHint ? badge('open world') : null, tool.timeout_ms ? badge(span(tool.timeout_ms)) : null,
    tool.plugin ? badge(`${tool.plugin} gen ${tool.generation}`) : null, tool.tokens ? badge(`~${number(tool.tokens)} tokens`) : null);
}

const oneLine = (text) => text.trim().replace(/\n\s*/g, ' ') || '{}';
const shell = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const curl = (tool, args) => [`curl -s ${location.origin}/mcp`, ...['Content-Type: application/json', 'Accept: application/json, text/event-stream',
  `MCP-Protocol-Version: ${revision}`, 'Mcp-Method: tools/call', `Mcp-Name: ${tool}`].map((header) => `-H ${shell(header)}`),
`-d ${shell(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${JSON.stringify(tool)},"arguments":${args},"_meta":{${
  `"io.modelcontextprotocol/protocolVersion":"${revision}","io.modelcontextprotocol/clientCapabilities":{}`}}}}`)}`].join(' \\\n  ');

/** One tool: its arguments as form or text, and what it answered. */
class Bench {
  constructor(tool, agent, query) {
    Object.assign(this, { tool, agent, output: h('.stack', { 'aria-live': 'polite' }), status: h('span.muted') });
    this.text = query.args ?? drafts.get(tool.name) ?? '{}';
    this.editor = h('textarea', { rows: 10, spellcheck: false, 'aria-label': 'Arguments as JSON', value: this.text,
      oninput: () => this.take(this.editor.value) });
    let classes;
    this.form = new Form(tool.inputSchema ?? {}, { read: () => this.text, write: (text) => this.take(text, true),
      complete: async (name) => (name === 'class_name' ? classes ??= (await caller.classes(agent).catch(() => [])).map((one) => one.name) : []) });
    this.run = button([icon('play'), 'Run'], () => this.start(), { class: 'primary', 'data-run': true, title: 'Ctrl+Enter' });
    this.cancel = button('Cancel', () => this.abort.abort(), { disabled: true });
  }

  /** The text changed; the other view follows. */
  take(text, byForm = false) {
    this.text = text;
    drafts.set(this.tool.name, text);
    let valid = true;
    try {
      JSON.parse(text);
    } catch {
      valid = false;
    }
    this.run.disabled = !valid;
    this.editor.setAttribute('aria-invalid', String(!valid));
    if (byForm) this.editor.value = text;
    else this.form.refresh();
  }

  node() {
    const { name, title, description, hidden, inputSchema, outputSchema } = this.tool;
    const args = () => oneLine(this.text);
    return h('.stack', h('section.card.stack', h('div', h('.row', h('h1', name), title ? h('span.muted', title) : null), h('p', description)), hints(this.tool),
      hidden ? h('.notice', icon('alert'), `Hidden from ${this.agent}: ${hidden.reason}`) : null,
      tabs('Arguments', { Form: this.form.node, JSON: this.editor, Schema: () => viewer({ inputSchema, outputSchema }) }),
      h('.row', this.run, this.cancel, this.status, atEnd(copyButton(() => curl(name, args()), 'Copy as curl'),
        copyButton(() => `gantry call ${name} ${shell(args())}${this.agent ? ` --agent ${this.agent}` : ''}`, 'Copy as gantry call')))),
    this.output, this.past());
  }

  async start() {
    if (!destroys(this.tool) || await confirm({ title: `Run ${this.tool.name}?`, action: 'Run',
      effect: 'This tool may change or delete data, and it will run with these arguments.' })) await this.send();
  }

  say(...words) {
    fill(this.status, words);
  }

  /** Says that the call waits for a person, as long as one of this tool and agent is in the list. */
  watch({ approvals }) {
    const waits = approvals.some(({ tool, agent }) => tool === this.tool.name && agent === this.agent);
    if (waits || this.waits) this.say(...waits ? ['Waits for approval. ', h('a', { href: link('approvals') }, 'Answer it')] : ['Running…']);
    this.waits = waits;
  }

  async send(answers) {
    this.abort = new AbortController();
    this.busy(true);
    const begun = performance.now();
    this.say('Running…');
    this.waits = false;
    const ends = on('approvals', (now) => this.watch(now));
    try {
      const result = await caller.call(this.agent, this.tool.name, this.text.trim() || '{}', { signal: this.abort.signal, answers,
        onProgress: ({ progress, total, message }) => this.say([message, total ? `${progress} of ${total}` : progress].filter(Boolean).join(' ')) });
      this.say();
      this.show(result, performance.now() - begun);
    } catch (error) {
      const cancelled = error.name === 'AbortError';
      this.say(cancelled ? 'Cancelled.' : '');
      if (!cancelled) fill(this.output, answerView({ isError: true, content: [{ type: 'text', text: error.message }] }));
      this.form.showError(error.message);
    } finally {
      ends();
      this.busy(false);
    }
  }

  busy(on) {
    this.run.disabled = on;
    this.cancel.disabled = !on;
    this.output.setAttribute('aria-busy', String(on));
  }

  show(result, took) {
    if (result.resultType === 'input_required') return void fill(this.output, inputCard(result, (answers) => this.send(answers)));
    const args = oneLine(this.text);
    history.unshift({ tool: this.tool.name, agent: this.agent, args, ok: !result.isError });
    history.length = Math.min(history.length, 20);
    note({ as: this.agent, args: args.length < 1500 && args !== '{}' ? args : undefined });
    fill(this.output, answerView(result, took, this.agent));
    if (result.isError) this.form.showError(caller.errorOf(result).message);
    else this.form.clearError();
  }

  past() {
    const mine = history.filter(({ tool }) => tool === this.tool.name);
    return mine.length ? h('section.card', h('h2', 'Calls of this page'), h('ul', mine.map(({ tool, args, agent, ok }) => h('li.row',
      badge(ok ? 'ok' : 'error', ok ? 'ok' : 'bad'), h('a.mono', { href: link('tools', [tool], { as: agent, args }) }, args.slice(0, 160)))))) : null;
  }
}

async function toolOf(all, wanted) {
  const found = all.find(({ name }) => name === wanted);
  return found || !session.get() ? found : (await rpc('tool.list')).tools.find(({ name }) => name === wanted);
}

export const show = (view) => offer(view, 'tools', {
  list: async (agent) => (await caller.tools(agent)).sort((a, b) => Boolean(a.hidden) - Boolean(b.hidden)),
  entry: ({ name, title = '', description = '', hidden, calls, category, _meta }) => ({ name, words: `${title} ${description}`, title: hidden?.reason ?? description,
    faint: hidden, group: hidden ? 'Hidden from this agent' : category ?? _meta?.category ?? 'tools', small: calls && number(calls) }),
  none: (any) => (any ? empty('No tool has this word.') : empty('No tools.', 'Start the server with --db FILE, or look at the lists of this agent.')),
  show: async (right, agent, all) => {
    const [name] = view.parts;
    const tool = name && await toolOf(all, name);
    fill(right, tool ? new Bench(tool, agent, view.query).node() : name ? intro(`There is no tool ${name}.`, 'It may have gone with its plugin.')
      : intro('Tools', `${all.filter(({ hidden }) => !hidden).length} tools${agent ? ` for ${agent}` : ''}. Choose one to see its form, call it, and look at the answer.`));
  },
});
