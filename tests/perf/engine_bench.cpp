// Pipelines over a table of a million rows, asked of the whole service as the tools ask it, each
// beside the least that the bare sqlite3 API needs for the same bytes: SQL written by hand, its
// statement prepared once. The engine keeps no answers for it: `kept/` has the time of one that it
// does, `missed/` that of one which it might have kept.
//
// usage: engine_bench [--rows=N] [benchmark's own options]
// The database is made once and kept beside the build, by its number of rows.
#include <benchmark/benchmark.h>
#include <sqlite3.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>

#include "ops/service.hpp"
#include "store/sqlite/guard.hpp"

namespace {

using namespace gantry::data;

// 8 regions, 50,000 shops, 20,000 customers; means of amounts are exact in any order.
constexpr const char* kSql = R"sql(
PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;
CREATE TABLE customer(id INTEGER PRIMARY KEY, number INTEGER, name TEXT, city TEXT);
CREATE TABLE sale(id INTEGER PRIMARY KEY, status TEXT, region TEXT, shop TEXT,
  customer_number INTEGER, amount REAL, quantity INTEGER, note TEXT);
BEGIN;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n LIMIT 20000)
INSERT INTO customer SELECT i, 100000 + i, 'Customer number ' || i, 'Zürich' FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n LIMIT ROWS)
INSERT INTO sale SELECT i,
  CASE i * 7919 / 13 % 5 WHEN 0 THEN 'paid' WHEN 1 THEN 'open' WHEN 2 THEN 'shipped'
    WHEN 3 THEN 'returned' ELSE 'cancelled' END,
  'region ' || (i * 7919 / 17 % 8), 'shop-' || (i * 7919 % 50000), 100001 + i * 104729 % 20000, (i * 31 % 100003) * 0.25 + 0.125,
  i % 50, 'She said hello on day ' || i FROM n;
CREATE INDEX sale_status_amount ON sale(status, amount);
CREATE UNIQUE INDEX customer_by_number ON customer(number);
COMMIT;
ANALYZE;
)sql";

std::string make_database(const std::string& rows) {
  const std::string path = GANTRY_BENCH_DIRECTORY "/engine_bench_" + rows + ".db";
  if (std::filesystem::exists(path)) return path;
  const std::string part = path + ".part";
  std::filesystem::remove(part);
  std::string sql = kSql;
  sql.replace(sql.find("ROWS"), 4, rows);
  sqlite3* db = nullptr;
  if (sqlite3_open(part.c_str(), &db) != SQLITE_OK ||
      sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    std::fprintf(stderr, "engine_bench: %s: %s\n", part.c_str(), sqlite3_errmsg(db));
    std::exit(2);
  }
  sqlite3_close(db);
  std::filesystem::rename(part, path);
  return path;
}

template <class Number>
void print_number(Number value, std::string& out) {
  char buffer[32];
  out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

void print_real(double value, std::string& out) {
  const std::size_t before = out.size();
  print_number(value, out);
  if (out.find_first_of(".e", before) == std::string::npos) out += ".0";
}

void print_text(const unsigned char* text, int size, std::string& out) {
  out += '"';
  for (int i = 0; i < size; ++i) {
    const unsigned char c = text[i];
    if (c < 0x20 || c == '"' || c == '\\') std::abort();  // the benchmark's rows have none
    out += static_cast<char>(c);
  }
  out += '"';
}

// Columns of one statement as one object: columns `from` to `to`, by their names.
struct Shape {
  int from, to;
};

void print_column(sqlite3_stmt* stmt, int column, std::string& out) {
  switch (sqlite3_column_type(stmt, column)) {
    case SQLITE_INTEGER:
      return print_number(sqlite3_column_int64(stmt, column), out);
    case SQLITE_FLOAT:
      return print_real(sqlite3_column_double(stmt, column), out);
    case SQLITE_TEXT: {
      const auto* text = sqlite3_column_text(stmt, column);
      return print_text(text, sqlite3_column_bytes(stmt, column), out);
    }
    default:
      out += "null";
  }
}

void print_object(sqlite3_stmt* stmt, const Shape& shape, std::string& out) {
  out += '{';
  for (int i = shape.from; i < shape.to; ++i) {
    out += i == shape.from ? "\"" : ",\"";
    out += sqlite3_column_name(stmt, i);
    out += "\":";
    print_column(stmt, i, out);
  }
}

struct Case {
  const char* name;
  const char* pipeline;  // for aggregate
  const char* sql;       // by hand
  Shape outer;
  Shape joined = {0, 0};  // the object of a join, when there is one
};

std::string print_bare(sqlite3_stmt* stmt, const Case& one) {
  std::string out = "[";
  while (sqlite3_step(stmt) == SQLITE_ROW) {
    if (out.size() > 1) out += ',';
    print_object(stmt, one.outer, out);
    if (one.joined.to > 0) {
      out += ",\"customers\":[";
      print_object(stmt, one.joined, out);
      out += "}]";
    }
    out += '}';
  }
  sqlite3_reset(stmt);
  return out += ']';
}

constexpr Case kCases[] = {
    {"indexed",
     R"([{"$match":{"status":"paid","amount":{"$gt":1000}}},{"$sort":{"amount":1}},{"$limit":20}])",
     "SELECT * FROM sale WHERE status='paid' AND amount>1000 ORDER BY amount LIMIT 20",
     {0, 8}},
    {"filter_scan",
     R"([{"$match":{"quantity":{"$gte":25},"customer_number":{"$lt":100010}}},{"$limit":10000}])",
     "SELECT * FROM sale WHERE quantity>=25 AND customer_number<100010 LIMIT 10000",
     {0, 8}},
    {"covered_count",
     R"([{"$match":{"status":"paid"}},{"$count":"n"}])",
     "SELECT count(*) AS n FROM sale WHERE status='paid'",
     {0, 1}},
    {"group_few",
     R"([{"$group":{"_id":"$region","n":{"$sum":1},"mean":{"$avg":"$amount"}}},
         {"$sort":{"_id":1}}])",
     "SELECT region AS _id, count(*) AS n, avg(amount) AS mean FROM sale GROUP BY region "
     "ORDER BY region",
     {0, 3}},
    {"group_many",
     R"([{"$group":{"_id":"$shop","n":{"$sum":1},"mean":{"$avg":"$amount"}}},
         {"$sort":{"n":-1,"_id":1}},{"$limit":20}])",
     "SELECT shop AS _id, count(*) AS n, avg(amount) AS mean FROM sale GROUP BY shop "
     "ORDER BY n DESC, shop LIMIT 20",
     {0, 3}},
    {"lookup",
     R"([{"$limit":10000},{"$lookup":{"from":"customer","localField":"customer_number",
          "foreignField":"number","as":"customers"}},{"$limit":10000}])",
     "SELECT * FROM (SELECT * FROM sale LIMIT 10000) LEFT JOIN customer ON number=customer_number",
     {0, 8},
     {8, 12}},
};

