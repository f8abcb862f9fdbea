// A database of orders, a server with the methods of sdk/examples/orders, and agents that may write or not.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { inspect } from 'node:util';
import { form } from './approvals.mjs';
import { testPlugin } from './gantry.mjs';
import { Governed, bearer } from './governed.mjs';
import { scratch } from './paths.mjs';
import { AskedSession, once } from './rounds.mjs';
import { parseExact } from './rpc.mjs';

export const writeTools = 'GANTRY_ALLOW_WRITE_TOOLS';
export const schemaOps = 'GANTRY_ALLOW_SCHEMA_OPS';
export const rawCrud = 'GANTRY_ALLOW_RAW_CRUD';
export const rawSchema = 'GANTRY_ALLOW_RAW_SCHEMA';
export const allGates = [writeTools, schemaOps, rawCrud, rawSchema];
export const gatesEnvironment = (open) => Object.fromEntries(open.map((name) => [name, '1']));

const free = { rate_limit: 'unlimited' };
export const profiles = {
  reader: { permissions: 'readonly', ...free },
  writer: { permissions: 'write', ...free },
  boss: { permissions: 'admin', ...free },
  asked: { permissions: 'admin', user: 'ann', roles: ['clerk'], approval: { tiers: ['write', 'admin'] }, ...free },
  by_method: { permissions: 'write', approval: { methods: ['orders.cancel'] }, ...free },
  by_rows: { permissions: 'write', approval: { rows: 1 }, ...free },
  one_method: { permissions: 'write', methods: ['orders.approve'], ...free },
  without_method: { permissions: 'write', methods: { except: ['cancel'] }, ...free },
  debug: { permissions: 'write', agent_debug: true, ...free },
  no_orders: { permissions: 'admin', classes: { except: ['orders'] }, ...free },
  clerk: { permissions: 'write', user: 'bea', roles: ['clerk'], ...free },
  guest: { permissions: 'write', user: 'eve', roles: ['guest'], ...free },
};

/** The path of a new database with four orders. */
export function ordersDatabase() {
  const file = join(scratch(), 'orders.db');
  const db = new DatabaseSync(file);
  db.exec(`CREATE TABLE orders(id INTEGER PRIMARY KEY, status TEXT NOT NULL DEFAULT 'open', total REAL, refunded REAL NOT NULL DEFAULT 0,
      note TEXT, owner TEXT);
    CREATE TABLE refunds(id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders(id), amount REAL CHECK (amount > 0), reason TEXT);
    INSERT INTO orders(id, status, total, owner) VALUES (1,'open',10,'ann'),(2,'open',20,'bea'),(3,'sent',30,'ann'),(4,'open',40,'bea')`);
  db.close();
  return file;
}

/** Rows as SQLite itself sees them. */
export function rowsOf(file, sql) {
  const db = new DatabaseSync(file, { readOnly: true });
  const rows = db.prepare(sql).all().map((row) => ({ ...row }));
  db.close();
  return rows;
}

export class Orders {
  /** `gates`: the variables that are set; `model`: files of the model by class. */
  static async start({ gates = allGates, agents = profiles, model = {}, flags = [], env = {} } = {}) {
    const it = new Orders();
    it.db = ordersDatabase();
    const folder = join(scratch(), 'model');
    mkdirSync(folder);
    for (const [name, text] of Object.entries(model)) writeFileSync(join(folder, `${name}.json`), JSON.stringify(text));
    it.governed = await Governed.start(agents, {
      db: it.db, env: { ...gatesEnvironment(gates), ...env }, flags: ['--plugin', testPlugin('example-orders'), '--model', folder, ...flags],
    });
    return it;
  }
  get server() { return this.governed.server; }
  stop() { return this.governed.stop(); }
  headers(name) { return bearer(this.governed.keys[name]); }
  rows(sql = 'SELECT * FROM orders ORDER BY id') { return rowsOf(this.db, sql); }

  /** One modern request of an agent: its message. */
  async modern(name, params, { capabilities = form } = {}) {
    return (await once(this.server, 'tools/call', params, { capabilities, headers: this.headers(name) })).message;
  }
  legacy(name, revision = '2025-11-25', capabilities = form) {
    return AskedSession.open(this.server, revision, capabilities, this.headers(name));
  }
  async tools(name) {
    const { message } = await once(this.server, 'tools/list', {}, { headers: this.headers(name) });
    return message.result.tools.map((tool) => tool.name);
  }
  /** The structured result of a call that must succeed. */
  async ask(name, tool, args) {
    const { result, error } = await this.modern(name, { name: tool, arguments: args });
    assert.ok(result && !result.isError, `${tool} ${JSON.stringify(args)}: ${inspect(error ?? result, { depth: 6 })}`);
    return result.structuredContent;
  }
  /** {code, message, details} of a call that must fail. */
  async refused(name, tool, args) {
    const { result, error } = await this.modern(name, { name: tool, arguments: args });
    assert.equal(result?.isError, true, `${tool} ${JSON.stringify(args)} should have been refused: ${inspect(error ?? result, { depth: 6 })}`);
    const said = parseExact(result.content[0].text);
    return { code: said.error_code, message: said.error, details: said.details ?? {} };
  }
  method(name, method_name, object_id, args) {
    return this.ask(name, 'call_method', methodCall(method_name, object_id, args));
  }
  noMethod(name, method_name, object_id, args) {
    return this.refused(name, 'call_method', methodCall(method_name, object_id, args));
  }
}

/** The arguments of a call of a method of orders. */
export const methodCall = (method_name, object_id, args) => ({
  class_name: 'orders', method_name, ...(object_id === undefined ? {} : { object_id }), ...(args ? { arguments: args } : {}),
});
