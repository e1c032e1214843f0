-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- Tables, indexes, joins, sorting and text, all in memory.
CREATE TABLE item(id INTEGER PRIMARY KEY, kind INTEGER, name TEXT, price REAL);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
  INSERT INTO item SELECT i, (i * 7919) % 97, printf('name %d %x', i * 31 % 1000, i), i / 7.0 FROM n;
CREATE INDEX by_kind ON item(kind, price);
CREATE INDEX by_name ON item(name);
CREATE TABLE tag(item INTEGER, word TEXT);
INSERT INTO tag SELECT id, substr(name, 6, 3) FROM item WHERE id % 3 = 0;
SELECT kind, count(*), round(sum(price), 2), max(name) FROM item GROUP BY kind ORDER BY 3 DESC LIMIT 10;
SELECT word, count(*) FROM tag JOIN item ON item.id = tag.item WHERE kind < 20 GROUP BY word ORDER BY 2 DESC, 1 LIMIT 10;
UPDATE item SET price = price * 2 WHERE name LIKE '%a';
DELETE FROM item WHERE kind = 13;
SELECT count(*), round(total(price), 3), group_concat(DISTINCT kind % 5) FROM item;
SELECT length(group_concat(name)) FROM (SELECT name FROM item ORDER BY price LIMIT 5000);
ANALYZE;
VACUUM;
PRAGMA integrity_check;
