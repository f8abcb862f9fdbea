// ops/sql/tests/sql_shop.hpp: a shop with rules, asked in SQL by an agent of the tenant acme.
#pragma once

#include "ops/tests/ruled_database.hpp"

namespace gantry::data {

inline constexpr const char* kShop = R"sql(
  CREATE TABLE teams(id INTEGER PRIMARY KEY, name TEXT);
  CREATE TABLE orders(id INTEGER PRIMARY KEY, tenant TEXT, customer TEXT, amount INTEGER,
                      secret TEXT, paid BOOLEAN CHECK (paid IN (0, 1)), team_id INTEGER
                      REFERENCES teams(id), vault_id INTEGER REFERENCES vaults(id), info JSON,
                      made INTEGER, password_hash TEXT);
  CREATE INDEX orders_tenant ON orders(tenant);
  CREATE TABLE vaults(id INTEGER PRIMARY KEY, code TEXT);
  CREATE TABLE lines(text TEXT, size INTEGER);
  CREATE TABLE docs(doc TEXT);
  CREATE VIEW big AS SELECT id, size FROM (SELECT rowid AS id, size FROM lines) WHERE size > 1;
  CREATE VIRTUAL TABLE notes USING fts5(title, body);
  INSERT INTO teams VALUES (1, 'red'), (2, 'blue');
  INSERT INTO vaults VALUES (77, 'ruby');
  INSERT INTO orders VALUES
    (1, 'acme', 'Ada',  10, 'alpha', 1, 1, 77, '{"a":1,"_hashed_password":"x"}', 1700000000, 'h1'),
    (2, 'acme', 'Bob',  20, 'beta',  0, 2, NULL, '{"a":2}', 1700000001, 'h2'),
    (3, 'rival', 'Eve', 99, 'gamma', 1, 1, 77, 'not json', 1700000002, 'h3');
  INSERT INTO lines VALUES ('one', 1), ('two', 2), ('three', 3);
  INSERT INTO docs VALUES ('{"_id":7,"name":"x","_hashed_password":"p"}'), ('{"name":"y"}');
  INSERT INTO notes VALUES ('first', 'hello'), ('second', 'world');
)sql";

class SqlShop : public RuledDatabase {
 protected:
  void SetUp() override {
    make_ruled(kShop, {R"({"class":"orders","tenant_scope":{"field":"tenant"},
                           "agent_fields":["id","customer","amount","paid","team_id","vault_id",
                                           "info","made"]})",
                       R"({"class":"vaults","hidden":true})",
                       R"({"class":"docs","table":"docs","document":"doc"})"});
    act_as(R"("tenant_id":"acme")");
  }
  std::string sql(const std::string& text, const std::string& more = "") {
    return ask("sql", R"({"sql":)" + quoted(text) + more + "}");
  }
  static std::string quoted(const std::string& text) {
    std::string json = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') json += '\\';
      c == '\n' ? json += "\\n" : json += c;
    }
    return json + "\"";
  }
  // The rows alone.
  std::string rows(const std::string& text, const std::string& more = "") {
    const std::string answer = sql(text, more);
    return answer.substr(0, answer.find(R"({"columns")"));
  }
  // The warnings of the answer, a JSON array; empty: none.
  std::string warnings(const std::string& text, const std::string& more = "") {
    const auto reply = service_->run(R"({"op":"sql","args":{"sql":)" + quoted(text) + more + "}}",
                                     {Budget::for_ms(60'000), 4u << 20, rules_});
    return reply ? reply->warnings : "ERROR " + reply.error().message;
  }
};

}  // namespace gantry::data
