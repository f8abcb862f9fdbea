// A proxy in front of a server that wants a credential: the suite cannot send one.
import { once } from 'node:events';
import http from 'node:http';

/** Everything passes unchanged but for the header that carries the key. {url, stop}. */
export async function startKeyProxy(server, key) {
  const proxy = http.createServer((request, answer) => {
    const upstream = http.request({
      host: '127.0.0.1', port: server.port, method: request.method, path: request.url, agent: false,
      headers: { ...request.headers, authorization: `Bearer ${key}` },
    }, (given) => {
      answer.writeHead(given.statusCode, given.rawHeaders);
      answer.flushHeaders();
      given.pipe(answer);
      given.on('error', () => answer.destroy());
    });
    upstream.on('error', () => answer.destroy());
    answer.on('close', () => upstream.destroy());
    request.pipe(upstream);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: new URL(`http://127.0.0.1:${proxy.address().port}/mcp`),
    stop: () => new Promise((resolve) => {
      proxy.close(resolve);
      proxy.closeAllConnections();
    }),
  };
}
