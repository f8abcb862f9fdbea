-- The demo shop: customers, products, orders, lines and reviews of two regions. Run by build.sh with
-- the sqlite3 shell. Nothing is random: each row follows from its number, so the file is always the
-- same, byte for byte.

PRAGMA foreign_keys = ON;
PRAGMA page_size = 4096;
PRAGMA journal_mode = DELETE;

BEGIN;

-- mixed(n, salt): a number that looks random, from the row's number. SQLite has no functions of its
-- own in SQL, so the formula stands where it is used: abs((n * 2654435761 + salt * 40503) % 2147483647).

CREATE TABLE categories (
  id   INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);
INSERT INTO categories VALUES (1, 'Coffee'), (2, 'Tea'), (3, 'Kitchen'), (4, 'Books'), (5, 'Garden');

CREATE TABLE products (
  id          INTEGER PRIMARY KEY,
  sku         TEXT NOT NULL UNIQUE,
  name        TEXT NOT NULL,
  category_id INTEGER NOT NULL REFERENCES categories (id),
  price_cents INTEGER NOT NULL CHECK (price_cents > 0),
  description TEXT NOT NULL,
  stock       INTEGER NOT NULL,
  created_at  DATETIME NOT NULL
);
CREATE INDEX products_by_category ON products (category_id);
WITH RECURSIVE
  numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 60),
  adjectives (i, word, about) AS (VALUES
    (0, 'Small', 'takes little room'), (1, 'Large', 'is enough for a big family'),
    (2, 'Organic', 'is grown without chemicals'), (3, 'Classic', 'has not changed for thirty years'),
    (4, 'Travel', 'fits into every bag'), (5, 'Deluxe', 'comes in a wooden box')),
  nouns (category, i, word) AS (VALUES
    (1, 0, 'Espresso'), (1, 1, 'Filter Coffee'), (2, 0, 'Green Tea'), (2, 1, 'Earl Grey'),
    (3, 0, 'Kettle'), (3, 1, 'Bread Knife'), (4, 0, 'Cookbook'), (4, 1, 'Atlas'),
    (5, 0, 'Watering Can'), (5, 1, 'Herb Seeds'))
INSERT INTO products
SELECT n, printf('SKU-%04d', n), adjectives.word || ' ' || nouns.word, category,
       499 + abs((n * 2654435761 + 40503) % 2147483647) % 9500,
       adjectives.word || ' ' || lower(nouns.word) || ' that ' || about || '.',
       abs((n * 2654435761 + 81006) % 2147483647) % 200,
       datetime('2025-01-01', '+' || (n * 3) || ' days')
FROM numbers
JOIN nouns ON category = (n - 1) % 5 + 1 AND nouns.i = (n - 1) / 5 % 2
JOIN adjectives ON adjectives.i = (n - 1) / 10
ORDER BY n;

CREATE TABLE customers (
  id         INTEGER PRIMARY KEY,
  name       TEXT NOT NULL,
  email      TEXT NOT NULL UNIQUE,
  phone      TEXT,
  city       TEXT NOT NULL,
  region     TEXT NOT NULL CHECK (region IN ('north', 'south')),
  tier       TEXT NOT NULL CHECK (tier IN ('basic', 'silver', 'gold')),
  created_at DATETIME NOT NULL
);
WITH RECURSIVE
  numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 200),
  firsts (i, word) AS (VALUES (0, 'Anna'), (1, 'Bruno'), (2, 'Clara'), (3, 'Dmitri'), (4, 'Eve'),
    (5, 'Farid'), (6, 'Grace'), (7, 'Hugo'), (8, 'Ines'), (9, 'Jörg')),
  lasts (i, word) AS (VALUES (0, 'Berg'), (1, 'Costa'), (2, 'Dubois'), (3, 'Eriksson'), (4, 'Fischer'),
    (5, 'García'), (6, 'Huang'), (7, 'Ito'), (8, 'Jansen'), (9, 'Kowalski'), (10, 'Lindqvist'),
    (11, 'Moreau'), (12, 'Novák'), (13, 'O''Brien'), (14, 'Petrov'), (15, 'Quinn'), (16, 'Rossi'),
    (17, 'Silva'), (18, 'Tanaka'), (19, 'Weber')),
  cities (i, word, region) AS (VALUES (0, 'Oslo', 'north'), (1, 'Hamburg', 'north'),
    (2, 'Gdańsk', 'north'), (3, 'Lisboa', 'south'), (4, 'Napoli', 'south'), (5, 'Αθήνα', 'south'))
INSERT INTO customers
SELECT n, firsts.word || ' ' || lasts.word, 'customer' || n || '@example.com',
       CASE WHEN n % 7 THEN printf('+49 30 %06d', n * 4999) END, cities.word, cities.region,
       CASE WHEN n % 10 = 0 THEN 'gold' WHEN n % 3 = 0 THEN 'silver' ELSE 'basic' END,
       datetime('2025-01-01', '+' || (n * 2) || ' days', '+' || (n * 37 % 1440) || ' minutes')
FROM numbers
JOIN firsts ON firsts.i = (n - 1) % 10
JOIN lasts ON lasts.i = (n - 1) / 10
JOIN cities ON cities.i = abs((n * 2654435761) % 2147483647) % 6
ORDER BY n;

