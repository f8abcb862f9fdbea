// Live plugins (tests/fixtures/plugins/live): puts numbered builds in place while clients call, and
// checks that each answer comes from a build that was in place during the call.
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, readlinkSync, renameSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { ModernClient, pause, until } from '../../e2e/lib/events.mjs';
import { Server } from '../../e2e/lib/gantryd.mjs';
import { scratch } from '../../e2e/lib/paths.mjs';
import { workersOf } from '../../e2e/lib/processes.mjs';
import { testPlugin } from '../../e2e/lib/script.mjs';
import { demoDatabase } from '../../e2e/lib/shared.mjs';

const mark = 'GANTRY-LIVE-BUILD:';
export const languages = ['c', 'cpp', 'rust'].filter((language) => existsSync(testPlugin(`live-${language}`)));
// Without rustc there is no Rust plugin. Without the other two the test would pass without a swap.
assert.deepEqual(languages.slice(0, 2), ['c', 'cpp'], `${testPlugin('live-c')} and -cpp are built`);

/** The bytes of build `number` of a plugin. */
export function build(language, number) {
  const bytes = readFileSync(testPlugin(`live-${language}`));
  const at = bytes.indexOf(mark);
  assert.ok(at > 0 && bytes.indexOf(mark, at + 1) < 0, 'exactly one number stands in the file');
  bytes.write(String(number).padStart(6, '0'), at + mark.length, 'latin1');
  return bytes;
}

