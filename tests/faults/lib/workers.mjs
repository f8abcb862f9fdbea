// A server with one script plugin in a worker and six in its own process, for tests of workers.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { refused } from '../../e2e/lib/rpc.mjs';
import { ofProcess } from '../../e2e/lib/processes.mjs';
import { noted, script, startScripts } from '../../e2e/lib/script.mjs';

export const healthy = ['script', 'script-one', 'script-two', 'script-three', 'script-serial', 'script-async'];

export const sections = (worker) => ({
  ...Object.fromEntries(healthy.map((name) => [name, { isolate: 'in-process' }])),
  'script-worker': { isolate: 'process', ...worker },
});

/** A server with a plugin in a worker and others in the server's own process; it ends with the test. */
export async function start(t, section = {}) {
  const config = { shutdown_grace_ms: 500, plugins: sections(section) };
  const server = await startScripts({ plugins: [...healthy, 'script-worker'], config });
  t.after(() => server.stop());
  return server;
}

export const die = (how) => ({ do: 'die', ...how });
export const deed = (server, ...steps) => noted(server, 'deed', ...steps);
export const pidOf = async (server) => (await deed(server, 'pid'))[0];
export const failure = async (server, ...steps) => (await refused(server, 'deed', script(...steps))).message;

/** Calls other plugins while `work` runs; none of those calls may fail. */
export async function beside(server, work) {
  let over = false;
  let answers = 0;
  const caller = async () => {
    while (!over) {
      assert.deepEqual(await noted(server, 'script_plain', 'cancelled'), [0]);
      ++answers;
    }
  };
  const callers = [caller(), caller()];
  try {
    return await work();
  } finally {
    over = true;
    await Promise.all(callers);
    assert.ok(answers > 0);
  }
}

export const alive = (pid) => !['Z', undefined].includes(ofProcess(pid, 'stat').split(') ')[1]?.[0]);
export const descriptors = (server) => readdirSync(`/proc/${server.child.pid}/fd`).length;