CREATE TABLE orders (
  id          INTEGER PRIMARY KEY,
  number      TEXT NOT NULL UNIQUE,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  region      TEXT NOT NULL CHECK (region IN ('north', 'south')),
  status      TEXT NOT NULL CHECK (status IN ('draft', 'paid', 'shipped', 'returned', 'cancelled')),
  total_cents INTEGER NOT NULL DEFAULT 0,
  ordered_at  DATETIME NOT NULL,
  shipped_at  DATETIME,
  note        TEXT
);
CREATE INDEX orders_by_customer ON orders (customer_id);
CREATE INDEX orders_by_time ON orders (ordered_at);
WITH RECURSIVE
  numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1200),
  made AS (
    SELECT n, abs((n * 2654435761 + 121509) % 2147483647) % 200 + 1 AS customer,
           datetime('2026-01-01', '+' || (n * 390) || ' minutes') AS at,
           CASE WHEN n % 41 = 0 THEN 'cancelled' WHEN n % 29 = 0 THEN 'returned'
                WHEN n > 1180 THEN 'draft' WHEN n > 1120 THEN 'paid' ELSE 'shipped' END AS status
    FROM numbers)
INSERT INTO orders
SELECT n, printf('2026-%05d', n), customer, region, status, 0, at,
       CASE WHEN status IN ('shipped', 'returned') THEN datetime(at, '+' || (n % 4 + 1) || ' days') END,
       CASE n % 25 WHEN 0 THEN 'Please leave the parcel with the neighbours.'
                   WHEN 8 THEN 'A present: no invoice in the box.'
                   WHEN 16 THEN 'Call before delivery.' END
FROM made JOIN customers ON customers.id = made.customer
ORDER BY n;

CREATE TABLE order_lines (
  id          INTEGER PRIMARY KEY,
  order_id    INTEGER NOT NULL REFERENCES orders (id),
  product_id  INTEGER NOT NULL REFERENCES products (id),
  quantity    INTEGER NOT NULL CHECK (quantity > 0),
  price_cents INTEGER NOT NULL
);
CREATE INDEX order_lines_by_order ON order_lines (order_id);
CREATE INDEX order_lines_by_product ON order_lines (product_id);
WITH RECURSIVE
  numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 3000),
  made AS (
    SELECT n, CASE WHEN n <= 1200 THEN n
                   ELSE abs((n * 2654435761 + 162012) % 2147483647) % 1200 + 1 END AS order_id,
           abs((n * 2654435761 + 202515) % 2147483647) % 60 + 1 AS product,
           abs((n * 2654435761 + 243018) % 2147483647) % 3 + 1 AS quantity
    FROM numbers)
INSERT INTO order_lines
SELECT n, order_id, product, quantity, price_cents
FROM made JOIN products ON products.id = made.product
ORDER BY n;
UPDATE orders SET total_cents =
  (SELECT sum(quantity * price_cents) FROM order_lines WHERE order_id = orders.id);

CREATE TABLE reviews (
  id          INTEGER PRIMARY KEY,
  product_id  INTEGER NOT NULL REFERENCES products (id),
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  stars       INTEGER NOT NULL CHECK (stars IN (1, 2, 3, 4, 5)),
  text        TEXT NOT NULL,
  created_at  DATETIME NOT NULL
);
CREATE INDEX reviews_by_product ON reviews (product_id);
WITH RECURSIVE
  numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 400),
  openings (stars, i, words) AS (VALUES
    (1, 0, 'It broke on the second day.'), (1, 1, 'Not what the picture shows.'),
    (2, 0, 'Too expensive for what it does.'), (2, 1, 'It came late and without its box.'),
    (3, 0, 'It does its work.'), (3, 1, 'Fine, but the old one was better.'),
    (4, 0, 'Good, and quickly delivered.'), (4, 1, 'We use it every day.'),
    (5, 0, 'The best that I have had.'), (5, 1, 'A present that everybody liked.')),
  endings (i, words) AS (VALUES
    (0, 'I would buy it again.'), (1, 'The service answered within an hour.'),
    (2, 'Delivery took nine days.'), (3, 'The colour is darker than expected.'), (4, ''))
INSERT INTO reviews
SELECT n, abs((n * 2654435761 + 283521) % 2147483647) % 60 + 1,
       abs((n * 2654435761 + 324024) % 2147483647) % 200 + 1, openings.stars,
       trim(openings.words || ' ' || endings.words),
       datetime('2026-01-05', '+' || (n * 1170) || ' minutes')
FROM numbers
JOIN openings ON openings.i = n % 2
  AND openings.stars = CASE n % 9 WHEN 0 THEN 1 WHEN 1 THEN 2 WHEN 2 THEN 3 WHEN 3 THEN 4 WHEN 4 THEN 4
                                  ELSE 5 END
JOIN endings ON endings.i = n % 5
ORDER BY n;

CREATE VIEW sales_by_month AS
SELECT strftime('%Y-%m', ordered_at) AS month, region, count(*) AS orders,
       sum(total_cents) AS total_cents
FROM orders WHERE status IN ('paid', 'shipped') GROUP BY 1, 2;

-- No agent sees it: the model hides the class.
CREATE TABLE salaries (
  id INTEGER PRIMARY KEY, employee TEXT NOT NULL, yearly_cents INTEGER NOT NULL
);
INSERT INTO salaries VALUES (1, 'Mara', 5200000), (2, 'Nils', 4900000);

COMMIT;
VACUUM;
