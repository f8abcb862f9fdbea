// A server with a control socket, which gives links of the console.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Server } from '../../e2e/lib/gantryd.mjs';
import { scratch } from '../../e2e/lib/paths.mjs';

/** One request over a control socket: its result. */
export function control(path, method, params = {}) {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    let text = '';
    socket.setTimeout(20000, () => socket.destroy(new Error(`${method}: no answer`)));
    socket.on('error', reject);
    socket.on('data', (bytes) => {
      text += bytes;
      if (!text.includes('\n')) return;
      socket.end();
      const { result, error } = JSON.parse(text);
      if (error) reject(new Error(error.message));
      else resolve(result);
    });
    socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`);
  });
}

/** The token of a new link. */
export async function tokenOf(path) {
  const { url } = await control(path, 'console.link');
  const token = /#token=(.+)$/.exec(url)?.[1];
  assert.ok(token, url);
  return token;
}

/** A server of this test file: {server, control, token()}. */
export async function operated({ db, config, flags = [], listen, env } = {}) {
  const path = join(scratch(), 'c.sock');
  const file = join(scratch(), 'gantry.json');
  writeFileSync(file, JSON.stringify(config ?? {}));
  const server = await Server.start({ db, listen, env, flags: ['--control', path, '--config', file, ...flags] });
  return { server, control: (...what) => control(path, ...what), token: () => tokenOf(path), path };
}
