// What a write costs: `create_object` asked of the whole service by an agent that may write, beside
// one transaction of the bare sqlite3 API that inserts the same row into the same kind of file:
// BEGIN IMMEDIATE, an INSERT with bound values, COMMIT. The service answers with the new object and
// records the write for undo; `unrecorded` is without the journal of writes.
//
// `rollback` is a file as SQLite makes it, `wal` one with a write-ahead log. Neither side sets
// `synchronous`, so that each commit of both waits for the disk as SQLite's default says. Times are
// those of the clock: most of a write is waiting for the disk.
#include <benchmark/benchmark.h>
#include <sqlite3.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "ops/service.hpp"

namespace {

using namespace gantry::data;

constexpr const char* kTable = R"sql(
CREATE TABLE orders(id INTEGER PRIMARY KEY, customer TEXT, email TEXT, status TEXT, total REAL,
  quantity INTEGER, paid BOOLEAN, city TEXT, note TEXT, weight REAL);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n LIMIT 1000)
INSERT INTO orders SELECT i, 'Customer number ' || i, 'user' || i || '@example.org', 'open', i * 1.5,
  i % 50, i % 2, 'Zürich', 'She said hello on day ' || i, i / 2.0 FROM n;
)sql";

// With the types of the values, as they are stored.
constexpr const char* kLastRow =
    "SELECT id || quote(customer) || quote(email) || quote(status) || quote(total) || "
    "quote(quantity) || quote(paid) || quote(city) || quote(note) || quote(weight) "
    "FROM orders ORDER BY id DESC LIMIT 1";

constexpr const char* kProfile =
    R"({"agent":"sales","principal":"key:8f3a","depth":0,"permissions":"write",)"
    R"("fingerprint":"0123456789abcdef"})";

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "writes_bench: %s\n", why.c_str());
  std::exit(2);
}

// The new row of a call.
struct Order {
  explicit Order(int call)
      : customer("Customer number " + std::to_string(call)),
        email("user" + std::to_string(call) + "@example.org"),
        note("She said hello on day " + std::to_string(call)),
        quantity(call % 50) {}
  std::string customer, email, note;
  int quantity;
  double total = 20.25, weight = 0.5;
};

std::string request_of(const Order& order) {
  return R"({"op":"create","args":{"class_name":"orders","data":{"customer":")" + order.customer +
         R"(","email":")" + order.email + R"(","status":"open","total":20.25,"quantity":)" +
         std::to_string(order.quantity) + R"(,"paid":true,"city":"Zürich","note":")" + order.note +
         R"(","weight":0.5}}})";
}

