// Follows a document: writes its files and runs its commands in an empty directory, against the programs under test.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { cleanEnvironment } from '../../e2e/lib/gantryd.mjs';
import { freePort, gantryd, scratch } from '../../e2e/lib/paths.mjs';
import { blocksOf } from './blocks.mjs';
import { Terminal } from './terminal.mjs';

/** A build folder with the programs under test, whose gantryd listens on `port` where no flag says otherwise. */
function programs(port) {
  const build = scratch();
  const bin = join(build, 'bin');
  mkdirSync(bin);
  symlinkSync(join(dirname(gantryd), 'gantry'), join(bin, 'gantry'));
  writeFileSync(join(bin, 'gantryd'), `#!/bin/bash
case " $* " in *" --listen"*) exec ${gantryd} "$@" ;; esac
exec ${gantryd} --listen 127.0.0.1:${port} "$@"
`);
  chmodSync(join(bin, 'gantryd'), 0o755);
  return build;
}

const documented = '127.0.0.1:8765';

/** The commands of the document, with `own` in the place of the address that it names. */
function moved(blocks, own) {
  const change = (text) => text.replaceAll(documented, own);
  return blocks.map((block) => ({ ...block, text: change(block.text), commands: block.commands?.map((one) => (
    { ...one, command: change(one.command), shown: one.shown?.map(change) })) }));
}

export class Walk {
  /** `links`: names in the empty directory, and what they lead to; `env` is added to the environment. */
  static async begin(markdown, { links = {}, env = {} } = {}) {
    const walk = new Walk();
    const port = await freePort();
    const build = programs(port);
    walk.blocks = moved(blocksOf(markdown), `127.0.0.1:${port}`);
    walk.directory = scratch();
    for (const [name, target] of Object.entries(links)) symlinkSync(target, join(walk.directory, name));
    walk.terminal = new Terminal(walk.directory, {
      ...cleanEnvironment(), GANTRY_BUILD: build, PATH: `${join(build, 'bin')}:${process.env.PATH}`, LC_ALL: 'C.UTF-8', ...env });
    return walk;
  }

  async follow(block) {
    if (block.does === 'write') {
      const file = join(this.terminal.directory, block.file);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, block.text);
    }
    if (block.does !== 'run') return;
    for (const [index, one] of block.commands.entries()) {
      const last = index === block.commands.length - 1;
      await (block.serves && last ? this.terminal.serve(one) : this.terminal.run(one, block.commands[index + 1]));
    }
  }

  close() { return this.terminal.close(); }
}

/** A test that follows the document, each block a subtest. `withheld`: the reasons that its blocks give for not being
 *  run, all of them. */
export function followed(file, { withheld = [], ...options } = {}) {
  const markdown = readFileSync(file, 'utf8');
  test(`each command of ${file} behaves as the text shows`, async (t) => {
    const walk = await Walk.begin(markdown, options);
    t.after(() => walk.close());
    assert.deepEqual(walk.blocks.flatMap((block) => block.withheld ?? []), withheld, 'blocks that are not run');
    let failed = false;
    for (const block of walk.blocks.filter(({ does }) => does !== 'nothing')) {
      const name = `line ${block.line}: ${block.file ?? block.commands[0]?.command.split('\n')[0]}`;
      await t.test(name, { skip: failed && 'a step before it failed' }, async () => {
        failed = true;
        await walk.follow(block);
        failed = false;
      });
    }
    assert.equal(failed, false, 'a step failed');
  });
}
