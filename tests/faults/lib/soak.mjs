// The random events of the soak test, and the checks of every answer during them.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pause, until } from '../../e2e/lib/events.mjs';
import { fixture, script } from '../../e2e/lib/script.mjs';
import { damaged } from './damage.mjs';
import { build } from './live.mjs';

const dying = ['constructor_crashes', 'create_crashes', 'start_exits', 'stop_crashes', 'destroy_crashes'];
const deaths = [
  ['deed', { do: 'die', signal: 11 }], ['deed', { do: 'die', signal: 6 }], ['deed', { do: 'die', code: 3 }],
  ['deed', { do: 'die', signal: 9 }], ['deed_brief', { do: 'spin' }], ['deed_brief', { do: 'sleep', ms: 60_000 }],
];
// Errors that a call may get while its plugin's worker dies.
const clear = /worker process|took longer|deadline|timed? ?out|hung|restart|not available|killed/i;

// fetch() names the cause of a broken connection only in `cause`.
const why = (error) => `${error.message}: ${error.cause?.code ?? error.cause}`;

export class Soak {
  constructor(live, random) {
    Object.assign(this, { live, random, done: {}, gone: {}, removals: {}, over: false, answers: 0, failed: [], wrong: [] });
  }

  pick(list) { return list[Math.floor(this.random() * list.length)]; }
  count(what) { this.done[what] = (this.done[what] ?? 0) + 1; }

  /** Waits until build `number` answers; from then on no answer may come from an older one. */
  async serving(language, number) {
    await until(async () => {
      const { message } = await this.live.open(`live_${language}_now`);
      return message?.result?.structuredContent?.build >= number;
    }, `build ${number} of live-${language} serves`);
    this.live.seen[language] = Math.max(this.live.seen[language] ?? 0, number);
  }

  /** One random change of a plugin's file; resolves when it has taken effect. */
  async act(language) {
    const { live } = this;
    const number = live.placed[language] + 1;
    const what = this.pick(['rename', 'rename', 'copy', 'reload', 'reload', 'remove', 'cut', 'flip', 'isolate']);
    this.count(what);
    if (what === 'reload') return live.swap(language);
    if (what === 'remove') return this.removeAndAdd(language, number);
    if (what === 'cut' || what === 'flip') return this.damage(language, number, what === 'cut' ? 'cut' : 'header');
    if (what === 'isolate') return this.configure(language);
    if (what === 'rename') live.place(language, number); else live.copyInPlace(language, number);
    return this.serving(language, number);
  }

  async removeAndAdd(language, number) {
    const { live } = this;
    // Calls that overlap this may get the error for an unknown tool.
    this.removals[language] = (this.removals[language] ?? 0) + 1;
    this.gone[language] = true;
    rmSync(live.file(language));
    await until(async () => {
      const { message } = await live.open(`live_${language}_now`);
      return message?.error;
    }, `live-${language} is gone`);
    await pause(this.random() * 100);
    live.place(language, number);
    await this.serving(language, number);
    this.gone[language] = false;
  }

  /** A damaged build is refused, or still answers with its number; then a good build follows. */
  async damage(language, number, part) {
    const { live } = this;
    live.put(language, number, damaged(build(language, number), part, this.random).bytes);
    if (this.random() < 0.5) await live.control('plugin.reload', { name: `live-${language}` }).catch(() => {});
    else await pause(this.random() * 300);
    live.place(language, number + 1);
    return this.serving(language, number + 1);
  }

  /** The configuration moves a plugin into a worker, or out of it. */
  async configure(language) {
    const section = this.live.sections[`live-${language}`];
    section.isolate = section.isolate === 'process' ? 'in-process' : 'process';
    this.live.configure();
    await until(async () => {
      const { plugins } = await this.live.control('plugin.list');
      const state = plugins.find(({ name }) => name === `live-${language}`);
      return Boolean(state?.pid) === (section.isolate === 'process') && state.state === 'serving';
    }, `live-${language} runs ${section.isolate}`);
  }

  async files(language) {
    while (!this.over) {
      await this.act(language);
      await pause(this.random() * 150);
    }
  }

