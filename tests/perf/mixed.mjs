// node mixed.mjs URL PID SECONDS: everything at once for SECONDS: calls whose answers are checked,
// listening streams that open, hear changes and close, calls that are cancelled by going away,
// clients that never read, and garbage. Prints counts, and the server's memory after a warm-up, at
// the end and after a rest. Ends with 1 when an answer was wrong or lost, or memory did not stay
// flat. The server needs the tools `echo` (perf-echo) and those of the conformance plugin.
import { readFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const [url, pid, seconds] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const end = Date.now() + Number(seconds) * 1000;
const warm = Date.now() + Number(seconds) * 400;
const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
const count = { calls: 0, wrong: 0, lost: 0, busy: 0, streams: 0, changes: 0, missed: 0, cancels: 0, slow: 0, garbage: 0 };
const running = () => Date.now() < end;
const resident = () => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

const version = '2026-07-28';
const envelope = {
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientCapabilities': {},
};
let ids = 0;
function message(method, params = {}) {
  ids += 1;
  return { jsonrpc: '2.0', id: ids, method, params: { ...params, _meta: envelope } };
}
const headersOf = ({ method, params }, body) => ({
  'Content-Type': 'application/json', Accept: 'application/json, text/event-stream',
  'MCP-Protocol-Version': version, 'Mcp-Method': method,
  ...(params.name ? { 'Mcp-Name': params.name } : {}), 'Content-Length': Buffer.byteLength(body),
});

/** {status, text}; rejects when the connection goes before the answer is whole. */
function post(asked, { using = agent } = {}) {
  const body = JSON.stringify(asked);
  return new Promise((resolve, reject) => {
    const request = http.request({ hostname, port, path: '/mcp', method: 'POST', agent: using, headers: headersOf(asked, body) }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part) => { text += part; });
      answer.on('end', () => resolve({ status: answer.statusCode, text })).on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

async function caller(number) {
  for (let i = 0; running(); i += 1) {
    const text = `${number}-${i}-${'x'.repeat(i % 2000)}`;
    const asked = message('tools/call', { name: 'echo', arguments: { text } });
    try {
      const { status, text: body } = await post(asked);
      count.calls += 1;
      if (status === 503) {
        count.busy += 1;
        continue;
      }
      const answer = JSON.parse(body);
      if (answer.id !== asked.id || answer.result?.content?.[0]?.text !== text) count.wrong += 1;
    } catch {
      count.lost += 1;
    }
  }
}

/** Opens a stream, waits for a change or two, checks the stamps, goes away. */
async function listener() {
  while (running()) {
    const asked = message('subscriptions/listen', { notifications: { toolsListChanged: true } });
    const body = JSON.stringify(asked);
    await new Promise((resolve) => {
      const request = http.request({ hostname, port, path: '/mcp', method: 'POST', agent: false, headers: headersOf(asked, body) }, (answer) => {
        count.streams += 1;
        let heard = 0;
        let text = '';
        const leave = setTimeout(() => { if (heard < 2 && running()) count.missed += 1; request.destroy(); }, 5000);
        answer.setEncoding('utf8').on('data', (part) => {
          text += part;
          for (let at = text.indexOf('\n\n'); at >= 0; at = text.indexOf('\n\n')) {
            const line = text.slice(0, at).split('\n').find((l) => l.startsWith('data: '));
            text = text.slice(at + 2);
            if (!line) continue;
            const note = JSON.parse(line.slice(6));
            if (note.params?._meta?.['io.modelcontextprotocol/subscriptionId'] !== asked.id) count.wrong += 1;
            if (note.method === 'notifications/tools/list_changed') count.changes += 1;
            heard += 1;
          }
          if (heard >= 3) { clearTimeout(leave); request.destroy(); }
        });
        answer.on('close', () => { clearTimeout(leave); resolve(); }).on('error', () => {});
      });
      request.on('error', resolve);
      request.end(body);
    });
  }
}

async function changer() {
  while (running()) {
    await post(message('tools/call', { name: 'test_trigger_tool_change', arguments: {} })).catch(() => { count.lost += 1; });
    await sleep(200);
  }
}

async function canceller() {
  while (running()) {
    const asked = message('tools/call', { name: 'slow_compute', arguments: { seconds: 20, label: 'x' } });
    const body = JSON.stringify(asked);
    const request = http.request({ hostname, port, path: '/mcp', method: 'POST', agent: false, headers: headersOf(asked, body) });
    request.on('error', () => {});
    request.end(body);
    await sleep(50 + Math.random() * 100);
    request.destroy();
    count.cancels += 1;
  }
}

/** Listens and never reads; goes away after a while. */
async function sloth() {
  while (running()) {
    const asked = message('subscriptions/listen', { notifications: { toolsListChanged: true } });
    const body = JSON.stringify(asked);
    const head = Object.entries({ Host: hostname, ...headersOf(asked, body) }).map(([k, v]) => `${k}: ${v}\r\n`).join('');
    const socket = net.connect({ host: hostname, port });
    socket.on('error', () => {}).pause();
    socket.write(`POST /mcp HTTP/1.1\r\n${head}\r\n${body}`);
    count.slow += 1;
    await sleep(3000);
    socket.destroy();
  }
}

const rubbish = [
  () => Buffer.from(Array.from({ length: 400 }, () => Math.floor(Math.random() * 256))),
  () => 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 999999\r\n\r\n{',
  () => 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a":[[[[',
  () => 'GET /mcp HTTP/1.1\r\nHost: evil.example\r\n\r\n',
  () => 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
];
async function vandal() {
  for (let i = 0; running(); i += 1) {
    const socket = net.connect({ host: hostname, port });
    socket.on('error', () => {}).resume();
    socket.write(rubbish[i % rubbish.length]());
    await sleep(20);
    socket.destroy();
    count.garbage += 1;
  }
}

const many = (n, what) => Array.from({ length: n }, (_, i) => what(i));
let early = 0;
const watch = (async () => { await sleep(warm - Date.now()); early = resident(); })();
await Promise.all([watch, changer(), ...many(8, caller), ...many(16, listener), ...many(4, canceller), ...many(4, sloth), ...many(2, vandal)]);
const late = resident();
agent.destroy();
await sleep(3000);
console.log(JSON.stringify({ ...count, mib: { warm: early, end: late, rest: resident() } }));
const flat = late <= early * 1.15 + 4;
process.exit(count.wrong + count.lost + count.missed === 0 && flat ? 0 : 1);
