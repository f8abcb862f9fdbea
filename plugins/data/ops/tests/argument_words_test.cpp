// Arguments that do not fit: which one, and what it may be.
#include <gmock/gmock.h>

#include "ops/tests/small_database.hpp"

namespace gantry::data::argument_words_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class ArgumentWords : public SmallDatabase {
 protected:
  void SetUp() override {
    make(R"sql(
      CREATE TABLE city(code TEXT PRIMARY KEY, name TEXT);
      CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT, home TEXT REFERENCES city(code),
                          boss INTEGER REFERENCES person(id), info JSON, "a.b" TEXT, "x,y" TEXT);
      CREATE VIEW names AS SELECT name FROM person;
      INSERT INTO city VALUES('ber','Berlin');
      INSERT INTO person VALUES(1,'Ada','ber',1,'{"k":1}','dotted','comma');)sql");
    configure({}, JsonDialect::plain);
  }
  std::string of_person(const std::string& op, const std::string& more) {
    return ask(op, R"({"class_name":"person")" + (more.empty() ? "" : "," + more) + "}");
  }
};

TEST_F(ArgumentWords, NumbersSayTheirRange) {
  for (const char* limit : {"0", "1001", "-1", "1.5", "\"5\"", "1e300", "true"}) {
    EXPECT_THAT(of_person("query", R"("limit":)" + std::string(limit)),
                AllOf(StartsWith("ERROR invalid_argument: 'limit'"), HasSubstr("from 1 to 1000")))
        << limit;
  }
  EXPECT_THAT(of_person("query", R"("limit":10.0,"keys":["id"])"), StartsWith(R"([{"id":1}])"));
  EXPECT_THAT(of_person("query", R"("skip":-1)"), HasSubstr("'skip' must be an integer from 0"));
  EXPECT_THAT(of_person("samples", R"("limit":21)"), HasSubstr("from 1 to 20"));
  EXPECT_THAT(of_person("export", R"("row_cap":10001)"),
              AllOf(HasSubstr("from 1 to 10000"), HasSubstr(R"("as": "link")")));
}

TEST_F(ArgumentWords, NullIsAsIfAnArgumentWereNotThere) {
  EXPECT_THAT(of_person("query", R"("limit":null,"where":null,"keys":null,"order":null)"),
              StartsWith(R"([{"id":1)"));
  EXPECT_THAT(ask("query", R"({"class_name":null})"), HasSubstr("'class_name' is missing"));
}

TEST_F(ArgumentWords, KindsAreNamed) {
  EXPECT_THAT(of_person("query", R"("where":[])"), HasSubstr("'where' must be an object"));
  EXPECT_THAT(of_person("query", R"("keys":"name")"), HasSubstr("'keys' must be an array"));
  EXPECT_THAT(of_person("query", R"("keys":[5])"), HasSubstr("'keys' must be an array of strings"));
  EXPECT_THAT(of_person("query", R"("include":{})"), HasSubstr("'include' must be an array"));
  EXPECT_THAT(of_person("query", R"("order":5)"), HasSubstr("'order' must be a string"));
  EXPECT_THAT(of_person("query", R"("apply_canonical_filter":"no")"), HasSubstr("true or false"));
  EXPECT_THAT(of_person("aggregate", R"("pipeline":{})"), StartsWith("ERROR invalid_"));
  EXPECT_THAT(of_person("get", ""), HasSubstr("'object_id' is missing"));
  EXPECT_THAT(of_person("get_many", R"("ids":[])"), HasSubstr("at least one id"));
  EXPECT_THAT(of_person("get_many", ""), HasSubstr("at least one id"));
}

TEST_F(ArgumentWords, FieldsThatHoldNothingBelowThemSaySo) {
  EXPECT_THAT(of_person("query", R"("keys":["name.first"])"),
              AllOf(StartsWith("ERROR invalid_argument"), HasSubstr("'name'"),
                    HasSubstr("holds no JSON"), HasSubstr("ask for 'name'")));
  EXPECT_THAT(of_person("query", R"("include":["info"])"),
              AllOf(HasSubstr("'info'"), HasSubstr("is no pointer"), HasSubstr("home, boss")));
  EXPECT_THAT(ask("query", R"({"class_name":"city","include":["name"]})"),
              HasSubstr("pointers: it has none"));
  EXPECT_THAT(of_person("query", R"("keys":["hmoe"])"), HasSubstr("'home'"));
  EXPECT_THAT(of_person("query", R"("keys":["home.nmae"])"), HasSubstr("'name'"));
}

