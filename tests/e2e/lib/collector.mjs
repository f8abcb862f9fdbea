// A collector of OpenTelemetry spans: takes OTLP over HTTP as JSON and keeps what came.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { until } from './events.mjs';

const hex = (digits) => new RegExp(`^(?!0+$)[0-9a-f]{${digits}}$`);

/** Attributes as an object; each must be a name once, with a text. */
function attributesOf(list) {
  const out = {};
  for (const { key, value, ...rest } of list) {
    assert.deepEqual(rest, {});
    assert.ok(!(key in out), `${key} is there twice`);
    const [[kind, one], ...others] = Object.entries(value);
    assert.deepEqual(others, []);
    assert.ok(kind === 'stringValue' || (kind === 'intValue' && /^-?\d+$/.test(one)), `${kind} ${one}`);
    out[key] = kind === 'intValue' ? Number(one) : one;
  }
  return out;
}

/** A span that is well-formed, with its attributes as an object and its times as texts. */
function spanOf(span) {
  const { traceId, spanId, parentSpanId, name, kind, startTimeUnixNano, endTimeUnixNano, attributes, links, status, ...rest } = span;
  assert.deepEqual(rest, {});
  assert.match(traceId, hex(32));
  assert.match(spanId, hex(16));
  if (parentSpanId !== undefined) assert.match(parentSpanId, hex(16));
  assert.ok(kind === 2 || (kind === 3 && parentSpanId !== undefined), `kind ${kind}`);
  assert.ok(BigInt(startTimeUnixNano) <= BigInt(endTimeUnixNano));
  const times = [startTimeUnixNano, endTimeUnixNano];
  return { traceId, spanId, parentSpanId, name, kind, times, attributes: attributesOf(attributes), links, status };
}

export class Collector {
  spans = [];
  bodies = [];
  refuses = 0;  // a status, or 0

  static async start() {
    const collector = new Collector();
    collector.server = createServer(async (request, answer) => {
      let body = '';
      for await (const part of request) body += part;
      collector.take(request, body);
      answer.writeHead(collector.refuses || 200, { 'content-type': 'application/json' }).end('{}');
    });
    collector.server.listen(0, '127.0.0.1');
    await once(collector.server, 'listening');
    collector.url = `http://127.0.0.1:${collector.server.address().port}/v1/traces`;
    return collector;
  }

  take(request, body) {
    this.requests = (this.requests ?? 0) + 1;
    if (this.refuses) return;
    assert.deepEqual([request.method, request.url, request.headers['content-type']], ['POST', '/v1/traces', 'application/json']);
    this.bodies.push(body);
    const { resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }] } = JSON.parse(body);
    assert.equal(attributesOf(resource.attributes)['service.name'], 'gantry');
    assert.equal(scope.name, 'gantry');
    this.spans.push(...spans.map(spanOf));
  }

  /** The spans for which `wanted` holds, waited for until there are `count`. */
  async find(wanted, count = 1) {
    await until(() => this.spans.filter(wanted).length >= count, `${count} spans of ${JSON.stringify(this.spans)}`);
    return this.spans.filter(wanted);
  }

  async stop() {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
