// Query plans, and the refusal of full scans.
#include <gtest/gtest.h>

#include <string>

#include "ops/error_details.hpp"
#include "small_database.hpp"

namespace gantry::data::explain_test {
namespace {

class Explain : public SmallDatabase {
 protected:
  void SetUp() override {
    make(R"sql(
      CREATE TABLE team(id INTEGER PRIMARY KEY, name TEXT, city TEXT);
      CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT, age INTEGER, score INTEGER,
                          team INTEGER REFERENCES team(id), mail TEXT UNIQUE, password TEXT);
      CREATE INDEX person_by_age ON person(age);
      CREATE INDEX person_by_secret ON person(password);
      CREATE INDEX person_by_score_and_secret ON person(score, password);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<1000)
      INSERT INTO person SELECT i, 'p' || i, i % 50, i % 7, i % 10, 'm' || i, 'x' FROM n;
      INSERT INTO team SELECT id, name, 'Rome' FROM person WHERE id < 10;)sql");
    refuse(true);
  }

  void refuse(bool does) { configure({true, does, true}); }

  std::string ask(const std::string& op, const std::string& args) {
    auto reply = service_->run(R"({"op":")" + op + R"(","args":)" + args + "}",
                               {Budget::for_ms(60'000), 4u << 20, nullptr});
    if (reply) return reply->rows + reply->meta;
    return "ERROR " + reply.error().code + ": " + error_details(reply.error());
  }

  static bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
  }
};

constexpr const char* kOld = R"({"class_name":"person","where":{"age":{"$gte":48}}})";

TEST_F(Explain, ARangeOfAnIndexIsNoFullScanWhereThoseAreRefused) {
  const std::string all = ask("query", kOld);
  EXPECT_TRUE(has(all, R"("result_count":40)")) << all;
  EXPECT_TRUE(all.starts_with(R"([{"objectId":"48",)")) << all;
  EXPECT_TRUE(has(ask("count", kOld), R"("count":40)"));
  const std::string plan = ask("explain", kOld);
  EXPECT_TRUE(has(plan, R"("full_scan":false,"indexes_used":["person_by_age"])")) << plan;
  refuse(false);
  EXPECT_EQ(ask("query", kOld), all);
}

TEST_F(Explain, AnIndexOfAnExpressionIsUsedAndNotNamed) {
  run_sql(R"sql(CREATE TABLE note(id INTEGER PRIMARY KEY, n INTEGER, t TEXT);
             CREATE INDEX note_by_n ON note(n, lower(t));)sql");
  const std::string plan = ask("explain", R"({"class_name":"note","where":{"n":3}})");
  EXPECT_TRUE(has(plan, R"("full_scan":false,"indexes_used":[])")) << plan;
  const std::string schema = ask("schema", R"({"class_name":"note"})");
  EXPECT_TRUE(has(schema, R"("indexes":[{"name":"PRIMARY KEY","fields":["id"],"unique":true}])"))
      << schema;
}

// The plan does not show how many rows a view reads for one of its own.
TEST_F(Explain, ALimitDoesNotMakeAViewASearch) {
  run_sql(R"sql(CREATE VIEW total AS SELECT sum(score) AS all_of_them FROM person;
             CREATE VIEW odd AS SELECT * FROM person WHERE name = 'nobody';)sql");
  for (const char* view : {"total", "odd"}) {
    const std::string args = R"({"class_name":")" + std::string(view) + R"(","limit":1})";
    EXPECT_TRUE(has(ask("query", args), "security_blocked")) << ask("query", args);
    EXPECT_TRUE(has(ask("explain", args), R"("full_scan":true)"));
  }
  EXPECT_FALSE(has(ask("query", R"({"class_name":"person","limit":1})"), "ERROR"));
  EXPECT_FALSE(has(ask("query", R"({"class_name":"odd","where":{"age":3}})"), "ERROR"));
}

TEST_F(Explain, ARangeBelowAnOrderOfAnotherFieldIsSorted) {
  const std::string ordered =
      ask("query",
          R"({"class_name":"person","where":{"age":{"$gte":48}},"order":"-mail,name","limit":2})");
  EXPECT_TRUE(has(ordered, R"("mail":"m999")")) << ordered;
  EXPECT_FALSE(has(ordered, "ERROR"));
}

TEST_F(Explain, RowsOfOneValueAreThoseThatAnalyzeCounted) {
  const std::string one = R"({"class_name":"person","where":{"age":4}})";
  const std::string both = R"({"class_name":"person","where":{"score":4,"name":"p"}})";
  EXPECT_TRUE(has(ask("explain", one), R"("estimated_rows":10)")) << ask("explain", one);
  run_sql("CREATE INDEX person_by_both ON person(score, name); ANALYZE");
  EXPECT_TRUE(has(ask("explain", one), R"("estimated_rows":20)")) << ask("explain", one);
  EXPECT_TRUE(has(ask("explain", both), R"("estimated_rows":1,)")) << ask("explain", both);
  run_sql("UPDATE sqlite_stat1 SET stat = 'much -3 x' WHERE idx = 'person_by_age'");
  run_sql("CREATE INDEX late ON person(team)");  // makes the schema be read again
  EXPECT_TRUE(has(ask("explain", one), R"("estimated_rows":10)")) << ask("explain", one);
}

// The first condition of a sub-pipeline can use an index too.
TEST_F(Explain, PipelinesInsideStagesFindByIndexesToo) {
  const std::string begin = R"({"class_name":"team","pipeline":[{"$match":{"objectId":"1"}},)";
  const std::pair<const char*, const char*> kStages[] = {
      {R"({"$lookup":{"from":"person","pipeline":[{"$match":{"age":4}},{"$count":"n"}],"as":"them"}})",
       R"("them":[{"n":20}])"},
      {R"({"$lookup":{"from":"person","let":{"own":"$name"},"as":"them","pipeline":[
             {"$match":{"age":4}},{"$match":{"$expr":{"$lt":["$mail","$$own"]}}},{"$count":"n"}]}})",
       R"("them":[{"n":20}])"},
      {R"({"$lookup":{"from":"person","localField":"id","foreignField":"age","as":"them",
             "pipeline":[{"$project":{"mail":1}}]}})",
       R"("mail":"m1"})"},
      {R"({"$unionWith":{"coll":"person","pipeline":[{"$match":{"age":4,"score":1}},
             {"$project":{"mail":1}}]}})",
       R"("mail":"m204"})"},
      {R"({"$graphLookup":{"from":"person","startWith":"$name","connectFromField":"mail",
             "connectToField":"name","restrictSearchWithMatch":{"age":1},"as":"them"}})",
       R"("name":"p1","age":1)"}};
  for (const auto& [stage, part] : kStages) {
    const std::string found = ask("aggregate", begin + stage + "]}");
    EXPECT_TRUE(has(found, part)) << found;
    refuse(false);
    EXPECT_EQ(ask("aggregate", begin + stage + "]}"), found);
    configure({false, false, true});  // no pushdown
    EXPECT_EQ(ask("aggregate", begin + stage + "]}"), found);
    refuse(true);
  }
  const std::string scan = ask("aggregate", begin + R"({"$unionWith":{"coll":"person","pipeline":[
             {"$match":{"name":"p4"}}]}}]})");
  EXPECT_TRUE(has(scan, R"("reason":"full scan of person")")) << scan;
}

