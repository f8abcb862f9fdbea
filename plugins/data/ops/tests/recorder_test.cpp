// What the engine's statements read, as SQLite's authorizer tells it: of a class with rules the
// agent's fields, the key and the columns of the boundary, and never a row without the boundary.
#include <gmock/gmock.h>
#include <sqlite3.h>

#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ops/tests/ruled_database.hpp"

namespace gantry::data {
namespace {

using Columns = std::set<std::pair<std::string, std::string>>;  // table, column

// The statements of all connections that are opened while it lives.
class StatementRecorder {
 public:
  StatementRecorder() { sqlite3_auto_extension(reinterpret_cast<void (*)()>(attach)); }
  ~StatementRecorder() { sqlite3_cancel_auto_extension(reinterpret_cast<void (*)()>(attach)); }

  static std::vector<std::string> take() {
    const std::lock_guard held(mutex());
    return std::exchange(statements(), {});
  }

 private:
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }
  static std::vector<std::string>& statements() {
    static std::vector<std::string> all;
    return all;
  }
  static int note(unsigned /*type*/, void* /*context*/, void* statement, void* /*text*/) {
    const char* const sql = sqlite3_sql(static_cast<sqlite3_stmt*>(statement));
    const std::lock_guard held(mutex());
    if (sql != nullptr) statements().emplace_back(sql);
    return 0;
  }
  static int attach(sqlite3* db, const char** /*error*/, const void* /*api*/) {
    return sqlite3_trace_v2(db, SQLITE_TRACE_STMT, note, nullptr);
  }
};

// Prepares statements as the engine's connections do, and says what they read.
class Reader {
 public:
  explicit Reader(const std::string& path) {
    EXPECT_EQ(sqlite3_open(path.c_str(), &db_), SQLITE_OK);
    const auto none = [](sqlite3_context* context, int, sqlite3_value**) {
      sqlite3_result_null(context);
    };
    for (const char* name : {"gantry_match", "gantry_match_row", "gantry_key"}) {
      sqlite3_create_function(db_, name, -1, SQLITE_UTF8, nullptr, none, nullptr, nullptr);
    }
    sqlite3_create_collation(db_, "gantry_utf8", SQLITE_UTF8, nullptr,
                             [](void*, int, const void*, int, const void*) { return 0; });
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  ~Reader() { sqlite3_close(db_); }

  Columns columns_of(const std::string& sql) {
    Columns read;
    sqlite3_set_authorizer(db_, note, &read);
    sqlite3_stmt* statement = nullptr;
    EXPECT_EQ(sqlite3_prepare_v2(db_, sql.c_str(), -1, &statement, nullptr), SQLITE_OK) << sql;
    sqlite3_finalize(statement);
    return read;
  }

 private:
  static int note(void* read, int action, const char* table, const char* column, const char*,
                  const char*) {
    const bool names_one = table != nullptr && column != nullptr && *column != '\0';
    if (action == SQLITE_READ && names_one) static_cast<Columns*>(read)->emplace(table, column);
    return SQLITE_OK;
  }

  sqlite3* db_ = nullptr;
};

constexpr const char* kRecorded = R"(
  CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT, tenant TEXT, salary INTEGER);
  CREATE TABLE orders(id INTEGER PRIMARY KEY, number TEXT, total REAL, secret TEXT,
    customer_id INTEGER REFERENCES customers(id), tenant TEXT, acl TEXT);
  CREATE TABLE payroll(id INTEGER PRIMARY KEY, amount INTEGER);
  INSERT INTO customers VALUES (1,'Ann','acme',10),(2,'Bob','umbra',20);
  INSERT INTO orders VALUES (1,'A1',10,'s1',1,'acme','["u1"]'),(2,'B1',40,'s4',2,'umbra','["*"]');
  INSERT INTO payroll VALUES (1,100);
)";