class Database {
 public:
  explicit Database(const std::string& journal_mode) {
    char pattern[] = "/tmp/gantry_writes_XXXXXX";
    directory_ = ::mkdtemp(pattern);
    sqlite3* db = nullptr;
    const std::string sql = "PRAGMA journal_mode=" + journal_mode + ";" + kTable;
    if (sqlite3_open(path().c_str(), &db) != SQLITE_OK ||
        sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
      give_up(sqlite3_errmsg(db));
    }
    sqlite3_close(db);
  }
  ~Database() { std::filesystem::remove_all(directory_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  std::string path() const { return directory_ + "/rows.db"; }
  std::string state() const { return directory_ + "/writes"; }

 private:
  std::string directory_;
};

enum class Kept { recorded, unrecorded };

class Ours {
 public:
  Ours(const std::string& journal_mode, Kept kept) : database_(journal_mode) {
    StoreOptions options;
    options.rights.rows = true;
    auto service = Service::open(database_.path(), std::move(options));
    if (!service) give_up(service.message());
    service_ = std::move(*service);
    if (kept == Kept::unrecorded) return;
    service_->keep_journal(std::make_unique<Journal>(
        Journal::Options{database_.state(),
                         database_.path(),
                         std::string(Seal::kLeastSecret, 'k'),
                         {std::uint64_t{64} << 20U, std::chrono::hours(7 * 24)},
                         [](const std::string& text) { give_up(text); }}));
  }

  void create(int call) {
    Budget budget = Budget::for_ms(25'000);
    budget.cancelled = [] { return false; };
    const auto reply =
        service_->run(request_of(Order(call)), {budget,
                                                4u << 20,
                                                *service_->recent_rules().of(kProfile),
                                                WriteTier::write,
                                                WriteTier::readonly,
                                                {R"({"name":"sales"})", "create_object", "c-1"}});
    if (!reply) give_up(reply.error().message);
  }
  std::string path() const { return database_.path(); }

 private:
  Database database_;
  std::unique_ptr<Service> service_;
};

class Bare {
 public:
  explicit Bare(const std::string& journal_mode) : database_(journal_mode) {
    sqlite3_open_v2(path().c_str(), &db_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
    begin_ = prepared("BEGIN IMMEDIATE");
    insert_ = prepared(
        "INSERT INTO orders(customer,email,status,total,quantity,paid,city,note,weight) "
        "VALUES(?,?,?,?,?,?,?,?,?)");
    commit_ = prepared("COMMIT");
  }
  Bare(const Bare&) = delete;
  Bare& operator=(const Bare&) = delete;
  ~Bare() {
    for (sqlite3_stmt* statement : {begin_, insert_, commit_}) sqlite3_finalize(statement);
    sqlite3_close(db_);
  }

  void create(int call) {
    const Order order(call);
    step(begin_);
    bind_text(1, order.customer);
    bind_text(2, order.email);
    bind_text(3, "open");
    sqlite3_bind_double(insert_, 4, order.total);
    sqlite3_bind_int(insert_, 5, order.quantity);
    sqlite3_bind_int(insert_, 6, 1);
    bind_text(7, "Zürich");
    bind_text(8, order.note);
    sqlite3_bind_double(insert_, 9, order.weight);
    step(insert_);
    step(commit_);
  }
  std::string path() const { return database_.path(); }

 private:
  sqlite3_stmt* prepared(const char* sql) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v3(db_, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr) !=
        SQLITE_OK) {
      give_up(sqlite3_errmsg(db_));
    }
    return statement;
  }
  // The text must live until the step.
  void bind_text(int at, std::string_view text) {
    sqlite3_bind_text(insert_, at, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
  }
  void step(sqlite3_stmt* statement) {
    if (sqlite3_step(statement) != SQLITE_DONE) give_up(sqlite3_errmsg(db_));
    sqlite3_reset(statement);
  }

  Database database_;
  sqlite3* db_ = nullptr;
  sqlite3_stmt *begin_ = nullptr, *insert_ = nullptr, *commit_ = nullptr;
};

std::string last_row(const std::string& path) {
  sqlite3* db = nullptr;
  std::string text;
  const auto take = [](void* out, int, char** values, char**) {
    *static_cast<std::string*>(out) = values[0];
    return 0;
  };
  sqlite3_open_v2(path.c_str(), &db, SQLITE_OPEN_READONLY, nullptr);
  sqlite3_exec(db, kLastRow, take, &text, nullptr);
  sqlite3_close(db);
  return text;
}

template <class Writer>
void measure(const std::string& name, Writer& writer) {
  const auto run = [&writer](benchmark::State& state) {
    int call = 0;
    for (auto round : state) {
      (void)round;
      writer.create(call++);
    }
  };
  benchmark::RegisterBenchmark(name.c_str(), run)->UseRealTime();
}

// One kind of file.
struct Writers {
  explicit Writers(const std::string& journal_mode)
      : recorded(journal_mode, Kept::recorded),
        unrecorded(journal_mode, Kept::unrecorded),
        bare(journal_mode) {}

  // All must store the same row, or the comparison means nothing.
  bool store_same() {
    recorded.create(7);
    unrecorded.create(7);
    bare.create(7);
    const std::string row = last_row(bare.path());
    if (row.starts_with("1001") && last_row(recorded.path()) == row &&
        last_row(unrecorded.path()) == row) {
      return true;
    }
    std::fprintf(stderr, "writes_bench: different rows:\n%s\n%s\n", row.c_str(),
                 last_row(recorded.path()).c_str());
    return false;
  }
  void measure_as(const std::string& kind) {
    measure("create/" + kind, recorded);
    measure("unrecorded/" + kind, unrecorded);
    measure("bare/" + kind, bare);
  }

  Ours recorded, unrecorded;
  Bare bare;
};

}  // namespace

int main(int argc, char** argv) {
  Writers rollback("delete"), wal("wal");
  if (!rollback.store_same() || !wal.store_same()) return 1;
  benchmark::Initialize(&argc, argv);
  rollback.measure_as("rollback");
  wal.measure_as("wal");
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
