// The two databases, each behind a server of its own, and the tools of each.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { scratch } from '../../e2e/lib/paths.mjs';
import { Stdio } from '../../e2e/lib/stdio.mjs';
import { Desk } from '../events.mjs';
import { Shop } from '../shop.mjs';

const kMostPages = 40;

export class Counter {
  #lastId = 0;
  #waiting = new Map();

  /** `name` is `shop` or `desk`. */
  static async open(name) {
    const counter = new Counter();
    const folder = scratch();
    const file = join(folder, `${name}.db`);
    const flags = name === 'desk' ? ['--model', join(folder, 'model')] : [];
    if (name === 'desk') Desk.writeModel(join(folder, 'model'));
    new (name === 'desk' ? Desk : Shop)(file).write();
    counter.sql = new DatabaseSync(file, { readOnly: true });
    counter.pipe = Stdio.start({ db: file, flags });
    counter.pipe.wake = () => counter.#deliver();
    counter.pipe.ended.then(() => counter.#lose());
    await counter.#initialize();
    return counter;
  }

  async #initialize() {
    const clientInfo = { name: 'answers', version: '1' };
    await this.#request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    this.pipe.send({ method: 'notifications/initialized' });
  }

  #deliver() {
    for (const message of this.pipe.messages.splice(0)) this.#waiting.get(message.id)?.(message);
  }

  #lose() {
    const error = { message: `the server ended:\n${this.pipe.stderr.slice(-2000)}`, code: 'ended' };
    for (const answer of this.#waiting.values()) answer({ error });
  }

  async #request(method, params) {
    this.#lastId += 1;
    const id = this.#lastId;
    const answered = new Promise((resolve) => { this.#waiting.set(id, resolve); });
    this.pipe.send({ id, method, params });
    const { result, error } = await answered;
    this.#waiting.delete(id);
    if (error) throw Object.assign(new Error(error.message), { error });
    return result;
  }

  tools() { return this.#request('tools/list', {}); }

  /** The rows of SQL: {names, rows: objects}. */
  truth(sql) {
    const statement = this.sql.prepare(sql);
    return { names: statement.columns().map(({ name }) => name), rows: statement.all() };
  }

  /** {answer} or {refusal}, and the bytes of arguments and answer. */
  async call(tool, args) {
    const asked = Buffer.byteLength(JSON.stringify(args));
    try {
      const result = await this.#request('tools/call', { name: tool, arguments: args });
      const text = result.content[0].text;
      const bytes = asked + Buffer.byteLength(text);
      const content = result.structuredContent ?? JSON.parse(text);
      return result.isError ? { refusal: content, bytes } : { answer: content, bytes };
    } catch (failure) {
      if (!failure.error || failure.error.code === 'ended') throw failure;
      return { refusal: { error: failure.message, error_code: failure.error.code }, bytes: asked + failure.message.length };
    }
  }

  /** As `call`, and the following pages where the call set no limit of its own. */
  async whole(tool, args) {
    const first = await this.call(tool, args);
    if (first.refusal) return first;
    const pages = [first.answer];
    let bytes = first.bytes;
    for (let next = first.answer.next_call; next && args.limit === undefined && pages.length < kMostPages;) {
      const page = await this.call(next.tool, next.arguments);
      if (page.refusal) return page;
      pages.push(page.answer);
      bytes += page.bytes;
      next = page.answer.next_call;
    }
    return { answer: first.answer, pages, bytes };
  }

  async close() {
    this.sql.close();
    await this.pipe.end();
  }
}