TEST_F(Explain, PipelinesFindRangesByTheirIndexToo) {
  for (const char* stages :
       {R"([{"$match":{"age":{"$gte":48}}},{"$group":{"_id":"$age","n":{"$sum":1}}}])",
        R"([{"$match":{"age":{"$gte":48}}},{"$limit":3}])",
        R"([{"$match":{"age":{"$gte":48}}},{"$sort":{"mail":1}},{"$limit":3}])"}) {
    const std::string args = R"({"class_name":"person","pipeline":)" + std::string(stages) + "}";
    const std::string guarded = ask("aggregate", args);
    EXPECT_FALSE(has(guarded, "ERROR")) << guarded;
    refuse(false);
    EXPECT_EQ(ask("aggregate", args), guarded);
    refuse(true);
  }
}

TEST_F(Explain, AskedToRefuseItLooksForAnIndexAsTheOperatorWould) {
  refuse(false);
  const std::string args(kOld, std::string_view(kOld).size() - 1);
  const std::string plan = ask("explain", args + R"(,"refuse_collscan":true})");
  EXPECT_TRUE(has(plan, R"("full_scan":false)")) << plan;
}

TEST_F(Explain, ReadsWithoutAnIndexAreRefusedWithFieldsThatWouldHelp) {
  const std::string refused =
      ask("query", R"({"class_name":"person","where":{"name":{"$gt":"p1"}}})");
  EXPECT_TRUE(refused.starts_with("ERROR security_blocked")) << refused;
  EXPECT_TRUE(has(refused, R"("reason":"full scan of person")")) << refused;
  EXPECT_TRUE(has(refused, "age, mail")) << "score is indexed beside what is hidden" << refused;
  EXPECT_FALSE(has(refused.substr(0, refused.find("\"plan\"")), "password")) << refused;
}

TEST_F(Explain, TheClassThatASubQueryScansIsTheOneThatIsNamed) {
  const std::string refused = ask("query", R"({"class_name":"person","where":{"age":3,
      "team":{"$inQuery":{"className":"team","where":{"city":"Rome"}}}}})");
  EXPECT_TRUE(has(refused, R"("reason":"full scan of team")")) << refused;
  const std::string found = ask("query", R"({"class_name":"person","where":{"age":3,
      "team":{"$inQuery":{"className":"team","where":{"objectId":"3"}}}}})");
  EXPECT_FALSE(has(found, "ERROR")) << found;
}

TEST_F(Explain, TheClassThatAJoinScansIsTheOneThatIsNamed) {
  const std::string refused = ask("aggregate", R"({"class_name":"person","pipeline":[
      {"$match":{"age":3}},{"$lookup":{"from":"team","localField":"name","foreignField":"city",
      "as":"there"}}]})");
  EXPECT_TRUE(has(refused, R"("reason":"full scan of team")")) << refused;
}

