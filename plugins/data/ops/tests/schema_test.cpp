// What get_schema says of a class, member by member.
#include <gtest/gtest.h>

#include "ops/error_details.hpp"
#include "policy/rules.hpp"
#include "small_database.hpp"

namespace gantry::data {
namespace {

class Schema : public SmallDatabase {
 protected:
  void SetUp() override {
    make(R"sql(
      CREATE TABLE city(code TEXT PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE person(id INTEGER PRIMARY KEY, home TEXT REFERENCES city(code), born DATE,
                          status TEXT CHECK(status IN ('new','it''s')), level INT,
                          active BOOLEAN CHECK(active IN (0,1)), about JSON, password TEXT,
                          CHECK(level = 1 OR level = 2 OR level IS NULL));
      CREATE TABLE stock(shelf TEXT, item INTEGER, n INTEGER, PRIMARY KEY(shelf, item))
        WITHOUT ROWID;
      CREATE INDEX stock_n ON stock(n);
      CREATE TABLE line(a TEXT, b TEXT, n INTEGER, PRIMARY KEY(a, b));
      CREATE TABLE heap(x INTEGER);
      CREATE TABLE card(id INTEGER PRIMARY KEY, owner INTEGER REFERENCES person(id));
      CREATE VIEW many AS WITH RECURSIVE n(i) AS
        (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 500) SELECT i FROM n;
      CREATE VIEW few AS SELECT code FROM city;
      INSERT INTO city VALUES('ber','Berlin');
      INSERT INTO person(id, about) VALUES
        (1,'{"age":3,"pet":{"name":"Rex","password_hash":"x","tags":[{"k":1,"_rperm":[1]}]}}'),
        (2,'{"age":2.5,"a.b":1,"$c":2,"password":"y","deep":{"b":{"c":{"d":1}}},"age2":null}'),
        (3,'[{"in":"a list"},7]'),(4,'not json'),(5,NULL);)sql");
  }

  std::string schema(const std::string& name) {
    return ask("schema", R"({"class_name":")" + name + "\"}");
  }
};

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

struct Case {
  const char* cls;
  const char* part;
  bool is_there;
};

constexpr Case kCases[] = {
    {"person", R"("class_name":"person","type":"custom","id_field":"id","fields":[)", true},
    {"person", R"("allowed_values":[{"value":"new"},{"value":"it's"}])", true},
    {"person",
     R"("name":"level","type":"Integer","required":false,"allowed_values":[)"
     R"({"value":1},{"value":2}]})",
     true},
    {"person", R"("name":"active","type":"Boolean","required":false})", true},
    {"person",
     R"("name":"home","type":"Pointer","required":false,"target_class":"city",)"
     R"("query_hint":"city.code, String"})",
     true},
    {"person", R"("name":"born","type":"Date","required":false})", true},
    {"person", R"("name":"id","type":"Integer","required":true,"indexed":true})", true},
    {"person", R"("indexes":[{"name":"PRIMARY KEY","fields":["id"],"unique":true}])", true},
    {"person", R"("estimated_rows":5,"hints":{"pointer":")", true},
    {"person", R"("date":"ISO 8601)", true},
    {"person", R"("json":"\"FIELD.key\")", true},
    {"person", "password", false},
    {"person", "_rperm", false},
    {"person", "Rex", false},
    {"city", R"("id_field":"code")", true},
    {"city", "hints", false},
    {"card", R"("date":)", false},
    {"card", R"("query_hint":"person.id, Integer")", true},
    {"stock", R"("id_field":"shelf,item")", true},
    {"stock",
     R"("indexes":[{"name":"PRIMARY KEY","fields":["shelf","item"],"unique":true},)"
     R"({"name":"stock_n","fields":["n"],"unique":false}])",
     true},
    {"stock", R"("name":"item","type":"Integer","required":true,"indexed":true})", true},
    {"line", R"("fields":["a","b"],"unique":true})", true},
    {"line", R"("name":"b","type":"String","required":true,"indexed":true})", true},
    {"heap", R"("id_field":"objectId")", true},
    {"heap", R"("indexes":[],"estimated_rows":0})", true},
    {"few", R"("estimated_rows":1})", true},
    {"few", "id_field", false},
    {"many", "estimated_rows", false},
    {"many", R"("type":"view")", true},
};

TEST_F(Schema, DescribesAClass) {
  for (const Case& one : kCases) {
    EXPECT_EQ(holds(schema(one.cls), one.part), one.is_there) << one.part << '\n'
                                                              << schema(one.cls);
  }
}

TEST_F(Schema, ListsTheKeysOfJsonWithoutValuesAndInternalNames) {
  EXPECT_TRUE(holds(
      schema("person"),
      R"("keys":[{"name":"age","type":"Number"},{"name":"pet","type":"Object"},)"
      R"({"name":"deep","type":"Object"},{"name":"age2","type":"Any"},{"name":"in","type":"String"},)"
      R"({"name":"pet.name","type":"String"},{"name":"pet.tags","type":"Array"},)"
      R"({"name":"deep.b","type":"Object"},{"name":"pet.tags.k","type":"Integer"},)"
      R"({"name":"deep.b.c","type":"Object"}]})"))
      << schema("person");
}

TEST_F(Schema, ListsTheFirstFortyKeysOfTwoHundredRows) {
  run_sql(
      "CREATE TABLE wide(id INTEGER PRIMARY KEY, doc JSON);"
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 250)"
      "INSERT INTO wide SELECT i, json_object(iif(i < 201, 'k' || (i % 39), 'late'), 1) FROM n;"
      "UPDATE wide SET doc = '{\"k1\":{\"under\":{\"c\":1},\"other\":2}}' WHERE id = 1");
  const std::string text = schema("wide");
  EXPECT_TRUE(holds(text, R"("k38")")) << text;
  EXPECT_TRUE(holds(text, R"("k1.under")")) << text;
  EXPECT_FALSE(holds(text, R"("k1.other")")) << text;
  EXPECT_FALSE(holds(text, "late")) << text;
}

TEST_F(Schema, KeysOfASlowViewEndInTime) {
  run_sql(
      "CREATE VIEW slow AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
      "SELECT about FROM person, (SELECT count(*) FROM n)");
  const auto start = Budget::now_ns();
  EXPECT_TRUE(holds(schema("slow"), R"("class_name":"slow")")) << schema("slow");
  EXPECT_LT(Budget::now_ns() - start, 10'000'000'000);
}

TEST_F(Schema, DescribesSeveralClassesAndSaysTheHintsOnce) {
  const std::string text = ask("schema", R"({"class_names":["card","person","card"]})");
  EXPECT_TRUE(text.starts_with(R"({"classes":[{"class_name":"card",)")) << text;
  EXPECT_TRUE(holds(text, R"(},{"class_name":"person",)")) << text;
  EXPECT_EQ(text.find(R"("class_name":"card")"), text.rfind(R"("class_name":"card")")) << text;
  EXPECT_EQ(text.find(R"("hints")"), text.rfind(R"("hints")")) << text;
  EXPECT_TRUE(holds(text, R"(}],"hints":{)")) << text;
}

TEST_F(Schema, NeedsOneFormOfTheNames) {
  EXPECT_TRUE(holds(ask("schema", "{}"), "'class_name' is missing")) << ask("schema", "{}");
  EXPECT_TRUE(holds(ask("schema", R"({"class_name":"city","class_names":["city"]})"), "not both"));
  EXPECT_TRUE(holds(ask("schema", R"({"class_names":[]})"), "at least one class"));
  EXPECT_TRUE(holds(ask("schema", R"({"class_names":["city","persn"]})"), "person"))
      << ask("schema", R"({"class_names":["city","persn"]})");
  std::string names = "\"city\"";
  for (int i = 0; i < 20; ++i) names += ",\"city\"";
  EXPECT_TRUE(holds(ask("schema", "{\"class_names\":[" + names + "]}"), "at most 20"));
}

TEST_F(Schema, SaysNothingOfThePointersTargetThatIsHidden) {
  rules_ = std::make_shared<const Rules>(std::make_shared<const ClassFilter>(
      std::vector<std::string>{"person"}, std::vector<std::string>()));
  const std::string text = schema("person");
  EXPECT_TRUE(holds(text, R"("query_hint":"<targetClass>: its ids)")) << text;
  EXPECT_FALSE(holds(text, "city")) << text;
  EXPECT_FALSE(holds(text, R"("pointer":)")) << text;
}

}  // namespace
}  // namespace gantry::data
