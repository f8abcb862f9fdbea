// The help desk: events and articles as documents, tickets as tables.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Builder } from './lib/builder.mjs';
import { dateText, Random, timeText } from './lib/random.mjs';

const kAccounts = 60;
const kUsers = 300;
const kEvents = 4000;
const kTickets = 900;
const kDay = 86400000;
const kFirst = Date.UTC(2026, 3, 1);
const kDays = 150;

const schema = `
CREATE TABLE accounts(id TEXT PRIMARY KEY, name TEXT NOT NULL, plan TEXT NOT NULL CHECK(plan IN ('free', 'pro', 'enterprise')),
  region TEXT, mrr REAL, started DATE NOT NULL);
CREATE TABLE users(id INTEGER PRIMARY KEY, account_id TEXT NOT NULL REFERENCES accounts(id), name TEXT NOT NULL,
  email TEXT NOT NULL, active BOOLEAN NOT NULL, last_seen_at INTEGER);
CREATE TABLE agents(id INTEGER PRIMARY KEY, name TEXT NOT NULL, team TEXT NOT NULL);
CREATE TABLE tickets(number INTEGER PRIMARY KEY, requester_id INTEGER NOT NULL REFERENCES users(id),
  assignee_id INTEGER REFERENCES agents(id), subject TEXT NOT NULL,
  priority TEXT NOT NULL CHECK(priority IN ('low', 'normal', 'high', 'urgent')),
  state TEXT NOT NULL CHECK(state IN ('new', 'open', 'waiting', 'solved', 'closed')),
  opened_at DATETIME NOT NULL, first_reply_at DATETIME, closed_at DATETIME, csat INTEGER);
CREATE TABLE ticket_tags(ticket_number INTEGER NOT NULL REFERENCES tickets(number), tag TEXT NOT NULL,
  PRIMARY KEY(ticket_number, tag)) WITHOUT ROWID;
CREATE TABLE messages(ticket_number INTEGER NOT NULL REFERENCES tickets(number), seq INTEGER NOT NULL, author TEXT NOT NULL,
  words INTEGER NOT NULL, sent_at DATETIME NOT NULL, PRIMARY KEY(ticket_number, seq));
CREATE TABLE events_docs(n INTEGER PRIMARY KEY, doc TEXT NOT NULL);
CREATE TABLE articles_docs(n INTEGER PRIMARY KEY, doc TEXT NOT NULL);
CREATE INDEX tickets_requester ON tickets(requester_id);
CREATE VIEW open_tickets AS SELECT number, requester_id, assignee_id, priority, opened_at FROM tickets
  WHERE state NOT IN ('solved', 'closed');
`;

const model = {
  'events.json': { class: 'events', table: 'events_docs', document: 'doc' },
  'articles.json': { class: 'articles', table: 'articles_docs', document: 'doc' },
};

const paths = ['/', '/pricing', '/docs', '/login', '/settings/billing', '/reports'];
const systems = ['ios', 'android', 'windows', 'linux'];
const browsers = ['firefox', 'chrome', 'safari'];
const names = ['Ada', 'Boris', 'Chloé', 'Дарья', 'Ευα', '藤田', 'Gül', 'Hana', 'Iñaki', 'Jörg'];
const subjects = ['Cannot log in', 'Invoice is wrong', 'Export fails', 'Слишком медленно', 'ログインできません', 'Feature request'];
const tags = ['billing', 'login', 'export', 'bug', 'vip', 'slow'];

const accountId = (n) => `acc_${String(n).padStart(3, '0')}`;

export class Desk {
  #random = new Random(77);
  #out;

