// tests/fuzz/two_shops.hpp: two databases that differ only in what an agent may not see, each
// behind a data engine with the same rules.
#pragma once

#include <sqlite3.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "model/source.hpp"
#include "ops/service.hpp"
#include "policy/agent_scope.hpp"
#include "require.hpp"

namespace gantry::fuzz {

inline constexpr const char* kShop = R"sql(
  CREATE TABLE teams(id INTEGER PRIMARY KEY, name TEXT);
  CREATE TABLE orders(id INTEGER PRIMARY KEY, tenant TEXT, customer TEXT COLLATE NOCASE,
    amount INTEGER, secret TEXT, paid BOOLEAN CHECK (paid IN (0, 1)),
    team_id INTEGER REFERENCES teams(id), vault_id INTEGER REFERENCES vaults(id), info JSON,
    made INTEGER);
  CREATE TABLE vaults(id INTEGER PRIMARY KEY, code TEXT);
  CREATE TABLE lines(text TEXT, size INTEGER, hidden TEXT);
  CREATE TABLE docs(doc TEXT);
  INSERT INTO teams VALUES (1, 'red'), (2, 'blue'), (3, '{"k":1}');)sql";

// Visible rows with hidden parts; rows of another tenant, on which functions fail; indexes.
inline constexpr const char* kOne = R"sql(
  INSERT INTO orders VALUES
    (1, 'acme', 'Ada', 10, 'alpha', 1, 1, 77, '{"a":1,"_hashed_password":"x"}', 1700000000),
    (2, 'acme', 'ADA', 20, 'beta', 0, 2, NULL, '{"a":[2]}', 1700000001),
    (3, 'rival', 'Eve', 99, 'gamma', 1, 1, 77, 'not json', 1700000002),
    (5, 'acme', NULL, NULL, 'm', NULL, 3, 78, NULL, NULL),
    (6, 'acme', '{"b":1,"_wperm":[]}', 7, 'z', 1, 1, NULL, '[]', 5),
    (7, 'acme', 'Bob', 7, 'a', 0, 9, 77, '7', -1),
    (8, 'rival', 'Ada', -9223372036854775808, 'b', 1, 2, NULL, '{', 1);
  INSERT INTO vaults VALUES (77, 'ruby'), (78, 'opal');
  INSERT INTO lines VALUES ('one', 1, 'a'), ('two', 2, 'b'), ('two', 2, 'c');
  INSERT INTO docs VALUES ('{"_id":7,"name":"x","_hashed_password":"p"}'), ('{"name":"y","n":[1]}');
  CREATE INDEX orders_hidden ON orders(tenant, secret DESC);)sql";
inline constexpr const char* kOther = R"sql(
  INSERT INTO orders VALUES
    (1, 'acme', 'Ada', 10, 'zeta', 1, 1, 79, '{"a":1,"_hashed_password":"other"}', 1700000000),
    (2, 'acme', 'ADA', 20, NULL, 0, 2, NULL, '{"a":[2]}', 1700000001),
    (4, 'third', 'Zoe', 1, 'omega', 0, 3, NULL, '{"a":9}', 3),
    (5, 'acme', NULL, NULL, 'b', NULL, 3, 79, NULL, NULL),
    (6, 'acme', '{"b":1,"_wperm":["*"]}', 7, 'a', 1, 1, NULL, '[]', 5),
    (7, 'acme', 'Bob', 7, 'z', 0, 9, 79, '7', -1);
  INSERT INTO vaults VALUES (79, 'jade');
  INSERT INTO lines VALUES ('one', 1, 'z'), ('two', 2, NULL), ('two', 2, 'c');
  INSERT INTO docs VALUES ('{"_id":7,"name":"x","_hashed_password":"q"}'), ('{"name":"y","n":[1]}');
  CREATE INDEX lines_hidden ON lines(size, hidden);
  CREATE INDEX orders_amount ON orders(amount, secret);)sql";

inline constexpr const char* kShopModel[] = {
    R"({"class":"orders","tenant_scope":{"field":"tenant"},
        "agent_fields":["id","customer","amount","paid","team_id","vault_id","info","made"]})",
    R"({"class":"lines","agent_fields":["text","size"]})", R"({"class":"vaults","hidden":true})",
    R"({"class":"docs","table":"docs","document":"doc"})"};

class Shop {
 public:
  explicit Shop(const std::string& sql) {
    char folder[] = "/tmp/gantry-fuzz-XXXXXX";
    require(::mkdtemp(folder) != nullptr, "there is room in /tmp");
    folder_ = folder;
    sqlite3* db = nullptr;
    require(sqlite3_open(path().c_str(), &db) == SQLITE_OK &&
                sqlite3_exec(db, (kShop + sql).c_str(), nullptr, nullptr, nullptr) == SQLITE_OK,
            "the database can be made");
    sqlite3_close(db);
    std::filesystem::create_directory(folder_ / "model");
    int number = 0;
    for (const char* cls : kShopModel) {
      std::ofstream(folder_ / "model" / (std::to_string(++number) + ".json")) << cls;
    }
    data::StoreOptions options;
    options.model = *data::model::Source::open(folder_ / "model", [](const std::string&) {});
    service_ = *data::Service::open(path(), options);
    auto scope =
        data::parse_agent_scope(R"({"tenant_id":"acme","fingerprint":"0123456789abcdef"})");
    rules_ = std::make_shared<const data::Rules>(std::move(*scope));
    service_->configure({});
  }
  ~Shop() {
    service_.reset();
    std::filesystem::remove_all(folder_);
  }
  Shop(const Shop&) = delete;
  Shop& operator=(const Shop&) = delete;

  std::string path() const { return (folder_ / "shop.db").string(); }
  data::Outcome<data::Reply> ask(const std::string& request) {
    return service_->run(request, {data::Budget::for_ms(1'000), 64u << 10, rules_});
  }

 private:
  std::filesystem::path folder_;
  std::unique_ptr<data::Service> service_;
  data::RulesPtr rules_;
};

}  // namespace gantry::fuzz