class RecorderTest : public RuledDatabase {
 protected:
  void SetUp() override {
    make_ruled(kRecorded, {R"({"class":"orders","agent_fields":["number","total","customer_id"],
                    "tenant_scope":{"field":"tenant"},"acl":{"read":"acl","write":"acl"}})",
                           R"({"class":"customers","tenant_scope":{"field":"tenant"},
                    "protected_fields":{"*":["salary"]}})",
                           R"({"class":"payroll","hidden":true})"});
    act_as(R"("user":"u1","roles":["seller"],"tenant_id":"acme")");
  }

  // Checks the statements of one request; returns how many read a class with rules.
  int check(const std::string& op, const std::string& args) {
    (void)StatementRecorder::take();
    const std::string answer = ask(op.c_str(), args.c_str());
    EXPECT_EQ(answer.find("ERROR"), answer.npos) << answer;
    int ruled = 0;
    Reader reader(path_.string());
    for (const std::string& sql : StatementRecorder::take()) {
      if (sql.find("SELECT") == sql.npos) continue;
      const Columns read = reader.columns_of(sql);
      for (const auto& [table, column] : read) {
        EXPECT_NE(table, "payroll") << sql;
        EXPECT_TRUE(column != "secret" && column != "salary") << sql;
        if (table != "orders" && table != "customers") continue;
        ++ruled;
        EXPECT_TRUE(read.contains({table, "tenant"})) << "no boundary: " << sql;
        EXPECT_TRUE(table != "orders" || read.contains({table, "acl"})) << "no boundary: " << sql;
      }
    }
    return ruled;
  }

  const StatementRecorder recorder_;
};

TEST_F(RecorderTest, NoStatementReadsADeniedColumnOrARowWithoutItsBoundary) {
  const auto orders = [](const std::string& more) {
    return R"({"class_name":"orders")" + more + "}";
  };
  const std::vector<std::pair<std::string, std::string>> requests = {
      {"query", orders("")},
      {"query", orders(R"(,"where":{"number":{"$regex":"A"}},"order":"-total","limit":1)")},
      {"query", orders(R"(,"include":["customer_id"])")},
      {"query", orders(R"(,"where":{"customer_id":{"$inQuery":{"className":"customers"}}})")},
      {"query", orders(R"(,"where":{"customer_id.name":"Ann"})")},
      {"query", orders(R"(,"where":{"$expr":{"$gt":["$total",1]}})")},
      {"get", orders(R"(,"object_id":"1")")},
      {"get_many", orders(R"(,"ids":["1","2"])")},
      {"count", orders(R"(,"where":{"total":{"$gt":1}})")},
      {"samples", orders("")},
      {"schema", orders("")},
      {"group_by", orders(R"(,"field":"number")")},
      {"distinct", orders(R"(,"field":"number")")},
      {"export", orders(R"(,"format":"csv")")},
      {"aggregate", orders(R"(,"pipeline":[{"$project":{"x":"$$ROOT"}}])")},
      {"aggregate", orders(R"(,"pipeline":[{"$sort":{"number":1}},{"$limit":1}])")},
      {"aggregate", orders(R"(,"pipeline":[{"$count":"n"}])")},
      {"aggregate", orders(R"(,"pipeline":[{"$lookup":{"from":"customers",
          "localField":"customer_id","foreignField":"id","as":"c"}}])")},
      {"aggregate", orders(R"(,"pipeline":[{"$unionWith":"customers"}])")},
      {"aggregate",
       orders(R"(,"pipeline":[{"$graphLookup":{"from":"orders","startWith":"$customer_id",
          "connectFromField":"customer_id","connectToField":"customer_id","as":"o"}}])")}};
  int ruled = 0;
  for (const auto& [op, args] : requests) {
    SCOPED_TRACE(op + " " + args);
    ruled += check(op, args);
  }
  EXPECT_GT(ruled, 50) << "the statements are seen";
  (void)check("schemas", "{}");
}

}  // namespace
}  // namespace gantry::data
