// The shop: what its schema says, how its rows are made, and the mistakes that are planted in them.
import { Builder } from './lib/builder.mjs';
import { dateText, Random, timeText } from './lib/random.mjs';

const kCustomers = 800;
const kWithoutOrders = 58;
const kProducts = 240;
const kNeverSold = 14;
const kOrders = 6000;
const kReviews = 1500;
const kDay = 86400000;
const kFirst = Date.UTC(2025, 0, 1);
const kLast = Date.UTC(2026, 8, 30);

const schema = `
CREATE TABLE countries(code TEXT PRIMARY KEY, name TEXT NOT NULL, region TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE customers(id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL, email TEXT,
  country TEXT NOT NULL, city TEXT, segment TEXT NOT NULL CHECK(segment IN ('consumer', 'business', 'public')),
  newsletter BOOLEAN NOT NULL, birth_date DATE, created_at DATETIME NOT NULL,
  referred_by INTEGER REFERENCES customers(id), preferences JSON);
CREATE TABLE categories(id INTEGER PRIMARY KEY, name TEXT NOT NULL, parent_id INTEGER REFERENCES categories(id));
CREATE TABLE suppliers(code TEXT PRIMARY KEY, name TEXT NOT NULL, country TEXT NOT NULL REFERENCES countries(code),
  contact_email TEXT) WITHOUT ROWID;
CREATE TABLE products(id INTEGER PRIMARY KEY, sku TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
  category_id INTEGER NOT NULL REFERENCES categories(id), supplier_code TEXT REFERENCES suppliers(code),
  price_cents INTEGER NOT NULL, cost_cents INTEGER, attributes JSON, discontinued BOOLEAN NOT NULL, launched_on DATE);
CREATE TABLE orders(id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers(id),
  ordered_at DATETIME NOT NULL,
  status TEXT NOT NULL CHECK(status IN ('pending', 'paid', 'shipped', 'delivered', 'cancelled', 'refunded')),
  channel TEXT NOT NULL, ship_country TEXT REFERENCES countries(code), total_cents INTEGER NOT NULL, coupon TEXT,
  shipped_at DATETIME);
CREATE TABLE order_lines(order_id INTEGER NOT NULL REFERENCES orders(id), line_no INTEGER NOT NULL,
  product_id INTEGER NOT NULL REFERENCES products(id), quantity INTEGER NOT NULL, unit_price_cents INTEGER NOT NULL,
  discount_cents INTEGER, PRIMARY KEY(order_id, line_no)) WITHOUT ROWID;
CREATE TABLE payments(id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES orders(id), method TEXT NOT NULL,
  amount REAL NOT NULL, paid_at INTEGER NOT NULL);
CREATE TABLE stock(product_id INTEGER NOT NULL REFERENCES products(id), warehouse TEXT NOT NULL,
  quantity INTEGER NOT NULL, reorder_level INTEGER, counted_on DATE, PRIMARY KEY(product_id, warehouse)) WITHOUT ROWID;
CREATE TABLE reviews(id INTEGER PRIMARY KEY, product_id INTEGER NOT NULL REFERENCES products(id),
  customer_id INTEGER REFERENCES customers(id), rating INTEGER NOT NULL, title TEXT, created_at DATETIME NOT NULL);
CREATE TABLE returns(id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL, line_no INTEGER NOT NULL, reason TEXT NOT NULL,
  returned_on DATE NOT NULL, FOREIGN KEY(order_id, line_no) REFERENCES order_lines(order_id, line_no));
CREATE INDEX orders_customer ON orders(customer_id);
CREATE INDEX orders_time ON orders(ordered_at);
CREATE INDEX lines_product ON order_lines(product_id);
CREATE INDEX payments_order ON payments(order_id);
CREATE VIEW order_summary AS SELECT o.id AS order_id, o.customer_id, c.first_name || ' ' || c.last_name AS customer,
  c.country, o.ordered_at, o.status, (SELECT count(*) FROM order_lines l WHERE l.order_id = o.id) AS items, o.total_cents
  FROM orders o JOIN customers c ON c.id = o.customer_id;
`;

