// What rules cost: reads of one object and of twenty, asked of the whole service by an agent of one
// tenant, beside the same rows in a database without a model, which prints the same bytes. Fifty
// classes have a tenant, a row ACL and a list of fields. No answers are kept.
//
// `parsed` reads the agent's profile for each call, as for an agent that did not call lately;
// `in_turns` is two agents by turns.
#include <benchmark/benchmark.h>
#include <sqlite3.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "model/source.hpp"
#include "ops/service.hpp"

namespace {

using namespace gantry::data;

constexpr int kClasses = 50;

constexpr const char* kTable = R"sql(
CREATE TABLE CLASS(id INTEGER PRIMARY KEY, customer TEXT, email TEXT, status TEXT, total REAL,
  quantity INTEGER, city TEXT, note TEXT MORE);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n LIMIT ROWS)
INSERT INTO CLASS SELECT i, 'Customer number ' || i, 'user' || i || '@example.org',
  CASE i % 3 WHEN 0 THEN 'paid' WHEN 1 THEN 'open' ELSE 'shipped' END, i * 1.37, i % 50, 'Zürich',
  'She said hello on day ' || i VALUES FROM n;
)sql";
constexpr const char* kValues = R"(, 'acme', '["role:seller","u' || i || '"]')";

constexpr const char* kModel =
    R"("agent_fields":["id","customer","email","status","total","quantity","city","note"],
       "tenant_scope":{"field":"tenant"},"acl":{"read":"acl","write":"acl"}})";

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

std::string class_name(int i) { return "c" + std::to_string(i); }

// The class that is read has 100,000 rows, the others ten.
std::string sql_of(int i, bool is_ruled) {
  std::string sql = kTable;
  replace_all(sql, "CLASS", class_name(i));
  replace_all(sql, "ROWS", i == 0 ? "100000" : "10");
  replace_all(sql, " MORE", is_ruled ? ", tenant TEXT, acl TEXT" : "");
  replace_all(sql, " VALUES", is_ruled ? kValues : "");
  return sql;
}

class Database {
 public:
  explicit Database(bool is_ruled) {
    char pattern[] = "/tmp/gantry_rules_XXXXXX";
    directory_ = ::mkdtemp(pattern);
    std::filesystem::create_directory(directory_ + "/model");
    std::string sql = "BEGIN;";
    for (int i = 0; i < kClasses; ++i) {
      sql += sql_of(i, is_ruled);
      if (!is_ruled) continue;
      std::ofstream(directory_ + "/model/" + class_name(i) + ".json")
          << R"({"class":")" << class_name(i) << R"(","table":")" << class_name(i) << R"(",)"
          << kModel;
    }
    sqlite3* db = nullptr;
    if (sqlite3_open((directory_ + "/rows.db").c_str(), &db) != SQLITE_OK ||
        sqlite3_exec(db, (sql + "COMMIT").c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
      std::fprintf(stderr, "rules_bench: %s\n", sqlite3_errmsg(db));
      std::exit(2);
    }
    sqlite3_close(db);
    open(is_ruled);
  }
  ~Database() { std::filesystem::remove_all(directory_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  Service& service() { return *service_; }

 private:
  void open(bool is_ruled) {
    StoreOptions options;
    if (is_ruled) {
      auto model = model::Source::open(directory_ + "/model", [](const std::string&) {});
      if (!model) std::exit(2);
      options.model = std::move(*model);
    }
    auto service = Service::open(directory_ + "/rows.db", std::move(options));
    if (!service) std::exit(2);
    service_ = std::move(*service);
    service_->configure({.answer_cache_bytes = 0});
  }

  std::string directory_;
  std::unique_ptr<Service> service_;
};

// A profile as the host hands it over.
std::string profile(const char* user) {
  return std::string(
             R"({"agent":"sales","principal":"key:8f3a","depth":0,"permissions":"readonly",)"
             R"("user":")") +
         user +
         R"(","roles":["seller","employee"],"tenant_id":"acme",)"
         R"("classes":{"except":["c7","c8"]},"caps":{"rows":1000},"agent_debug":false,)"
         R"("fingerprint":"0123456789abcdef"})";
}

enum class Agent { none, known, parsed, in_turns };

RulesPtr rules_of(Service& service, Agent agent, int call) {
  static const std::array<std::string, 2> kProfiles = {profile("u17"), profile("u18")};
  switch (agent) {
    case Agent::none:
      return nullptr;
    case Agent::known:
      return *service.recent_rules().of(kProfiles[0]);
    case Agent::parsed:
      return std::make_shared<const Rules>(*parse_agent_scope(kProfiles[0]));
    case Agent::in_turns:
      break;
  }
  return *service.recent_rules().of(kProfiles[static_cast<std::size_t>(call % 2)]);
}

std::string request_of(const char* kind, int call) {
  if (std::string_view(kind) == "get") {
    return R"({"op":"get","args":{"class_name":"c0","object_id":")" +
           std::to_string(call * 7919 % 100000 + 1) + "\"}}";
  }
  if (std::string_view(kind) == "sql") {
    return R"({"op":"sql","args":{"limit":1000,"sql":"SELECT id, customer, total, note FROM c0 )"
           R"(WHERE id > ? ORDER BY id LIMIT 1000","params":[)" +
           std::to_string(call * 7919 % 90000) + "]}}";
  }
  return R"({"op":"query","args":{"class_name":"c0","limit":20,"where":{"objectId":{"$gt":)" +
         std::to_string(call * 7919 % 90000) + "}}}}";
}

std::string ask(Service& service, const char* kind, Agent agent, int call) {
  Budget budget = Budget::for_ms(25'000);
  budget.cancelled = [] { return false; };
  const RulesPtr rules = rules_of(service, agent, call);
  auto reply = service.run(request_of(kind, call), {budget, 4u << 20, rules});
  return reply ? std::move(reply->rows) : "ERROR " + reply.error().message;
}

void measure(benchmark::State& state, Database& database, const char* kind, Agent agent) {
  int call = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(ask(database.service(), kind, agent, call));
    call = (call + 1) % 100'000;
  }
}

// Both must print the same bytes, or the comparison means nothing.
bool print_same(Database& open, Database& ruled, const char* kind) {
  const std::string all = ask(open.service(), kind, Agent::none, 1);
  const std::string seen = ask(ruled.service(), kind, Agent::known, 1);
  if (all == seen && all.size() > 50 && !all.starts_with("ERROR")) return true;
  std::fprintf(stderr, "rules_bench: %s: different answers:\n%.600s\n%.600s\n", kind, all.c_str(),
               seen.c_str());
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  Database open(false), ruled(true);
  benchmark::Initialize(&argc, argv);
  for (const char* kind : {"get", "query", "sql"}) {
    if (!print_same(open, ruled, kind)) return 1;
    const auto add = [&](const char* name, Database& database, Agent agent) {
      const auto run = [&database, kind, agent](benchmark::State& state) {
        measure(state, database, kind, agent);
      };
      benchmark::RegisterBenchmark((std::string(kind) + name).c_str(), run);
    };
    add("/open", open, Agent::none);
    add("/ruled", ruled, Agent::known);
    add("/ruled_parsed", ruled, Agent::parsed);
    add("/ruled_in_turns", ruled, Agent::in_turns);
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
