// The data engine's path from stored rows to JSON, and the whole service with its request and its
// answer, beside the least that the bare sqlite3 API needs for the same bytes: 1,000 rows of 10
// columns.
#include <benchmark/benchmark.h>
#include <sqlite3.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "bare_rows.hpp"
#include "ops/service.hpp"
#include "rows/row_printer.hpp"
#include "sql/select.hpp"
#include "store/sqlite/store.hpp"

namespace {

using namespace gantry::data;
using gantry::perf::print_column;

constexpr const char* kSql = R"sql(
CREATE TABLE orders(id INTEGER PRIMARY KEY, customer TEXT, email TEXT, status TEXT, total REAL,
  quantity INTEGER, paid BOOLEAN, city TEXT, note TEXT, weight REAL);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n LIMIT 1000)
INSERT INTO orders SELECT i, 'Customer number ' || i, 'user' || i || '@example.org',
  CASE i % 3 WHEN 0 THEN 'paid' WHEN 1 THEN 'open' ELSE 'shipped' END, i * 1.37, i % 50, i % 2,
  'Zürich', 'She said "hello" on day ' || i, i / 7.0 FROM n;
)sql";

constexpr const char* kQuery = R"({"op":"query","args":{"class_name":"orders","limit":1000}})";

constexpr const char* kSelect =
    R"({"op":"sql","args":{"sql":"SELECT * FROM orders","limit":1000}})";

struct Database {
  Database() {
    char pattern[] = "/tmp/gantry_rows_XXXXXX";
    directory = ::mkdtemp(pattern);
    path = directory + "/rows.db";
    sqlite3* db = nullptr;
    if (sqlite3_open(path.c_str(), &db) != SQLITE_OK ||
        sqlite3_exec(db, kSql, nullptr, nullptr, nullptr) != SQLITE_OK) {
      std::abort();
    }
    sqlite3_close(db);
  }
  ~Database() { std::filesystem::remove_all(directory); }
  std::string directory, path;
};

void print_row(sqlite3_stmt* stmt, std::string& out) {
  for (int i = 0; i < sqlite3_column_count(stmt); ++i) {
    out += i == 0 ? "{\"" : ",\"";
    out += sqlite3_column_name(stmt, i);
    out += "\":";
    if (i == 6) {
      out += sqlite3_column_int(stmt, i) ? "true" : "false";
    } else {
      print_column(stmt, i, out);
    }
  }
  out += '}';
}

std::string print_bare(sqlite3_stmt* stmt) {
  std::string out;
  while (sqlite3_step(stmt) == SQLITE_ROW) {
    if (!out.empty()) out += ',';
    print_row(stmt, out);
  }
  sqlite3_reset(stmt);
  return out;
}

std::string print_engine(Store& store) {
  const Scope scope(*store.catalog({}));
  const ClassView* const cls = scope.open("orders");
  std::vector<const FieldView*> fields;
  for (const FieldView& field : cls->fields) fields.push_back(&field);
  const RowPrinter printer(ValueReader::compile(*cls, {}, fields, JsonDialect::plain),
                           JsonDialect::plain);
  auto lease = store.lease(Budget::for_ms(25'000));
  auto rows = (*lease)->prepare(select_rows(*cls, printer.reader().select_list(), {}));
  std::string out;
  while ((*rows)->next()) {
    if (!out.empty()) out += ',';
    printer.append((*rows)->row(), out);
  }
  return out;
}

void BM_BareSqlite(benchmark::State& state) {
  Database database;
  sqlite3* db = nullptr;
  sqlite3_open_v2(database.path.c_str(), &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr);
  sqlite3_stmt* stmt = nullptr;
  sqlite3_prepare_v2(db, "SELECT * FROM orders", -1, &stmt, nullptr);
  for (auto _ : state) benchmark::DoNotOptimize(print_bare(stmt));
  sqlite3_finalize(stmt);
  sqlite3_close(db);
}
BENCHMARK(BM_BareSqlite);

void BM_Engine(benchmark::State& state) {
  Database database;
  auto store = sqlite::Store::open(database.path);
  for (auto _ : state) benchmark::DoNotOptimize(print_engine(**store));
}
BENCHMARK(BM_Engine);

// All of it: a request as a tool sends it, under a deadline, and the answer in two parts.
void ask_service(benchmark::State& state, const char* request) {
  Database database;
  auto service = Service::open(database.path);
  (*service)->configure({.answer_cache_bytes = 0});
  for (auto _ : state) {
    Budget budget = Budget::for_ms(25'000);
    budget.cancelled = [] { return false; };
    benchmark::DoNotOptimize((*service)->run(request, {budget, 4u << 20, nullptr}));
  }
}

void BM_Service(benchmark::State& state) { ask_service(state, kQuery); }
BENCHMARK(BM_Service);

// The same rows as arrays, by SQL.
void BM_Sql(benchmark::State& state) { ask_service(state, kSelect); }
BENCHMARK(BM_Sql);

// The check of the catalog that each request pays.
void BM_CatalogCheck(benchmark::State& state) {
  Database database;
  auto store = sqlite::Store::open(database.path);
  for (auto _ : state) benchmark::DoNotOptimize((*store)->catalog());
}
BENCHMARK(BM_CatalogCheck);

// Taking a connection and giving it back.
void BM_Lease(benchmark::State& state) {
  Database database;
  auto store = sqlite::Store::open(database.path);
  for (auto _ : state) benchmark::DoNotOptimize((*store)->lease({}));
}
BENCHMARK(BM_Lease);

// Opening, reading the schema of `range` tables and finding one class: what a start costs.
void BM_Open(benchmark::State& state) {
  Database database;
  sqlite3* db = nullptr;
  sqlite3_open(database.path.c_str(), &db);
  std::string sql = "BEGIN;";
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    const std::string n = std::to_string(i);
    sql += "CREATE TABLE t" + n +
           "(id INTEGER PRIMARY KEY, a TEXT, b REAL, c INTEGER REFERENCES "
           "orders, d DATE, e TEXT); CREATE INDEX i" +
           n + " ON t" + n + "(a);";
  }
  sqlite3_exec(db, (sql + "COMMIT").c_str(), nullptr, nullptr, nullptr);
  sqlite3_close(db);
  for (auto _ : state) {
    auto store = sqlite::Store::open(database.path);
    benchmark::DoNotOptimize((*(*store)->catalog())->find("orders"));
  }
}
BENCHMARK(BM_Open)->Arg(10)->Arg(300)->Arg(3000)->Unit(benchmark::kMillisecond);

}  // namespace

// Both must print the same bytes, or the comparison means nothing.
int main(int argc, char** argv) {
  Database database;
  sqlite3* db = nullptr;
  sqlite3_open(database.path.c_str(), &db);
  sqlite3_stmt* stmt = nullptr;
  sqlite3_prepare_v2(db, "SELECT * FROM orders", -1, &stmt, nullptr);
  const std::string bare = print_bare(stmt);
  sqlite3_finalize(stmt);
  sqlite3_close(db);
  auto store = sqlite::Store::open(database.path);
  auto service = Service::open(database.path);
  auto reply = (*service)->run(kQuery, {Budget::for_ms(25'000), 4u << 20, nullptr});
  if (bare != print_engine(**store) || !reply || reply->rows != "[" + bare + "]") {
    std::fputs("rows_bench: the ways print different rows\n", stderr);
    return 1;
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