const countries = [['DE', 'Germany', 'Europe'], ['AT', 'Austria', 'Europe'], ['FR', 'France', 'Europe'],
  ['ES', 'Spain', 'Europe'], ['GR', 'Greece', 'Europe'], ['UA', 'Ukraine', 'Europe'], ['JP', 'Japan', 'Asia'],
  ['IN', 'India', 'Asia'], ['EG', 'Egypt', 'Africa'], ['US', 'United States', 'America'], ['BR', 'Brazil', 'America']];

const origins = [['DE', 22], ['AT', 8], ['FR', 14], ['ES', 10], ['GR', 7], ['UA', 9], ['JP', 10], ['IN', 6], ['EG', 4], ['US', 7], ['BR', 3]];

const people = {
  DE: { first: ['Anna', 'Jürgen', 'Sophie', 'Max', 'Käthe'], last: ['Müller', 'Schmidt', 'Groß', 'Weber'], city: ['Berlin', 'München', 'Köln'] },
  AT: { first: ['Lukas', 'Marie', 'Florian'], last: ['Gruber', 'Huber', 'Bäcker'], city: ['Wien', 'Graz'] },
  FR: { first: ['Chloé', 'Léa', 'Hugo', 'Zoë'], last: ['Dupont', 'Lefèvre', "D'Arc"], city: ['Paris', 'Lyon'] },
  ES: { first: ['José', 'María', 'Íñigo'], last: ['García', 'Núñez', 'de la Cruz'], city: ['Madrid', 'A Coruña'] },
  GR: { first: ['Γιώργος', 'Ελένη', 'Νίκος'], last: ['Παπαδόπουλος', 'Νικολάου'], city: ['Αθήνα', 'Πάτρα'] },
  UA: { first: ['Олена', 'Іван', 'Тарас'], last: ['Шевченко', 'Коваль', 'Бондар'], city: ['Київ', 'Львів'] },
  JP: { first: ['太郎', '花子', '健太'], last: ['山田', '佐藤', '鈴木'], city: ['東京', '大阪'] },
  IN: { first: ['आरव', 'Priya', 'Rahul'], last: ['शर्मा', 'Patel', 'Singh'], city: ['मुंबई', 'Delhi'] },
  EG: { first: ['محمد', 'فاطمة'], last: ['حسن', 'علي'], city: ['القاهرة'] },
  US: { first: ['John', 'Emma', 'Olivia'], last: ["O'Brien", 'Smith', 'Johnson'], city: ['New York', 'Austin'] },
  BR: { first: ['João', 'Ana'], last: ['Silva', 'Souza'], city: ['São Paulo', 'Recife'] },
};

const categories = [[1, 'Home', null], [2, 'Kitchen', 1], [3, 'Garden', 1], [4, 'Office', null], [5, 'Paper', 4],
  [6, 'Electronics', null], [7, 'Audio', 6], [8, 'Cables', 6], [9, 'Books', null], [10, 'Toys', null]];

const suppliers = [['ACME', 'Acme GmbH', 'DE'], ['NORD', 'Nordlicht KG', 'DE'], ['LUM', 'Lumière SA', 'FR'],
  ['SOL', 'Sol y Mar', 'ES'], ['KYO', '京都製作所', 'JP'], ['DNI', 'Дніпро', 'UA'], ['HEL', 'Ελλάς', 'GR'],
  ['US-1', 'Liberty Inc.', 'US'], ['IND', 'Ganges Ltd', 'IN']];

const things = ['Lamp', 'Mug', 'Kettle', 'Notebook', 'Pen', 'Speaker', 'Headphones', 'Cable', 'Puzzle', 'Shovel', 'Novel', 'Atlas'];
const colors = ['red', 'green', 'blue', 'black', 'white'];
const tags = ['eco', 'new', 'sale', 'gift', 'fragile'];
const warehouses = ['HH', 'LEJ', 'VIE'];
const coupons = ['SPRING10', 'WELCOME', 'VIP'];
const reasons = ['broken', 'wrong item', 'too late', 'not wanted'];
const titles = ['Great', 'Good value', 'Broke after a week', '素晴らしい', 'Дуже добре', 'Not as described'];