// Reads as the engine's connections are set up, so that neither has more of the file in memory.
class Bare {
 public:
  Bare(const std::string& path, const Case& one) : one_(one) {
    const sqlite::Tuning tuning;
    sqlite3_open_v2(path.c_str(), &db_, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr);
    const std::string pragmas = "PRAGMA temp_store=2; PRAGMA cache_size=-" +
                                std::to_string(tuning.cache_kib) +
                                "; PRAGMA mmap_size=" + std::to_string(tuning.mmap_bytes);
    sqlite3_exec(db_, pragmas.c_str(), nullptr, nullptr, nullptr);
    prepare();
  }
  ~Bare() {
    sqlite3_finalize(stmt_);
    sqlite3_close(db_);
  }
  Bare(const Bare&) = delete;
  Bare& operator=(const Bare&) = delete;
  void prepare() {
    sqlite3_finalize(stmt_);
    if (sqlite3_prepare_v2(db_, one_.sql, -1, &stmt_, nullptr) == SQLITE_OK) return;
    std::fprintf(stderr, "engine_bench: %s: %s\n", one_.name, sqlite3_errmsg(db_));
    std::exit(2);
  }
  std::string run() { return print_bare(stmt_, one_); }

 private:
  const Case& one_;
  sqlite3* db_ = nullptr;
  sqlite3_stmt* stmt_ = nullptr;
};

// The same, its statement prepared for each answer as for a question that was not known before.
class BareFresh {
 public:
  BareFresh(const std::string& path, const Case& one) : bare_(path, one) {}
  std::string run() {
    bare_.prepare();
    return bare_.run();
  }

 private:
  Bare bare_;
};

// What a request runs into: nothing is kept; answers are kept, but none of this one; this one is.
enum class Cache { off, missed, found };

template <Cache cache>
class Asked {
 public:
  Asked(const std::string& path, const Case& one)
      : request_(std::string(R"({"op":"aggregate","args":{"class_name":"sale","pipeline":)") +
                 one.pipeline + "}}") {
    auto service = Service::open(path);
    if (!service) std::exit(2);
    service_ = std::move(*service);
    if (cache == Cache::off) service_->configure({.answer_cache_bytes = 0});
    if (cache == Cache::found) run();  // kept once it is asked twice
  }
  std::string run() {
    Budget budget = Budget::for_ms(120'000);
    budget.cancelled = [] { return false; };
    if (cache == Cache::missed) ++max_bytes_;  // which makes it another request
    auto reply = service_->run(request_, {budget, max_bytes_, nullptr});
    return reply ? std::move(reply->rows) : reply.error().message;
  }

 private:
  std::string request_;
  std::size_t max_bytes_ = 16u << 20;
  std::unique_ptr<Service> service_;
};
using Engine = Asked<Cache::off>;

template <class Side>
void measure(benchmark::State& state, const std::string& path, const Case& one) {
  Side side(path, one);
  benchmark::DoNotOptimize(side.run());  // statements are prepared, pages in memory
  for (auto _ : state) benchmark::DoNotOptimize(side.run());
}

// Both must print the same bytes, or the comparison means nothing.
bool print_same(const std::string& path, const Case& one) {
  const std::string bare = Bare(path, one).run(), engine = Engine(path, one).run();
  if (bare == engine && bare.size() > 2) return true;
  std::fprintf(stderr, "engine_bench: %s: different answers:\n%.600s\n%.600s\n", one.name,
               bare.c_str(), engine.c_str());
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  std::string rows = "1000000";
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "--rows=", 7) == 0) rows = argv[i] + 7;
  }
  const std::string path = make_database(rows);
  benchmark::Initialize(&argc, argv);
  for (const Case& one : kCases) {
    if (!print_same(path, one)) return 1;
    const auto add = [&](const char* side, auto function) {
      benchmark::RegisterBenchmark((std::string(side) + one.name).c_str(), function, path, one)
          ->Unit(benchmark::kMicrosecond);
    };
    add("bare/", measure<Bare>);
    if (std::strcmp(one.name, "indexed") == 0) {
      add("bare_fresh/", measure<BareFresh>);
      add("missed/", measure<Asked<Cache::missed>>);
      add("kept/", measure<Asked<Cache::found>>);
    }
    add("engine/", measure<Engine>);
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