  constructor(file) { this.#out = new Builder(file, schema); }

  write() {
    this.#accounts();
    this.#tickets();
    this.#events();
    this.#articles();
    this.#out.end();
  }

  /** The operator's model: which tables hold documents. */
  static writeModel(directory) {
    mkdirSync(directory, { recursive: true });
    for (const [name, content] of Object.entries(model)) writeFileSync(join(directory, name), JSON.stringify(content));
  }

  #accounts() {
    const r = this.#random;
    for (let n = 1; n <= kAccounts; n += 1) {
      const plan = r.weighted([['free', 3], ['pro', 4], ['enterprise', 2]]);
      this.#out.add('accounts', {
        id: accountId(n), name: `Account ${n}`, plan, region: r.chance(0.9) ? r.pick(['EU', 'US', 'APAC']) : null,
        mrr: plan === 'free' ? null : r.between(20, 900) * (plan === 'pro' ? 1 : 4) + 0.5,
        started: dateText(kFirst - r.between(1, 900) * kDay),
      });
    }
    for (let id = 1; id <= kUsers; id += 1) {
      this.#out.add('users', {
        id, account_id: accountId(r.between(1, kAccounts - 4)), name: `${r.pick(names)} ${id}`, email: `u${id}@desk.example`,
        active: r.chance(0.85), last_seen_at: r.chance(0.9) ? kFirst + r.between(0, kDays * 86400) * 1000 : null,
      });
    }
    [['Mia', 'first line'], ['Noah', 'first line'], ['Оля', 'second line'], ['健', 'second line'], ['Zed', 'second line']]
      .forEach(([name, team], i) => this.#out.add('agents', { id: i + 1, name, team }));
  }

  #tickets() {
    const r = this.#random;
    for (let i = 0; i < kTickets; i += 1) {
      const number = 1000 + i;
      const opened = kFirst + r.between(0, kDays * 86400) * 1000;
      const state = r.weighted([['new', 1], ['open', 2], ['waiting', 1], ['solved', 4], ['closed', 4]]);
      const isDone = state === 'solved' || state === 'closed';
      const reply = state !== 'new' && r.chance(0.95) ? opened + r.between(5, 3000) * 60000 : undefined;
      const closed = isDone ? (reply ?? opened) + r.between(10, 20000) * 60000 : undefined;
      this.#out.add('tickets', {
        number, requester_id: r.between(1, kUsers - 30),
        assignee_id: state === 'new' ? null : r.weighted([[1, 4], [2, 3], [3, 2], [4, 1]]),
        subject: r.pick(subjects), priority: r.weighted([['low', 2], ['normal', 5], ['high', 2], ['urgent', 1]]), state,
        opened_at: timeText(opened), first_reply_at: reply ? timeText(reply) : null, closed_at: closed ? timeText(closed) : null,
        csat: isDone && r.chance(0.5) ? r.weighted([[1, 1], [2, 1], [3, 2], [4, 4], [5, 4]]) : null,
      });
      for (const tag of tags) if (r.chance(0.25)) this.#out.add('ticket_tags', { ticket_number: number, tag });
      const count = r.between(1, 6);
      for (let seq = 1; seq <= count; seq += 1) {
        this.#out.add('messages', {
          ticket_number: number, seq, author: seq % 2 ? 'customer' : 'agent', words: r.between(3, 200),
          sent_at: timeText(opened + (seq - 1) * r.between(10, 900) * 60000),
        });
      }
    }
  }

  #events() {
    const r = this.#random;
    for (let n = 1; n <= kEvents; n += 1) {
      const type = r.weighted([['page_view', 60], ['login', 15], ['purchase', 8], ['error', 10], ['logout', 7]]);
      const event = {
        _id: `ev-${String(n).padStart(5, '0')}`, type,
        at: { $date: new Date(kFirst + r.between(0, kDays * 86400) * 1000).toISOString() },
        user: { id: r.between(1, kUsers), device: { os: r.pick(systems), browser: r.pick(browsers) } },
        ms: r.between(5, 3000), tags: tags.slice(3).filter(() => r.chance(0.2)),
      };
      if (type === 'page_view') event.path = r.pick(paths);
      if (type === 'purchase') event.items = Array.from({ length: r.between(1, 3) }, () => this.#item());
      if (type === 'error') event.code = r.pick([400, 404, 500, 503]);
      if (r.chance(0.1)) event.campaign = r.chance(0.5) ? null : r.pick(['spring', 'launch']);
      this.#out.add('events_docs', { n, doc: event });
    }
  }

  #item() {
    const r = this.#random;
    return { sku: r.pick(['seat', 'addon', 'storage']), qty: r.between(1, 5), price: r.between(5, 50) };
  }

  #articles() {
    const r = this.#random;
    for (let n = 1; n <= 40; n += 1) {
      this.#out.add('articles_docs', {
        n, doc: {
          _id: n, title: `Article ${n}`, lang: r.pick(['en', 'de', 'ja']), views: r.between(0, 5000), published: r.chance(0.8),
          updated: { $date: new Date(kFirst + r.between(0, kDays) * kDay).toISOString() },
          sections: Array.from({ length: r.between(1, 4) }, (_, i) => ({ heading: `Part ${i + 1}`, words: r.between(50, 900) })),
          authors: [1, 2, 3, 4, 5].filter(() => r.chance(0.35)),
        },
      });
    }
  }
}