export class Shop {
  #random = new Random(20260825);
  #prices = new Map();
  #out;

  constructor(file) { this.#out = new Builder(file, schema); }

  write() {
    for (const [code, name, region] of countries) this.#out.add('countries', { code, name, region });
    for (const [id, name, parent_id] of categories) this.#out.add('categories', { id, name, parent_id });
    for (const [code, name, country] of suppliers) {
      const contact_email = this.#random.chance(0.7) ? `sales@${code.toLowerCase()}.example` : null;
      this.#out.add('suppliers', { code, name, country, contact_email });
    }
    this.#customers();
    this.#products();
    this.#orders();
    this.#reviews();
    this.#mistakes();
    this.#out.end();
  }

  #customers() {
    const r = this.#random;
    for (let id = 1; id <= kCustomers; id += 1) {
      const country = r.weighted(origins);
      const { first, last, city } = people[country];
      this.#out.add('customers', {
        id, first_name: r.pick(first), last_name: r.pick(last), email: r.chance(0.95) ? `customer${id}@mail.example` : null,
        country, city: r.chance(0.9) ? r.pick(city) : null,
        segment: r.weighted([['consumer', 7], ['business', 2], ['public', 1]]), newsletter: r.chance(0.4),
        birth_date: r.chance(0.8) ? dateText(Date.UTC(1950, 0, 1) + r.between(0, 20000) * kDay) : null,
        created_at: timeText(kFirst - r.between(0, 500) * kDay + r.between(0, 86399) * 1000),
        referred_by: id > 20 && r.chance(0.15) ? r.between(1, 20) : null,
        preferences: r.chance(0.6) ? this.#preferences() : null,
      });
    }
  }

  #preferences() {
    const r = this.#random;
    const lang = r.pick(['de', 'en', 'fr', 'ja', 'uk']);
    return { lang, theme: r.pick(['dark', 'light']), notify: { email: r.chance(0.5), sms: r.chance(0.2) } };
  }

  #products() {
    const r = this.#random;
    for (let id = 1; id <= kProducts; id += 1) {
      const price = r.between(3, 400) * 50 - 1;
      this.#prices.set(id, price);
      this.#out.add('products', {
        id, sku: `SKU-${String(id).padStart(4, '0')}`, name: `${r.pick(things)} ${id}`, category_id: r.pick([2, 2, 3, 5, 7, 7, 8, 9, 10]),
        supplier_code: r.chance(0.92) ? r.pick(suppliers.slice(0, -1))[0] : null, price_cents: price,
        cost_cents: r.chance(0.95) ? Math.floor(price * (0.4 + r.next() * 0.4)) : null,
        attributes: r.chance(0.85) ? this.#attributes() : null, discontinued: r.chance(0.1),
        launched_on: dateText(Date.UTC(2023, 0, 1) + r.between(0, 900) * kDay),
      });
      for (const warehouse of warehouses) if (r.chance(0.8)) this.#stock(id, warehouse);
    }
  }

  #attributes() {
    const r = this.#random;
    return {
      color: r.pick(colors), weight_g: r.between(20, 4000), tags: tags.filter(() => r.chance(0.3)),
      ...(r.chance(0.5) ? { dims: { w: r.between(1, 60), h: r.between(1, 60) } } : {}),
    };
  }

  #stock(product_id, warehouse) {
    const r = this.#random;
    this.#out.add('stock', {
      product_id, warehouse, quantity: r.chance(0.12) ? 0 : r.between(1, 300), reorder_level: r.chance(0.9) ? r.between(5, 60) : null,
      counted_on: dateText(Date.UTC(2026, 5, 1) + r.between(0, 90) * kDay),
    });
  }

  #orders() {
    const r = this.#random;
    for (let id = 1; id <= kOrders; id += 1) {
      const at = kFirst + Math.floor((kLast - kFirst) * Math.sqrt(r.next()) / 1000) * 1000;
      const status = r.weighted([['pending', 5], ['paid', 15], ['shipped', 12], ['delivered', 55], ['cancelled', 9], ['refunded', 4]]);
      const isSent = ['shipped', 'delivered', 'refunded'].includes(status);
      const total = this.#lines(id);
      this.#out.add('orders', {
        id, customer_id: r.between(1, kCustomers - kWithoutOrders), ordered_at: timeText(at), status,
        channel: r.weighted([['web', 6], ['app', 3], ['phone', 1]]), ship_country: r.chance(0.97) ? r.pick(countries)[0] : null,
        total_cents: total, coupon: r.chance(0.2) ? r.pick(coupons) : null,
        shipped_at: isSent ? timeText(at + r.between(3600, 12 * 86400) * 1000) : null,
      });
      if (['paid', 'shipped', 'delivered', 'refunded'].includes(status)) this.#payments(id, total, at);
    }
  }

  #lines(order_id) {
    const r = this.#random;
    const count = r.weighted([[1, 3], [2, 4], [3, 2], [4, 1], [6, 0.5]]);
    let total = 0;
    for (let line_no = 1; line_no <= count; line_no += 1) {
      const product_id = r.between(1, kProducts - kNeverSold);
      const quantity = r.weighted([[1, 6], [2, 3], [5, 1]]);
      const unit_price_cents = this.#prices.get(product_id);
      const discount_cents = r.chance(0.15) ? Math.floor(unit_price_cents / 10) : null;
      total += quantity * unit_price_cents - (discount_cents ?? 0);
      this.#out.add('order_lines', { order_id, line_no, product_id, quantity, unit_price_cents, discount_cents });
      if (r.chance(0.03)) {
        const reason = r.pick(reasons);
        this.#out.add('returns', { order_id, line_no, reason, returned_on: dateText(Date.UTC(2026, 0, 1) + r.between(0, 270) * kDay) });
      }
    }
    return total;
  }

  #payments(order_id, total, at) {
    const r = this.#random;
    if (r.chance(0.02)) return;  // planted: paid without a payment
    const method = r.weighted([['card', 6], ['paypal', 3], ['invoice', 1]]);
    const seconds = Math.floor(at / 1000);
    const first = r.chance(0.1) ? Math.floor(total / 2) : total;
    this.#out.add('payments', { order_id, method, amount: first / 100, paid_at: seconds + r.between(0, 86400) });
    if (first === total) return;
    const later = seconds + r.between(86400, 864000);
    this.#out.add('payments', { order_id, method, amount: (total - first) / 100, paid_at: later });
  }

  #reviews() {
    const r = this.#random;
    for (let id = 1; id <= kReviews; id += 1) {
      this.#out.add('reviews', {
        id, product_id: r.between(1, kProducts), customer_id: r.chance(0.95) ? r.between(1, kCustomers) : null,
        rating: r.weighted([[1, 1], [2, 1], [3, 2], [4, 4], [5, 5]]), title: r.chance(0.7) ? r.pick(titles) : null,
        created_at: timeText(kFirst + r.between(0, 600 * 86400) * 1000),
      });
    }
  }

  /** Totals that differ from their lines, orders paid too high or shipped too early, negative stock, equal addresses. */
  #mistakes() {
    this.#out.run(`
      UPDATE orders SET total_cents = total_cents + 100 WHERE id % 261 = 7;
      UPDATE orders SET shipped_at = datetime(ordered_at, '-1 day') WHERE id % 500 = 11 AND shipped_at IS NOT NULL;
      UPDATE payments SET amount = amount + 5 WHERE id % 700 = 3;
      UPDATE stock SET quantity = -quantity WHERE product_id % 60 = 13 AND warehouse = 'HH' AND quantity > 0;
      UPDATE customers SET email = 'Customer' || (id - 100) || '@Mail.example' WHERE id % 97 = 5 AND id > 100;`);
  }
}
