// What rules about whole classes leave of answers: permissions, and views over ruled tables.
#include <gmock/gmock.h>

#include "ops/tests/ruled_database.hpp"

namespace gantry::data {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class ViewsTest : public RuledDatabase {};

TEST_F(ViewsTest, Row55ViewsAndFullTextTablesOverRuledTablesAreAbsentUnlessTheyHaveRules) {
  make_ruled(R"(
    CREATE TABLE orders(id INTEGER PRIMARY KEY, note TEXT, tenant TEXT);
    CREATE TABLE towns(id INTEGER PRIMARY KEY, name TEXT);
    CREATE VIEW all_orders AS SELECT id, note FROM orders;
    CREATE VIEW of_view AS SELECT note FROM all_orders;
    CREATE VIEW towns_view AS SELECT name FROM towns;
    CREATE VIEW ruled AS SELECT * FROM orders;
    CREATE VIRTUAL TABLE orders_fts USING fts5(note, content='orders', content_rowid='id');
    INSERT INTO orders VALUES (1,'mine','acme'),(2,'theirs','umbra');
  )",
             {R"({"class":"orders","table":"orders","tenant_scope":{"field":"tenant"}})",
              R"({"class":"ruled","table":"ruled","tenant_scope":{"field":"tenant"}})"});
  act_as(R"("tenant_id":"acme")");
  const auto names = ask("schemas", "{}");
  for (const char* absent : {"all_orders", "of_view", "orders_fts"}) {
    EXPECT_THAT(names, Not(HasSubstr(absent)));
    EXPECT_THAT(ask("query", R"({"class_name":")" + std::string(absent) + R"("})"),
                StartsWith("ERROR access_denied"));
  }
  EXPECT_THAT(names, HasSubstr("towns_view"));
  EXPECT_THAT(ask("query", R"({"class_name":"ruled"})"), Not(HasSubstr("theirs")));
  EXPECT_THAT(ask("query", R"({"class_name":"ruled"})"), HasSubstr("mine"));
}

class PermissionsTest : public RuledDatabase {
 protected:
  void SetUp() override {
    make_ruled(R"(
      CREATE TABLE tasks(id INTEGER PRIMARY KEY, owner TEXT, team TEXT, done INTEGER, title TEXT);
      INSERT INTO tasks VALUES (1,'u1','["u2","u3"]',0,'a'),(2,'u2','[]',1,'b'),(3,'u1',NULL,1,'c');
    )",
               {R"({"class":"tasks","table":"tasks","canonical_filter":{"done":0},
                   "class_permissions":{"find":["field:owner"],"get":["role:boss","field:owner"]}})"});
  }
};

TEST_F(PermissionsTest, AnOwnersRowsAreFoundAndAnUndeclaredOperationIsRefused) {
  act_as(R"("user":"u1")");
  EXPECT_THAT(
      ask("query", R"({"class_name":"tasks","apply_canonical_filter":false})"),
      testing::AllOf(HasSubstr(R"("id":1)"), HasSubstr(R"("id":3)"), Not(HasSubstr("u2\"}"))));
  EXPECT_THAT(ask("count", R"({"class_name":"tasks"})"), StartsWith("ERROR access_denied"));
  EXPECT_THAT(ask("get", R"({"class_name":"tasks","object_id":"2"})"),
              StartsWith("ERROR not_found"));
  act_as(R"("user":"u9","roles":["boss"])");
  EXPECT_THAT(ask("get", R"({"class_name":"tasks","object_id":"2"})"), HasSubstr("\"b\""));
  act_as("");
  EXPECT_EQ(ask("count", R"({"class_name":"tasks"})"), R"({"count":1})") << "master; live rows";
}

class JoinedWithAFilter : public RuledDatabase {
 protected:
  void SetUp() override {
    make_ruled(
        R"(
      CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE posts(id INTEGER PRIMARY KEY, by INTEGER, state TEXT);
      CREATE INDEX posts_by ON posts(by);
      INSERT INTO people VALUES (1,'Ann'),(2,'Bob'),(3,'Cid');
      INSERT INTO posts VALUES (10,1,'live'),(11,1,'draft'),(12,2,'draft'),(13,3,'live');
    )",
        {R"({"class":"posts","table":"posts","canonical_filter":{"state":{"$ne":"draft"}}})"});
  }
};

TEST_F(JoinedWithAFilter, EachLookupHasTheValuesOfTheFilter) {
  act_as("");
  for (const bool pushes : {true, false}) {
    configure({pushes}, JsonDialect::plain);
    EXPECT_THAT(ask("aggregate", R"({"class_name":"people","pipeline":[{"$lookup":{"from":"posts",
                  "localField":"id","foreignField":"by","as":"posts"}},{"$sort":{"id":1}},
                  {"$project":{"name":1,"posts.id":1}}]})"),
                HasSubstr(R"("name":"Ann","posts":[{"id":10}]})"));
  }
}

TEST_F(PermissionsTest, TheCanonicalFilterIsADefaultWithAnOptOutAndNotForReadsById) {
  act_as("");
  const auto rows = [&](const std::string& more) {
    return ask("query", R"({"class_name":"tasks","keys":["title"])" + more + "}");
  };
  EXPECT_THAT(rows(""), Not(HasSubstr("\"b\"")));
  EXPECT_THAT(rows(R"(,"apply_canonical_filter":false)"), HasSubstr("\"b\""));
  EXPECT_THAT(ask("get", R"({"class_name":"tasks","object_id":"2"})"), HasSubstr("\"b\""));
  EXPECT_THAT(ask("aggregate", R"({"class_name":"tasks","pipeline":[{"$count":"n"}]})"),
              HasSubstr(R"("n":1)"));
}

TEST_F(PermissionsTest, AccessTellsOperationsAndFieldsOrTheRefusalOfATool) {
  act_as(R"("user":"u1")");
  EXPECT_EQ(
      ask("access", R"({"class_name":"tasks"})"),
      R"({"class_name":"tasks","operations":["find","get"],"writes":[],"fields":["id","owner","team","done","title"]})");
  const auto of_tool = [this](const std::string& tool) {
    return ask("access", R"({"class_name":"tasks","tool":")" + tool + "\"}");
  };
  EXPECT_THAT(of_tool("query_class"), HasSubstr("operations"));
  EXPECT_THAT(of_tool("get_object"), HasSubstr("operations"));
  EXPECT_EQ(of_tool("count_objects"), ask("count", R"({"class_name":"tasks"})"));
  act_as(R"("roles":["boss"])");
  EXPECT_EQ(of_tool("query_class"), ask("query", R"({"class_name":"tasks"})"));
  EXPECT_THAT(of_tool("get_objects"), HasSubstr(R"("operations":["get"])"));
  act_as(R"("roles":["none"])");
  EXPECT_THAT(ask("access", R"({"class_name":"tasks"})"),
              StartsWith("ERROR access_denied: The permissions"));
  EXPECT_THAT(of_tool("get_schema"), HasSubstr(R"("operations":[])")) << "it reads no rows";
}

}  // namespace
}  // namespace gantry::data
