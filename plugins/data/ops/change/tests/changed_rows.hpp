// ops/change/tests/changed_rows.hpp: a shop whose objects are created, updated and deleted.
#pragma once

#include "ops/change/tests/written_database.hpp"

namespace gantry::data {

inline constexpr const char* kChangedShop = R"(
  CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT NOT NULL, points INTEGER DEFAULT 5,
    rate REAL, born DATE, tags JSON, photo BLOB, full TEXT AS (name || '!'),
    created_at TEXT, updated_at TEXT, CHECK(points >= 0));
  CREATE TABLE notes(code TEXT PRIMARY KEY, body TEXT);
  CREATE TABLE orders(id INTEGER PRIMARY KEY, number TEXT UNIQUE, total REAL, status TEXT,
    customer_id INTEGER REFERENCES customers(id));
  CREATE TABLE pairs(a TEXT, b INTEGER, c TEXT, PRIMARY KEY(a,b)) WITHOUT ROWID;
  CREATE TABLE log(line TEXT);
  CREATE TABLE docs(doc TEXT NOT NULL);
  CREATE VIEW names AS SELECT name FROM customers;
  CREATE TRIGGER logged AFTER UPDATE ON orders BEGIN INSERT INTO log VALUES('updated '||new.id); END;
  CREATE TRIGGER kept BEFORE DELETE ON notes WHEN old.code='keep'
    BEGIN SELECT RAISE(ABORT,'secret reason'); END;
  INSERT INTO customers(id,name,created_at,updated_at) VALUES(1,'Ann','2020-01-01 00:00:00','2020-01-01 00:00:00');
  INSERT INTO orders VALUES(1,'A1',10,'paid',1);
  INSERT INTO docs VALUES('{"_id":"d1","a":1.50,"tags":["x"],"deep":{"n":1e3}}');
)";
inline constexpr const char* kChangedDocs = R"({"class":"docs","table":"docs","document":"doc"})";

class ChangedRowsTest : public WrittenDatabase {
 protected:
  void SetUp() override {
    WrittenDatabase::SetUp();
    make_ruled(kChangedShop, {kChangedDocs});
  }
  std::string create(const std::string& cls, const std::string& data) {
    return ask("create", R"({"class_name":")" + cls + R"(","data":)" + data + "}");
  }
  std::string update(const std::string& cls, const std::string& id, const std::string& data) {
    return ask("update", R"({"class_name":")" + cls + R"(","object_id":")" + id + R"(","data":)" +
                             data + "}");
  }
  std::string remove(const std::string& cls, const std::string& id) {
    return ask("delete", R"({"class_name":")" + cls + R"(","object_id":")" + id + "\"}");
  }
};

}  // namespace gantry::data