/** One JSON-RPC request on a control socket: its result. */
export function control(path, method, params = {}) {
  return new Promise((resolve, reject) => {
    const socket = net.createConnection(path);
    let text = '';
    socket.on('error', reject);
    socket.on('data', (bytes) => {
      text += bytes;
      if (!text.includes('\n')) return;
      socket.end();
      const { result, error } = JSON.parse(text);
      if (error) reject(new Error(error.message)); else resolve(result);
    });
    socket.on('close', () => reject(new Error(`the control socket closed after: ${text}`)));
    socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`);
  });
}

/** A server with the live plugins in a directory of their own. */
export class Live {
  static async start(t, { isolate = 'in-process', config = {}, only = languages, settings = {}, sections = {}, before = () => {} } = {}) {
    const live = new Live();
    // A test that failed before its end leaves no server behind.
    t.after(() => {
      live.over = true;
      live.server?.child?.kill('SIGKILL');
    });
    live.folder = scratch();
    live.directory = join(live.folder, 'plugins');
    live.controlPath = join(live.folder, 'control');
    mkdirSync(live.directory);
    // For each plugin: the highest number in place, and the highest number that answered a call.
    live.placed = {};
    live.seen = {};
    for (const language of only) live.place(language, 1);
    before(live.directory);
    live.config = config;
    live.sections = { ...sections, ...Object.fromEntries(only.map((language) => [`live-${language}`, { isolate, ...settings }])) };
    live.configure();
    const file = live.configFile();
    live.server = await Server.start({ db: demoDatabase(), flags: ['--config', file, '--control', live.controlPath] });
    live.client = new ModernClient(live.server);
    live.atRest = live.held().copies;
    live.workersAtRest = live.workers().length;
    live.counts = { answers: 0, failed: [], wrong: [] };
    return live;
  }

  configFile() { return join(this.folder, 'gantry.json'); }

  /** Writes the configuration with the sections as they are now. */
  configure() {
    const aside = join(this.folder, 'next.json');
    writeFileSync(aside, JSON.stringify({ plugin_directories: [this.directory], plugins: this.sections, ...this.config }));
    renameSync(aside, this.configFile());
  }

  file(language) { return join(this.directory, `live-${language}.so`); }

  /** Puts a build in the plugin's place: written aside, then renamed over. */
  place(language, number) { this.put(language, number, build(language, number)); }

  put(language, number, bytes) {
    const aside = join(this.directory, `.live-${language}.${number}`);
    writeFileSync(aside, bytes);
    this.placed[language] = number;
    renameSync(aside, this.file(language));
  }

  copyInPlace(language, number) {
    const aside = join(this.folder, `copy-${language}`);
    writeFileSync(aside, build(language, number));
    this.placed[language] = number;
    copyFileSync(aside, this.file(language));
  }

  control(method, params) { return control(this.controlPath, method, params); }

  /** Swaps at once and waits until the new build serves, also while there is no room for one more. */
  async swap(language) {
    const number = this.placed[language] + 1;
    this.place(language, number);
    await until(() => this.control('plugin.reload', { name: `live-${language}` }).then(() => true, (error) => {
      if (!/waits until one of the plugin's older generations is gone/.test(error.message)) throw error;
    }), `there is room for build ${number} of ${language}`);
    this.seen[language] = Math.max(this.seen[language] ?? 0, number);
    return number;
  }

  /** One call whatever comes of it: {message} with a result or an error, or {failure}. */
  async open(tool, args = {}) {
    const call = this.client.open(tool, args);
    try {
      return { message: await call.answer };
    } catch (failure) {
      return { failure };
    }
  }

  /** One call, checked: its number was the plugin's at some moment of the call. */
  async call(language, kind) {
    const lowest = this.seen[language] ?? 1;
    const what = `live_${language}_${kind}`;
    try {
      const call = this.client.open(what, {}, kind === 'steps' ? { token: `t${Math.random()}` } : {});
      const result = await call.result();
      const highest = this.placed[language];
      const { build: number, countries } = result.structuredContent ?? {};
      this.counts.answers += 1;
      // A heartbeat of the host, without a message, may arrive before the tool's progress.
      const steps = call.progress().filter(({ message }) => message !== undefined).map(({ message }) => Number(message));
      const fits = number >= lowest && number <= highest && steps.every((step) => step === number)
        && (kind !== 'nested' || countries?.count > 0) && (kind !== 'steps' || steps.length > 0);
      if (fits && kind === 'now') this.seen[language] = Math.max(this.seen[language] ?? 0, number);
      if (!fits) this.counts.wrong.push({ what, number, lowest, highest, steps, result });
    } catch (error) {
      this.counts.failed.push(`${what}: ${error.message}`);
    }
  }

  /** Clients that call again `rest` ms after each answer, each all kinds at once, until stopped. */
  hammer(clients, only = languages, kinds = ['now', 'later', 'steps', 'nested'], rest = 0) {
    let running = true;
    const loop = async (language, kind) => {
      while (running && !this.over) {
        await this.call(language, kind);
        if (rest) await pause(rest);
      }
    };
    const loops = Array.from({ length: clients }, () => only.flatMap((language) => kinds.map((kind) => loop(language, kind)))).flat();
    return async () => {
      running = false;
      await Promise.all(loops);
    };
  }

  /** The worker processes below the server's: their numbers. One that is a zombie counts too. */
  workers() {
    return workersOf(this.server.child.pid);
  }

  sanitized() { return /\/lib[at]san/.test(readFileSync(`/proc/${this.server.child.pid}/maps`, 'utf8')); }

  /** Resources of the process: memory, mappings, descriptors, and mapped copies of plugins. */
  held() {
    const { pid } = this.server.child;
    const maps = readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n');
    const copies = new Set(maps.map((line) => / (\d+) +\/memfd:gantry-plugin/.exec(line)?.[1]).filter(Boolean));
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    // A sanitizer's allocator keeps freed memory in its own mappings: count only files there.
    const sanitized = this.sanitized();
    return {
      resident: sanitized ? 0 : Number(/^VmRSS:\s+(\d+)/m.exec(status)[1]),
      threads: Number(/^Threads:\s+(\d+)/m.exec(status)[1]),
      maps: sanitized ? maps.filter((line) => /\.so/.test(line)).length : maps.length,
      descriptors: this.descriptors().length,
      copies: copies.size,
    };
  }

  /** The open descriptors without client connections, whose number the clients decide. */
  descriptors() {
    const { pid } = this.server.child;
    const connections = new Set(readFileSync(`/proc/${pid}/net/tcp`, 'utf8').split('\n').slice(1)
      .map((line) => `socket:[${line.trim().split(/\s+/)[9]}]`));
    return readdirSync(`/proc/${pid}/fd`).flatMap((one) => {
      try {
        const what = readlinkSync(`/proc/${pid}/fd/${one}`);
        return connections.has(what) ? [] : [what];
      } catch {
        return [];
      }
    });
  }

  /** Mapped copies when nothing drains: the built-ins' and those of the live plugins in this process. */
  copiesAtRest() { return this.atRest; }

  stop() { return this.server.stop(); }
}