TEST_F(ArgumentWords, IncludesEndAtFivePointers) {
  const auto hops = [&](int count) {
    std::string path = "boss";
    for (int i = 1; i < count; ++i) path += ".boss";
    return of_person("query", R"("keys":["name"],"include":[")" + path + "\"]");
  };
  EXPECT_THAT(hops(5), StartsWith("[{"));
  EXPECT_THAT(hops(6), AllOf(StartsWith("ERROR invalid_argument"), HasSubstr("5 pointers deep")));
}

TEST_F(ArgumentWords, NamesWithDotsAndCommasAreNamesWhereAFieldHasThem) {
  EXPECT_THAT(of_person("query", R"("keys":["a.b"])"), StartsWith(R"([{"a.b":"dotted"}])"));
  EXPECT_THAT(of_person("query", R"("keys":["x,y"])"), StartsWith(R"([{"x,y":"comma"}])"));
  EXPECT_THAT(of_person("query", R"("keys":["id, name"])"),
              StartsWith(R"([{"id":1,"name":"Ada"}])"));
  EXPECT_THAT(of_person("query", R"("keys":["name","name"])"), StartsWith(R"([{"name":"Ada"}])"));
}

TEST_F(ArgumentWords, ManyIdsAndKeysAreCounted) {
  std::string ids, same;
  for (int i = 0; i < 51; ++i) {
    ids += (i > 0 ? ",\"" : "\"") + std::to_string(i) + "\"";
    same += (i > 0 ? ",\"" : "\"") + std::string("1\"");
  }
  EXPECT_THAT(of_person("get_many", R"("ids":[)" + ids + "]"),
              AllOf(StartsWith("ERROR invalid_argument"), HasSubstr("51 distinct ids"),
                    HasSubstr("at most 50")));
  EXPECT_THAT(of_person("get_many", R"("ids":[)" + same + "]"), HasSubstr(R"("found":1)"));
}

TEST_F(ArgumentWords, AViewWithoutAnIdSaysThatItHasNone) {
  const std::string said = ask("get", R"({"class_name":"names","object_id":"1"})");
  EXPECT_THAT(said, AllOf(StartsWith("ERROR invalid_argument"), HasSubstr("'names'")));
  EXPECT_THAT(ask("get_many", R"({"class_name":"names","ids":["1"]})"),
              StartsWith("ERROR invalid_argument"));
  EXPECT_THAT(ask("query", R"({"class_name":"names"})"), StartsWith(R"([{"name":"Ada"}])"));
}

TEST_F(ArgumentWords, ALongIdIsCutInTheMessage) {
  const std::string id(5000, 'x');
  const std::string said = ask("get", R"({"class_name":"city","object_id":")" + id + "\"}");
  EXPECT_THAT(said, StartsWith("ERROR not_found: "));
  EXPECT_LT(said.size(), 500U);
}

TEST_F(ArgumentWords, ExportsSayWhichArgumentsExcludeEachOther) {
  for (const auto& [name, stage] : {std::pair{"where", "$match"}, std::pair{"keys", "$project"},
                                    std::pair{"order", "$sort"}, std::pair{"limit", "$limit"},
                                    std::pair{"include", "$lookup"}, std::pair{"skip", "$skip"}}) {
    EXPECT_THAT(of_person("export", R"("pipeline":[],")" + std::string(name) + R"(":1)"),
                AllOf(HasSubstr("'pipeline' and '" + std::string(name) + "'"), HasSubstr(stage)))
        << name;
  }
  EXPECT_THAT(of_person("export", R"("format":"xml")"), HasSubstr("csv, markdown, table or jsonl"));
  EXPECT_THAT(of_person("export", R"("columns":[])"), HasSubstr("at least one path"));
  EXPECT_THAT(of_person("export", R"("columns":["name.."])"), HasSubstr("'name..' is no path"));
  EXPECT_THAT(of_person("export", R"("columns":[{"name":5}])"), HasSubstr("header of 'name'"));
  EXPECT_THAT(of_person("export", R"("columns":["name",{"id":"name"}])"),
              AllOf(HasSubstr("header 'name'"), HasSubstr("{path: header}")));
}

TEST_F(ArgumentWords, DeepArgumentsAreRefusedByTheirDepth) {
  std::string deep = "1";
  for (int i = 0; i < 250; ++i) deep = R"({"$not":)" + deep + "}";
  EXPECT_THAT(of_person("count", R"("where":{"name":)" + deep + "}"),
              AllOf(StartsWith("ERROR "), Not(HasSubstr("internal")), HasSubstr("deep")));
}

}  // namespace
}  // namespace gantry::data::argument_words_test
