// What rules cost: reads of one object, of twenty and of a thousand, asked of the whole service by
// an agent of one tenant, beside the same rows in a database without a model, which prints the same
// bytes. Fifty classes have a tenant, a row ACL and a list of fields; the one that `sql_tenant` and
// `sql_point` read has an index over its tenant and no ACL. No answers are kept.
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

#include "bare_rows.hpp"
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

constexpr const char* kTenantModel =
    R"("agent_fields":["id","customer","email","status","total","quantity","city","note"],
       "tenant_scope":{"field":"tenant"}})";
constexpr int kTenantClass = 1;  // as large as the first

std::string class_name(int i) { return "c" + std::to_string(i); }

// The classes that are read have 100,000 rows, the others ten.
std::string sql_of(int i, bool is_ruled) {
  std::string sql = kTable;
  replace_all(sql, "CLASS", class_name(i));
  replace_all(sql, "ROWS", i <= kTenantClass ? "100000" : "10");
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
      if (i == kTenantClass) sql += "CREATE INDEX by_tenant ON c1(tenant);";
      std::ofstream(directory_ + "/model/" + class_name(i) + ".json")
          << R"({"class":")" << class_name(i) << R"(","table":")" << class_name(i) << R"(",)"
          << (i == kTenantClass ? kTenantModel : kModel);
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
  std::string path() const { return directory_ + "/rows.db"; }

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
  if (std::string_view(kind) == "sql_point") {
    return R"({"op":"sql","args":{"sql":"SELECT customer, total FROM c1 WHERE id = ?","params":[)" +
           std::to_string(call * 7919 % 100000 + 1) + "]}}";
  }
  if (std::string_view(kind).starts_with("sql")) {
    const bool has_acl = std::string_view(kind) == "sql";
    return R"({"op":"sql","args":{"limit":1000,"sql":"SELECT id, customer, total, note FROM )" +
           class_name(has_acl ? 0 : kTenantClass) +
           R"( WHERE id > ? ORDER BY id LIMIT 1000","params":[)" +
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

// The statement of `sql_tenant` on the bare sqlite3 API, printing the rows as `sql` does.
class Bare {
 public:
  explicit Bare(const std::string& path) {
    sqlite3_open_v2(path.c_str(), &db_, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr);
    const char* const sql =
        "SELECT id, customer, total, note FROM c1 WHERE id > ? ORDER BY id LIMIT 1000";
    if (sqlite3_prepare_v2(db_, sql, -1, &stmt_, nullptr) != SQLITE_OK) std::exit(2);
  }
  Bare(const Bare&) = delete;
  Bare& operator=(const Bare&) = delete;
  ~Bare() {
    sqlite3_finalize(stmt_);
    sqlite3_close(db_);
  }

  std::string print(int call) {
    std::string out = "[";
    sqlite3_bind_int64(stmt_, 1, call * 7919 % 90000);
    while (sqlite3_step(stmt_) == SQLITE_ROW) {
      out += out.size() == 1 ? "[" : ",[";
      for (int i = 0; i < sqlite3_column_count(stmt_); ++i) {
        if (i != 0) out += ',';
        gantry::perf::print_column(stmt_, i, out);
      }
      out += ']';
    }
    sqlite3_reset(stmt_);
    return out + "]";
  }

 private:
  sqlite3* db_ = nullptr;
  sqlite3_stmt* stmt_ = nullptr;
};

// Both must print the same bytes, or the comparison means nothing.
bool print_same(Database& open, Database& ruled, const char* kind) {
  const std::string all = ask(open.service(), kind, Agent::none, 1);
  const std::string seen = ask(ruled.service(), kind, Agent::known, 1);
  if (all == seen && all.size() > 10 && !all.starts_with("ERROR")) return true;
  std::fprintf(stderr, "rules_bench: %s: different answers:\n%.600s\n%.600s\n", kind, all.c_str(),
               seen.c_str());
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  Database open(false), ruled(true);
  Bare bare(open.path());
  if (bare.print(1) != ask(ruled.service(), "sql_tenant", Agent::known, 1)) {
    std::fputs("rules_bench: bare sqlite3 prints other rows\n", stderr);
    return 1;
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RegisterBenchmark("bare/sql_tenant", [&bare](benchmark::State& state) {
    int call = 0;
    for (auto _ : state) {
      benchmark::DoNotOptimize(bare.print(call));
      call = (call + 1) % 100'000;
    }
  });
  for (const char* kind : {"get", "query", "sql", "sql_tenant", "sql_point"}) {
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
