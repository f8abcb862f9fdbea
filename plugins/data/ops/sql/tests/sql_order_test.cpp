// The order of rows under rules, and verdicts that are kept: neither tells of what is hidden.
#include <gtest/gtest.h>

#include "ops/sql/tests/sql_shop.hpp"
#include "statement/sql_verdicts.hpp"

namespace gantry::data {
namespace {

class SqlOrder : public SqlShop {
 protected:
  void SetUp() override {
    SqlShop::SetUp();
    run_sql(R"sql(
      INSERT INTO orders(id, tenant, customer, amount, secret) VALUES
        (5, 'acme', 'Zoe', 7, 'm'), (6, 'acme', 'Abe', 7, 'z'), (7, 'acme', 'Kim', 7, 'a'),
        (8, 'rival', 'Ann', 7, 'b');
      CREATE INDEX orders_hidden ON orders(tenant, secret DESC);
      CREATE INDEX orders_amount ON orders(amount, secret DESC))sql");
  }
};

TEST_F(SqlOrder, RowsOfOneClassComeByTheirKey) {
  EXPECT_EQ(rows("SELECT customer FROM orders"), R"([["Ada"],["Bob"],["Zoe"],["Abe"],["Kim"]])");
  EXPECT_EQ(rows("SELECT customer FROM orders AS o WHERE o.amount = 7 LIMIT 2"),
            R"([["Zoe"],["Abe"]])");
  EXPECT_EQ(rows("SELECT customer FROM orders WHERE amount = 7 LIMIT 2 OFFSET 1"),
            R"([["Abe"],["Kim"]])");
  EXPECT_EQ(rows("SELECT * FROM orders WHERE amount = 7 LIMIT 1").substr(0, 10), R"([[5,"Zoe",)");
}

// A name of the answer that is the key's own orders the rows; so do all columns after it.
TEST_F(SqlOrder, AnotherColumnMayTakeTheKeysName) {
  EXPECT_EQ(rows("SELECT customer AS id FROM orders WHERE amount = 7"),
            R"([["Abe"],["Kim"],["Zoe"]])");
}

TEST_F(SqlOrder, TheCallersOrderComesFirstAndTiesTellNothing) {
  EXPECT_EQ(rows("SELECT id, amount FROM orders ORDER BY amount"),
            "[[5,7],[6,7],[7,7],[1,10],[2,20]]");
  EXPECT_EQ(rows("SELECT customer FROM orders WHERE amount = 7 ORDER BY amount"),
            R"([["Zoe"],["Abe"],["Kim"]])");
  EXPECT_EQ(rows("SELECT a.customer FROM orders a JOIN orders b USING (id) WHERE a.amount = 7"),
            R"([["Abe"],["Kim"],["Zoe"]])");
}

TEST_F(SqlOrder, AggregatesAndSubQueriesReadRowsInTheOrderOfTheirKey) {
  EXPECT_EQ(rows("SELECT group_concat(customer) FROM orders WHERE amount = 7"),
            R"([["Zoe,Abe,Kim"]])");
  EXPECT_EQ(rows("SELECT customer, count(*) FROM orders WHERE amount = 7"), R"([["Zoe",3]])");
  EXPECT_EQ(rows("SELECT group_concat(customer) FROM orders WHERE amount = 7 ORDER BY 1"),
            R"([["Zoe,Abe,Kim"]])");
  EXPECT_EQ(rows("SELECT customer, count(*) FROM orders WHERE amount = 7 ORDER BY 2"),
            R"([["Zoe",3]])");
  EXPECT_EQ(rows("SELECT (SELECT customer FROM orders WHERE amount = 7)"), R"([["Zoe"]])");
  EXPECT_EQ(rows("SELECT (SELECT customer FROM orders WHERE amount < 10) FROM orders LIMIT 1"),
            R"([["Zoe"]])");
  EXPECT_EQ(rows("SELECT DISTINCT (SELECT customer FROM orders WHERE amount < 10) FROM orders"),
            R"([["Zoe"]])");
}

// For a sub-query that runs often SQLite makes an index of the columns that it reads, whose order
// tells of nothing else.
TEST_F(SqlOrder, SubQueriesThatRunOftenReadRowsByContent) {
  EXPECT_EQ(rows("SELECT (SELECT customer FROM orders WHERE amount = 7) FROM orders LIMIT 1"),
            R"([["Abe"]])");
  EXPECT_EQ(rows("SELECT DISTINCT (SELECT customer FROM orders WHERE amount = 7) FROM orders"),
            R"([["Abe"]])");
}

// The index over the hidden field has 6 before 5.
TEST_F(SqlOrder, NumbersThatAreEqualComeByTheKeyOrInTheClassesOrder) {
  const std::string value = "CASE o.id WHEN 5 THEN 1 WHEN 6 THEN 1.0 ELSE 2 END AS v";
  for (const char* from : {"orders o", "orders o JOIN teams t ON t.id = ifnull(o.team_id, 1)"}) {
    EXPECT_EQ(rows("SELECT " + value + " FROM " + from + " ORDER BY v LIMIT 2"), "[[1],[1.0]]")
        << from;
  }
  EXPECT_EQ(rows("SELECT customer AS id FROM orders o WHERE amount = 7 ORDER BY amount LIMIT 1"),
            R"([["Zoe"]])");
}

TEST_F(SqlOrder, ColumnsKeepTheirTypeAndCollationUnderRules) {
  make_ruled(R"sql(
      CREATE TABLE people(id INTEGER PRIMARY KEY, tenant TEXT, name TEXT COLLATE NOCASE, code TEXT,
                          tail TEXT COLLATE RTRIM);
      INSERT INTO people VALUES (1, 'acme', 'Ada', '5', 'x '), (2, 'acme', 'ada', '07', 'x'),
        (3, 'rival', 'ADA', '5', 'x'))sql",
             {R"({"class":"people","tenant_scope":{"field":"tenant"}})"});
  EXPECT_EQ(rows("SELECT id FROM people WHERE name = 'ADA'"), "[[1],[2]]");
  EXPECT_EQ(rows("SELECT id FROM people WHERE code = 5"), "[[1]]");
  EXPECT_EQ(rows("SELECT id FROM people WHERE tail = 'x'"), "[[1],[2]]");
  EXPECT_EQ(rows("SELECT count(*) FROM people GROUP BY name"), "[[2]]");
  EXPECT_EQ(rows("SELECT name FROM people ORDER BY name DESC, id"), R"([["Ada"],["ada"]])");
}

TEST_F(SqlOrder, SetOperationsOfGroupsAreSorted) {
  EXPECT_EQ(rows("SELECT customer FROM orders WHERE id = 1 UNION SELECT customer FROM orders "
                 "GROUP BY customer ORDER BY 1 LIMIT 2"),
            R"([["Abe"],["Ada"]])");
  EXPECT_EQ(rows("SELECT customer FROM orders EXCEPT SELECT customer FROM orders WHERE amount = 7 "
                 "GROUP BY customer"),
            R"([["Ada"],["Bob"]])");
}

TEST_F(SqlOrder, KeysThatAreNullTellNothing) {
  make_ruled(R"sql(
      CREATE TABLE codes(code TEXT PRIMARY KEY, name TEXT, tenant TEXT, secret TEXT);
      INSERT INTO codes VALUES ('b', 'x', 'acme', '1'), (NULL, 'y', 'acme', '9'),
        (NULL, 'v', 'acme', '2'), ('a', 'z', 'acme', '5'), ('c', 'x', 'rival', '3');
      CREATE INDEX codes_hidden ON codes(tenant, secret DESC))sql",
             {R"({"class":"codes","table":"codes","tenant_scope":{"field":"tenant"},
                  "agent_fields":["code","name"]})"});
  EXPECT_EQ(rows("SELECT code, name FROM codes"), R"([[null,"v"],[null,"y"],["a","z"],["b","x"]])");
}