  /** Calls that end or hang the process they run in. */
  async harm() {
    while (!this.over) {
      const [tool, step] = this.pick(deaths);
      this.count('worker harmed');
      const { message } = await this.live.open(tool, script(step));
      const text = message?.result?.isError ? message.result.content[0].text : JSON.stringify(message?.error ?? 'no answer');
      if (!clear.test(text)) this.failed.push(`${tool} ${JSON.stringify(step)}: ${text}`);
      await pause(this.random() * 400);
    }
  }

  /** Plugins that die on trial come and go. */
  async newcomers() {
    while (!this.over) {
      const file = join(this.live.directory, 'dying.so');
      copyFileSync(fixture('deadly', this.pick(dying)), `${file}.aside`);
      renameSync(`${file}.aside`, file);
      this.count('newcomer that dies');
      await pause(200 + this.random() * 500);
      rmSync(file);
      await pause(this.random() * 300);
    }
  }

  /** One call of a live plugin against the model. */
  async call(language, kind) {
    const { live } = this;
    const lowest = live.seen[language] ?? 1;
    const [wasGone, removals] = [this.gone[language], this.removals[language]];
    const tool = `live_${language}_${kind}`;
    const call = live.client.open(tool, {}, kind === 'steps' ? { token: `t${Math.random()}` } : {});
    const message = await call.answer.catch((error) => ({ failure: why(error) }));
    const highest = live.placed[language];
    const number = message?.result?.structuredContent?.build;
    if (number === undefined) {
      const mayBeGone = wasGone || this.gone[language] || removals !== this.removals[language];
      const isGone = /Unknown tool/.test(message?.error?.message ?? '');
      if (!(mayBeGone && isGone)) this.failed.push(`${tool}: ${JSON.stringify(message)}`);
      return;
    }
    ++this.answers;
    // A heartbeat of the host, without a message, may arrive before the tool's progress.
    const steps = call.progress().filter(({ message }) => message !== undefined).map(({ message }) => Number(message));
    const fits = number >= lowest && number <= highest && steps.every((step) => step === number);
    if (!fits) this.wrong.push({ tool, number, lowest, highest, steps });
  }

  /** A call in the harmed plugin: it may fail, with a reason. */
  async callHarmed() {
    const { message, failure } = await this.live.open('deed', script('pid'));
    const text = message?.result?.isError ? message.result.content[0].text : message?.error?.message;
    if (failure || (text && !clear.test(text))) this.failed.push(`deed: ${text ?? why(failure)}`);
    else if (!text) ++this.answers;
  }

  /** A call of a plugin that the events do not touch: it never fails. */
  async callHealthy() {
    const { message, failure } = await this.live.open('script_plain', script('cancelled'));
    if (message?.result && !message.result.isError) ++this.answers;
    else this.failed.push(`script_plain: ${failure ? why(failure) : JSON.stringify(message)}`);
  }

  async run(languages, seconds) {
    const kinds = ['now', 'later', 'steps', 'nested'];
    const calls = [() => this.callHarmed(), () => this.callHealthy(),
      ...languages.flatMap((language) => kinds.map((kind) => () => this.call(language, kind)))];
    let calling = true;
    const callers = calls.map(async (call) => { while (calling && !this.live.over) await call(); });
    const actors = [...languages.map((language) => this.files(language)), this.harm(), this.newcomers()];
    const all = Promise.all(actors);
    const stop = pause(seconds * 1000).then(() => { this.over = true; });
    try {
      await Promise.race([all, stop]);
      await all;
    } finally {
      this.over = true;
      calling = false;
      await Promise.all(callers);
    }
  }

  /** The list for operators agrees with the files in the directory. */
  async agrees() {
    const { plugins } = await this.live.control('plugin.list');
    const shown = plugins.filter(({ builtin }) => !builtin);
    const files = readdirSync(this.live.directory).filter((name) => name.endsWith('.so') && !name.startsWith('.'));
    assert.deepEqual(shown.map(({ file }) => file).sort(), files.map((name) => join(this.live.directory, name)).sort());
    for (const { file, state, sha256, draining, stuck, last_failure: failure, reason } of shown) {
      assert.deepEqual({ state, draining, stuck, failure }, { state: 'serving', draining: undefined, stuck: undefined, failure: undefined }, `${file}: ${reason}`);
      assert.equal(sha256, createHash('sha256').update(readFileSync(file)).digest('hex'), file);
    }
    return true;
  }
}
