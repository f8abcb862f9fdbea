-- What is exported: ROWS rows of seven columns, with texts that need quotes, empty ones and NULLs.
CREATE TABLE sale(id INTEGER PRIMARY KEY, customer TEXT NOT NULL, city TEXT, amount REAL NOT NULL,
  paid BOOLEAN NOT NULL, note TEXT, made_at DATETIME NOT NULL);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ROWS)
INSERT INTO sale SELECT i, 'Customer number ' || (i * 7919 % 50000),
  CASE i % 5 WHEN 0 THEN NULL ELSE 'city ' || (i % 97) END, i * 31 % 100000 / 100.0, i % 3 = 0,
  CASE i % 10 WHEN 0 THEN 'said "yes", then left' WHEN 1 THEN '' ELSE 'a plain note ' || i END,
  strftime('%Y-%m-%dT%H:%M:%fZ', 1700000000 + i, 'unixepoch') FROM n;
