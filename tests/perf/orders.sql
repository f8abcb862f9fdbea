-- What is read: 1,000 rows of 10 columns, and 100,000 of them for the look-up by id.
CREATE TABLE orders(id INTEGER PRIMARY KEY, customer TEXT, email TEXT, status TEXT, total REAL,
  quantity INTEGER, paid BOOLEAN, city TEXT, note TEXT, weight REAL);
CREATE TABLE big(id INTEGER PRIMARY KEY, customer TEXT, email TEXT, status TEXT, total REAL,
  quantity INTEGER, paid BOOLEAN, city TEXT, note TEXT, weight REAL);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n LIMIT 100000)
INSERT INTO big SELECT i, 'Customer number ' || i, 'user' || i || '@example.org',
  CASE i % 3 WHEN 0 THEN 'paid' WHEN 1 THEN 'open' ELSE 'shipped' END, i * 1.37, i % 50, i % 2,
  'Zürich', 'She said "hello" on day ' || i, i / 7.0 FROM n;
INSERT INTO orders SELECT * FROM big WHERE id <= 1000;