TEST_F(Explain, ThePrefixOfAPatternIsLookedUpInPipelines) {
  run_sql("CREATE INDEX person_by_name ON person(name)");
  const auto plan_of = [this](const std::string& match) {
    return ask("aggregate", R"({"class_name":"person","plan":true,"pipeline":[{"$match":)" + match +
                                R"(},{"$sort":{"score":1}}]})");
  };
  const std::string plan = plan_of(R"({"name":{"$regex":"^p99[0-9]$"}})");
  EXPECT_TRUE(has(plan, R"("full_scan":false,"indexes_used":["person_by_name"])")) << plan;
  EXPECT_TRUE(has(plan_of(R"({"name":{"$regex":"^p9","$options":"i"}})"), R"("full_scan":true)"));
  EXPECT_TRUE(has(plan_of(R"({"name":{"$regex":"^p9","$options":"m"}})"), R"("full_scan":true)"));
  EXPECT_TRUE(has(plan_of(R"({"name":{"$not":{"$regex":"^p9"}}})"), R"("full_scan":true)"));
  const std::string args = R"({"class_name":"person","pipeline":[
      {"$match":{"name":{"$regex":"^p99[0-9]$"}}},{"$group":{"_id":null,"n":{"$sum":1}}}]})";
  EXPECT_TRUE(has(ask("aggregate", args), R"("n":10)"));
  refuse(false);
  EXPECT_TRUE(has(ask("aggregate", args), R"("n":10)"));
}

TEST_F(Explain, IndexesOverInternalColumnsStayUnknown) {
  const std::string plan = ask("explain", R"({"class_name":"person","where":{"score":3}})");
  EXPECT_TRUE(has(plan, R"("full_scan":false,"indexes_used":[],)")) << plan;
}

TEST_F(Explain, AUniqueColumnIsNoPrimaryKeyAndFindsOneRow) {
  const std::string plan = ask("explain", R"({"class_name":"person","where":{"mail":"m3"}})");
  EXPECT_TRUE(has(plan, R"("indexes_used":["sqlite_autoindex_person_1"],"estimated_rows":1)"))
      << plan;
  EXPECT_TRUE(has(ask("explain", R"({"class_name":"person","where":{"objectId":"3"}})"),
                  R"("indexes_used":["PRIMARY KEY"],"estimated_rows":1)"));
}

TEST_F(Explain, ASubQueryThatScansIsNamedInsideAnIndexedQuery) {
  run_sql("CREATE INDEX person_by_team ON person(team);");
  const std::string args = R"({"class_name":"person","where":{"team":{"$inQuery":
      {"className":"team","where":{"city":"Rome"}}}}})";
  for (const char* op : {"query", "count"}) {
    const std::string answer = ask(op, args);
    EXPECT_TRUE(has(answer, "full scan of team")) << op << ": " << answer;
  }
}

TEST_F(Explain, AConditionThatNoRowSatisfiesReadsNone) {
  for (const char* where : {R"({"name":{"$in":[]}})", R"({"name":"x","score":{"$in":[]}})"}) {
    const std::string args = R"({"class_name":"person","where":)" + std::string(where) + "}";
    EXPECT_TRUE(has(ask("query", args), R"("result_count":0)")) << ask("query", args);
    EXPECT_TRUE(has(ask("count", args), R"("count":0)")) << ask("count", args);
    EXPECT_TRUE(has(ask("explain", args), R"("full_scan":false)")) << ask("explain", args);
    const std::string match = R"({"class_name":"person","pipeline":[{"$match":)";
    EXPECT_TRUE(has(ask("aggregate", match + where + "}]}"), R"("result_count":0)")) << where;
  }
  EXPECT_TRUE(has(ask("count", R"({"class_name":"person","where":{"$or":[{"name":"x"},
      {"name":{"$in":[]}}]}})"),
                  "security_blocked"));
}

TEST_F(Explain, AllOfAListIsFoundByAnIndexInPipelinesToo) {
  const std::string answer =
      ask("aggregate", R"({"class_name":"person","pipeline":[{"$match":{"age":{"$all":[48]}}}]})");
  EXPECT_TRUE(has(answer, R"("result_count":20)")) << answer;
}

TEST_F(Explain, AViewWhoseArmsAreSearchesIsCountedWithoutAScan) {
  run_sql(R"sql(CREATE TABLE former(id INTEGER PRIMARY KEY, age INTEGER);
             CREATE INDEX former_by_age ON former(age);
             CREATE VIEW everybody AS SELECT id, age FROM person UNION ALL
                                      SELECT id, age FROM former;)sql");
  EXPECT_TRUE(has(ask("count", R"({"class_name":"everybody","where":{"age":{"$gt":48}}})"),
                  R"("count":20)"));
  EXPECT_TRUE(has(ask("count", R"({"class_name":"everybody","where":{"id":{"$ne":1}}})"),
                  "security_blocked"));
}

}  // namespace
}  // namespace gantry::data::explain_test
