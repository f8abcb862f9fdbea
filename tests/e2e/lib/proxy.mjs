// A TCP proxy in front of a server, which can lose every connection at once.
import { connect, createServer } from 'node:net';
import { once } from 'node:events';

export class Proxy {
  static async start(port) {
    const proxy = new Proxy();
    Object.assign(proxy, { pairs: new Set(), sent: '' });
    proxy.listener = createServer((client) => proxy.#join(client, connect({ port, host: '127.0.0.1' })));
    proxy.listener.listen(0, '127.0.0.1');
    await once(proxy.listener, 'listening');
    proxy.url = new URL(`http://127.0.0.1:${proxy.listener.address().port}/mcp`);
    return proxy;
  }

  #join(client, server) {
    const pair = [client, server];
    this.pairs.add(pair);
    client.on('data', (bytes) => { this.sent += bytes.toString('latin1'); });
    client.pipe(server);
    server.pipe(client);
    for (const socket of pair) {
      socket.on('error', () => {});
      socket.on('close', () => {
        this.pairs.delete(pair);
        for (const each of pair) each.destroy();
      });
    }
  }

  /** Cuts all connections; later ones are served. */
  cut() { for (const pair of [...this.pairs]) for (const socket of pair) socket.destroy(); }

  /** How often the clients have sent something like this. */
  count(pattern) { return [...this.sent.matchAll(pattern)].length; }

  async stop() {
    this.listener.close();
    this.cut();
    await once(this.listener, 'close');
  }
}
