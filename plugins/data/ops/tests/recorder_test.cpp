// What the engine's statements read, as SQLite's authorizer tells it: of a class with rules the
// agent's fields, the key and the columns of the boundary, and never a row without the boundary.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ops/tests/ruled_database.hpp"
#include "ops/tests/statement_recorder.hpp"

namespace gantry::data {
namespace {

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
    StatementReader reader(path_.string());
    for (const std::string& sql : StatementRecorder::take()) {
      if (sql.find("SELECT") == sql.npos) continue;
      std::set<ColumnRead> read;
      EXPECT_TRUE(reader.read(sql, read)) << sql;
      ruled += check_columns(sql, read);
    }
    return ruled;
  }

  static int check_columns(const std::string& sql, const std::set<ColumnRead>& read) {
    const bool is_callers = sql.find("gantry:values") != sql.npos;
    const auto reads = [&read](const std::string& table, const std::string& column) {
      return std::any_of(read.begin(), read.end(), [&](const ColumnRead& one) {
        return one.table == table && one.column == column;
      });
    };
    int ruled = 0;
    for (const auto& [table, column, inside] : read) {
      EXPECT_NE(table, "payroll") << sql;
      EXPECT_TRUE(column != "secret" && column != "salary") << sql;
      if (table != "orders" && table != "customers") continue;
      ++ruled;
      EXPECT_TRUE(!is_callers || inside.starts_with("gantry:")) << inside << ": " << sql;
      EXPECT_TRUE(reads(table, "tenant")) << "no boundary: " << sql;
      EXPECT_TRUE(table != "orders" || reads(table, "acl")) << "no boundary: " << sql;
    }
    return ruled;
  }

  const StatementRecorder recorder_;
};

TEST_F(RecorderTest, StatementsThatDifferInTheValuesOfTheirTextAreOne) {
  std::set<std::string> texts, answers;
  for (const char* number : {"'A1'", "'A2'", "5"}) {
    (void)StatementRecorder::take();
    const std::string sql = std::string("SELECT total FROM orders WHERE number = ") + number;
    answers.insert(ask("sql", (R"({"sql":")" + sql + "\"}").c_str()));
    for (std::string& text : StatementRecorder::take()) {
      if (text.find("gantry:values") != text.npos) texts.insert(std::move(text));
    }
  }
  EXPECT_EQ(texts.size(), 1u);
  EXPECT_EQ(answers.size(), 2u);
}

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

// A caller's own text reads a table inside the sub-query of its class alone.
TEST_F(RecorderTest, NoStatementOfACallerReadsATableOutsideItsSubQuery) {
  const char* const statements[] = {
      "SELECT * FROM orders",
      "SELECT number FROM orders WHERE total > 1 ORDER BY number LIMIT 1",
      "SELECT count(*) FROM orders",
      "SELECT 1 FROM orders, customers",
      "SELECT o.number, c.name FROM orders o LEFT JOIN customers c ON c.id = o.customer_id",
      "SELECT number FROM orders WHERE customer_id IN (SELECT id FROM customers WHERE name > 'A')",
      "SELECT (SELECT name FROM customers WHERE id = customer_id) FROM orders GROUP BY number",
      "WITH a AS (SELECT * FROM orders), b AS (SELECT * FROM a) SELECT * FROM a UNION SELECT * "
      "FROM b",
      "SELECT number, row_number() OVER (ORDER BY total) FROM orders WHERE abs(total) > 0",
      "SELECT max(date(number)), json_group_array(total) FROM orders",
      "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r, orders LIMIT 3) SELECT n "
      "FROM r",
      "SELECT number FROM orders NATURAL JOIN customers"};
  int ruled = 0;
  for (const char* text : statements) {
    for (const char* op : {"sql", "explain"}) {
      SCOPED_TRACE(std::string(op) + " " + text);
      ruled += check(op, R"({"sql":")" + std::string(text) + "\"}");
    }
  }
  EXPECT_GT(ruled, 50) << "the statements are seen";
}

}  // namespace
}  // namespace gantry::data
