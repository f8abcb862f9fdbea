// The driver itself: what is true passes, and each way in which a text can be wrong fails.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { blocksOf } from './lib/blocks.mjs';
import { Walk } from './lib/document.mjs';

const fence = '```';
const told = (info, ...lines) => `Some words.\n\n${fence}${info}\n${lines.join('\n')}\n${fence}\n`;

async function walked(...texts) {
  const walk = await Walk.begin(texts.join('\n'));
  try {
    for (const block of walk.blocks) await walk.follow(block);
  } finally {
    await walk.close();
  }
}
const fails = (why, ...texts) => assert.rejects(walked(...texts), why);

describe('passes', () => {
  test('commands in one shell, with files and their output', () => walked(
    told('json in/a.json', '{"a": 1}'),
    told('sh', 'cd in', '# a remark', 'NAME=Ada; export \\', '  OTHER=Bob'),
    told('console', '$ cat a.json', '{"a": 1}', '$ echo "Hello,', '> $NAME and $OTHER"', 'Hello,', 'Ada and Bob')));

  test('an ellipsis is any text of a line, or any lines', () => walked(
    told('console', '$ seq 20; echo took 17 ms', '1', '…', '20', 'took … ms'),
    told('console', '$ seq 2', '1', '…', '2')));

  test('a code that the text shows', () => walked(told('console', '$ false', '$ echo $?', '1')));

  test('a server goes on until the next one, at another port than the text says', () => walked(
    told('console serves', '$ gantryd', '…', 'gantryd ready http://127.0.0.1:8765/mcp'),
    told('console', '$ curl -s http://127.0.0.1:8765/health', '{"status":"ok"}'),
    told('console serves', '$ gantryd --log-level error', '…', 'gantryd ready http://127.0.0.1:8765/mcp'),
    told('console', '$ gantry plugin list', 'NAME…', '…')));

  test('a block that is not run gives its reason', () => {
    const [block] = blocksOf(told('sh not-run needs a package mirror', 'apt install x'));
    assert.deepEqual([block.does, block.withheld], ['nothing', 'needs a package mirror']);
  });
});

describe('fails', () => {
  test('a command that there is not', () => fails(/gantri/, told('sh', 'gantri --version')));
  test('a command that ends with another code', () => fails(/ended with 1/, told('console', '$ false', '$ true')));
  test('a command that prints something else', () => fails(/line 4: seq 3\nshown:\n1\n2\nprinted:\n1\n2\n3/, told('console', '$ seq 3', '1', '2')));
  test('an ellipsis within a line that would take in a line', () => fails(/shown/, told('console', '$ seq 2', '1…2')));
  test('the first of several commands', () => fails(/ended with 1/, told('sh', 'false', 'true')));
  test('a server that prints something else', () => fails(/shown:\ngantryd is up/, told('console serves', '$ gantryd --no-such', 'gantryd is up')));
  test('a server that ends at once', () => fails(/argument was not expected/, told('console serves', '$ gantryd --no-such', 'gantryd ready …')));
  test('a server that Ctrl-C does not end well', () => fails(/did not end well/, told('console serves', '$ echo up; sleep 60', 'up')));
  test('a block of an unknown kind', () => fails(/no kind of block/, told('consol', '$ true')));
  test('commands that are shown with their output and are not run', () => fails(/no kind of block/, told('console not-run needs root', '$ true')));
  test('a block of no kind', () => fails(/no kind of block/, told('', '$ true')));
  test('output without a command', () => fails(/begins with/, told('console', 'true')));
  test('a block without an end', () => fails(/does not end/, `${fence}sh\ntrue\n`));
});
