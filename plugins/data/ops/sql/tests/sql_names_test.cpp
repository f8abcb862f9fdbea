// A statement may name objectId, createdAt and updatedAt, as get_schema lists them, also where they
// are stored under other names.
#include <gtest/gtest.h>

#include "ops/sql/tests/sql_shop.hpp"

namespace gantry::data {
namespace {

constexpr const char* kNamed = R"sql(
  CREATE TABLE members(id INTEGER PRIMARY KEY, name TEXT, created_at DATETIME NOT NULL,
                       updated_at DATETIME NOT NULL, tenant TEXT);
  CREATE TABLE visits(member_id INTEGER NOT NULL REFERENCES members(id), day TEXT NOT NULL,
                      created_at DATETIME NOT NULL, tenant TEXT, PRIMARY KEY(member_id, day));
  CREATE TABLE codes(code TEXT PRIMARY KEY, createdat TEXT);
  CREATE TABLE tokens(vault_id INTEGER REFERENCES vaults(id), n INTEGER,
                      PRIMARY KEY(vault_id, n));
  CREATE TABLE vaults(id INTEGER PRIMARY KEY, code TEXT);
  CREATE TABLE pings(id INTEGER PRIMARY KEY, created_at DATETIME NOT NULL);
  INSERT INTO pings VALUES (1, 1700000000);
  CREATE TABLE hours(id INTEGER PRIMARY KEY, n INTEGER);
  INSERT INTO hours VALUES (1, 8);
  INSERT INTO members VALUES
    (1, 'Ada', '2024-01-02T00:00:00Z', '2024-02-01T00:00:00Z', 'acme'),
    (2, 'Bob', '2024-01-01T00:00:00Z', '2024-03-01T00:00:00Z', 'acme'),
    (3, 'Eve', '2023-01-01T00:00:00Z', '2024-02-01T00:00:00Z', 'rival');
  INSERT INTO visits VALUES (1, 'mon', '2024-01-02', 'acme'), (1, 'a,b', '2024-01-03', 'acme'),
                            (2, 'mon', '2024-01-04', 'acme'), (3, 'mon', '2024-01-05', 'rival');
  INSERT INTO codes VALUES ('x', '2024-01-01');
  INSERT INTO vaults VALUES (77, 'ruby');
  INSERT INTO tokens VALUES (77, 1);
)sql";

class SqlNames : public SqlShop {
 protected:
  void SetUp() override {
    make_ruled(kNamed, {R"({"class":"members","tenant_scope":{"field":"tenant"}})",
                        R"({"class":"visits","tenant_scope":{"field":"tenant"}})",
                        R"({"class":"hours","agent_fields":["n"]})",
                        R"({"class":"vaults","hidden":true})"});
    act_as(R"("tenant_id":"acme")");
  }
};

TEST_F(SqlNames, AreThoseOfTheStoredFields) {
  EXPECT_EQ(rows("SELECT objectId, createdAt FROM members ORDER BY objectId"),
            R"([[1,"2024-01-02T00:00:00Z"],[2,"2024-01-01T00:00:00Z"]])");
  EXPECT_EQ(rows("SELECT name FROM members WHERE objectId = '2'"), R"([["Bob"]])");
  EXPECT_EQ(rows("SELECT name FROM members WHERE OBJECTID = ?", R"(,"params":["2"])"),
            R"([["Bob"]])");
  EXPECT_EQ(rows("SELECT m.name FROM members m WHERE m.\"updatedAt\" > '2024-02-15'"),
            R"([["Bob"]])");
  EXPECT_EQ(rows("SELECT name FROM members ORDER BY createdAt LIMIT 1"), R"([["Bob"]])");
  EXPECT_EQ(rows("SELECT max(createdAt) FROM members"), R"([["2024-01-02T00:00:00Z"]])");
}

TEST_F(SqlNames, JoinClasses) {
  EXPECT_EQ(rows("SELECT m.name, count(*) FROM visits v JOIN members m ON v.member_id = m.objectId "
                 "GROUP BY m.objectId ORDER BY 1"),
            R"([["Ada",2],["Bob",1]])");
  // Of the inner class, as any column of that name.
  EXPECT_EQ(rows("SELECT c.code, (SELECT name FROM members WHERE objectId = 2) FROM codes c"),
            R"([["x","Bob"]])");
}

TEST_F(SqlNames, AKeyOfSeveralColumnsIsItsText) {
  EXPECT_EQ(rows("SELECT objectId, createdAt FROM visits ORDER BY objectId"),
            R"([["1,a%2Cb","2024-01-03"],["1,mon","2024-01-02"],["2,mon","2024-01-04"]])");
  EXPECT_EQ(rows("SELECT day FROM visits WHERE objectId = '1,a%2Cb'"), R"([["a,b"]])");
  EXPECT_EQ(rows("SELECT day FROM visits WHERE objectId = '3,mon'"), "[]");
}

TEST_F(SqlNames, AllColumnsHaveThemOnlyWhereTheStatementNamesThem) {
  EXPECT_EQ(rows("SELECT * FROM members WHERE id = 1"),
            R"([[1,"Ada","2024-01-02T00:00:00Z","2024-02-01T00:00:00Z","acme"]])");
  EXPECT_EQ(
      rows("SELECT *, id AS objectId FROM codes, members WHERE id = 1"),
      R"([["x","2024-01-01",1,"Ada","2024-01-02T00:00:00Z","2024-02-01T00:00:00Z","acme",1]])");
  EXPECT_EQ(rows("SELECT * FROM members WHERE objectId = 1"),
            R"([[1,"Ada","2024-01-02T00:00:00Z","2024-02-01T00:00:00Z","acme",1]])");
  // A stored field keeps its name.
  EXPECT_EQ(rows("SELECT * FROM codes WHERE createdAt < '2025'"), R"([["x","2024-01-01"]])");
}

TEST_F(SqlNames, HaveTheFormAndTheWarningsOfTheirFields) {
  EXPECT_EQ(rows("SELECT createdAt FROM pings"), R"([["2023-11-14T22:13:20Z"]])");
  EXPECT_NE(warnings("SELECT id FROM pings WHERE createdAt > 1700000000")
                .find("'createdAt' is a text in SQL"),
            std::string::npos);
}

TEST_F(SqlNames, TellNoMoreThanTheirFields) {
  EXPECT_EQ(rows("SELECT count(*) FROM members WHERE objectId = 3"), "[[0]]");
  EXPECT_TRUE(rows("SELECT objectId FROM tokens").starts_with("ERROR"));
  EXPECT_TRUE(rows("SELECT id FROM hours").starts_with("ERROR"));
  EXPECT_EQ(rows("SELECT objectId, n FROM hours"), "[[1,8]]");
}

}  // namespace
}  // namespace gantry::data