// Neither a bound of the caller's own nor the answer's is lost where only one of them is written.
TEST_F(SqlOrder, BoundsHoldWhicheverIsLower) {
  EXPECT_EQ(rows("SELECT id FROM orders LIMIT 2", R"(,"limit":3)"), "[[1],[2]]");
  EXPECT_EQ(rows("SELECT id FROM orders LIMIT 3", R"(,"limit":2)"), "[[1],[2]]");
  EXPECT_EQ(rows("SELECT id FROM orders LIMIT 1 + 1", R"(,"limit":3)"), "[[1],[2]]");
  EXPECT_EQ(rows("SELECT id FROM orders LIMIT 1, 2", R"(,"limit":3)"), "[[2],[5]]");
  EXPECT_EQ(rows("SELECT id FROM orders LIMIT ? OFFSET ?", R"(,"params":[2,3])"), "[[6],[7]]");
  const std::string cut = sql("SELECT id FROM orders LIMIT 3", R"(,"limit":2)");
  EXPECT_NE(cut.find(R"("truncated":true)"), std::string::npos) << cut;
  EXPECT_EQ(sql("SELECT id FROM orders LIMIT 3", R"(,"limit":3)").find("truncated"),
            std::string::npos);
  EXPECT_EQ(rows("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 9) SELECT x "
                 "FROM c",
                 R"(,"limit":3)"),
            "[[1],[2],[3]]");
}

TEST_F(SqlOrder, AVerdictCountsForItsScopeAndCatalogAlone) {
  act_as(R"("tenant_id":"acme","classes":{"only":["orders"]})");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(rows("SELECT id FROM orders WHERE id = 1"), "[[1]]");
  EXPECT_TRUE(sql("SELECT name FROM teams").starts_with("ERROR access_denied"));
  act_as(R"("tenant_id":"acme")");
  EXPECT_EQ(rows("SELECT name FROM teams WHERE id = 1"), R"([["red"]])");
  act_as(R"("tenant_id":"acme","classes":{"only":["orders"]})");
  EXPECT_TRUE(sql("SELECT name FROM teams WHERE id = 1").starts_with("ERROR access_denied"));
  act_as(R"("tenant_id":"acme")");
  EXPECT_EQ(rows("SELECT * FROM teams WHERE id = 1"), R"([[1,"red"]])");
  run_sql("ALTER TABLE teams ADD COLUMN city TEXT DEFAULT 'Bern'");
  EXPECT_EQ(rows("SELECT * FROM teams WHERE id = 1"), R"([[1,"red","Bern"]])");
}

TEST_F(SqlOrder, VerdictsAreBounded) {
  const auto store = open_store(path_.string());
  ASSERT_TRUE(store);
  const Scope scope(*(*store)->catalog({}));
  SqlVerdicts verdicts;
  const auto known = std::make_shared<const KnownStatement>();
  const std::string longest(4096, 'x'), longer(4097, 'x');
  verdicts.keep(scope, longest, known);
  verdicts.keep(scope, longer, known);
  EXPECT_EQ(verdicts.find(scope, longest), known);
  EXPECT_EQ(verdicts.find(scope, longer), nullptr);
  EXPECT_EQ(verdicts.find(scope.for_op(ClassOp::get), longest), nullptr);
  for (int i = 0; i < 256; ++i) verdicts.keep(scope, "SELECT " + std::to_string(i), known);
  EXPECT_EQ(verdicts.find(scope, longest), nullptr);
  EXPECT_EQ(verdicts.find(scope, "SELECT 255"), known);
}

}  // namespace
}  // namespace gantry::data
