// The database's part of a pipeline gives the same answer as the engine: random pipelines over
// random tables, with the planner, without it, and with the planner over a store whose SQL says
// nothing.
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "mute_store.hpp"
#include "ops/service.hpp"
#include "plan/plan.hpp"
#include "pushdown_random.hpp"
#include "values/extended_json.hpp"

namespace gantry::data {
namespace {

std::string json_of(std::string text) {
  std::replace(text.begin(), text.end(), '\'', '"');
  return text;
}

// For pipelines that join nothing.
class NoClasses final : public pipeline::Classes {
 public:
  void check(std::string_view) override {}
  pipeline::StreamPtr scan(std::string_view, const pipeline::ScanHint&) override { return nullptr; }
};

class Pushdown : public ::testing::Test {
 protected:
  void TearDown() override {
    pushed_.reset(), alone_.reset(), mute_.reset();
    std::filesystem::remove(path_);
  }

  void make(const std::string& sql) {
    std::string name = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::replace(name.begin(), name.end(), '/', '-');
    path_ = std::filesystem::temp_directory_path() /
            ("gantry-pushdown-" + std::to_string(::getpid()) + "-" + name + ".db");
    std::filesystem::remove(path_);
    run_sql(sql);
    pushed_ = open(true);
    alone_ = open(false);
    auto store = open_store(path_.string());
    ASSERT_TRUE(pushed_ && alone_ && store);
    mute_ = std::make_unique<Service>(std::make_unique<testing::MuteStore>(std::move(*store)));
    mute_->configure({true, false, false});
  }

  void run_sql(const std::string& sql) {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(path_.c_str(), &db), SQLITE_OK);
    char* error = nullptr;
    ASSERT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, &error), SQLITE_OK) << error;
    sqlite3_close(db);
  }

  std::unique_ptr<Service> open(bool pushdown) {
    auto service = Service::open(path_.string());
    if (!service) return nullptr;
    (*service)->configure({pushdown, false, false});
    return std::move(*service);
  }

  static std::string answer(Service& service, const std::string& arguments) {
    const std::string request = R"({"op":"aggregate","args":)" + json_of(arguments) + "}";
    const auto reply = service.run(request, {Budget::for_ms(60'000), 4u << 20, nullptr});
    if (!reply) return "ERROR " + reply.error().code + ": " + reply.error().message;
    return reply->rows + reply->meta;
  }

  static std::string with_plan(std::string arguments) {
    arguments.back() = ',';
    return arguments + "'plan':true}";
  }

  Plan plan(const std::string& class_name, const std::string& stages) {
    auto catalog = pushed_->store().catalog({});
    const Scope scope(*catalog);
    const auto written = read_extended(json_of(stages), {.parse_types = true});
    NoClasses none;
    expr::Variables variables;
    pipeline::Reading reading{none, variables};
    BoundRead read;
    read.cls = scope.open(class_name);
    Warnings warnings;
    const Value json = typed_stages(*written, read.cls, scope, warnings).stages;
    return make_plan(read, {json, pipeline::parse_pipeline(json, reading)}, sqlite_dialect());
  }

  std::filesystem::path path_;
  std::unique_ptr<Service> pushed_, alone_, mute_;
};

class RandomPushdown : public Pushdown, public ::testing::WithParamInterface<std::uint32_t> {};

TEST_P(RandomPushdown, AnswersAreThoseOfTheEngine) {
  Chance chance(GetParam());
  make(random_tables(chance, 150));
  int wrong = 0, answered = 0, pushed = 0;
  for (int i = 0; i < 250 && wrong < 5; ++i) {
    const std::string arguments = random_arguments(chance);
    const std::string expected = answer(*alone_, arguments);
    const std::string given = answer(*pushed_, arguments);
    const std::string of_mute = answer(*mute_, arguments);
    if (given != expected || of_mute != expected) ++wrong;
    if (given.starts_with("[{")) ++answered;
    const std::string as_plan = answer(*pushed_, with_plan(arguments));
    if (as_plan.find("\"pushed\":[{") != std::string::npos) ++pushed;
    EXPECT_EQ(given, expected) << arguments;
    EXPECT_EQ(of_mute, expected) << "over the mute store: " << arguments;
  }
  EXPECT_GT(answered, 90);
  EXPECT_GT(pushed, 150);
}

TEST_P(RandomPushdown, AnswersOfPipelinesInsideStagesAreThoseOfTheEngine) {
  Chance chance(GetParam() + 100);
  make(random_tables(chance, 60));
  int wrong = 0, answered = 0;
  for (int i = 0; i < 150 && wrong < 5; ++i) {
    const std::string arguments = random_arguments_inside(chance);
    const std::string expected = answer(*alone_, arguments);
    const std::string given = answer(*pushed_, arguments);
    const std::string of_mute = answer(*mute_, arguments);
    if (given != expected || of_mute != expected) ++wrong;
    if (given.starts_with("[{")) ++answered;
    EXPECT_EQ(given, expected) << arguments;
    EXPECT_EQ(of_mute, expected) << "over the mute store: " << arguments;
  }
  EXPECT_GT(answered, 90);
}

std::string stages_text(const Array& stages) {
  std::string text;
  append_value_json(Value::array(stages), JsonDialect::parse, text);
  std::replace(text.begin(), text.end(), '"', '\'');
  return text;
}

constexpr const char* kShop = R"sql(
    CREATE TABLE buyer(id TEXT PRIMARY KEY) STRICT;
    CREATE TABLE sale(id INTEGER PRIMARY KEY, status TEXT, amount REAL, pieces INTEGER,
                      sold_at TEXT, buyer TEXT REFERENCES buyer(id), more TEXT) STRICT;
    CREATE TABLE loose(id INTEGER PRIMARY KEY, note TEXT, paid BOOLEAN, at TIMESTAMP);
    CREATE INDEX by_status ON sale(status, amount);
    INSERT INTO buyer VALUES('a'),('b');
    INSERT INTO sale VALUES(1,'paid',2.5,1,'2026-01-01T00:00:00.000Z','a','[1]'),
                           (2,'open',1.5,2,'2026-01-02T00:00:00.000Z','b','[2]');
    INSERT INTO loose VALUES(1,'x',1,1769902200),(2,'y',0,1769902201);)sql";

// In the document such text is binary data.
TEST_F(Pushdown, NoPatternMatchesTextThatIsNotUtf8) {
  make(R"sql(CREATE TABLE w(id INTEGER PRIMARY KEY, s TEXT COLLATE BINARY);
             CREATE INDEX by_s ON w(s);
             INSERT INTO w VALUES(1, 'abc'), (2, CAST(x'616263ff' AS TEXT)), (3, 'xabc');)sql");
  for (const auto& [pattern, found] :
       {std::pair("^abc", "[{\"n\":1}]"), {"^abc.*", "[{\"n\":1}]"}, {"bc", "[{\"n\":2}]"}}) {
    const std::string match = "{'s':{'$regex':'" + std::string(pattern) + "'}}";
    const std::string stages = "[{'$match':" + match + "},{'$count':'n'}]";
    const std::string arguments = "{'class_name':'w','pipeline':" + stages + "}";
    EXPECT_TRUE(answer(*pushed_, arguments).starts_with(found)) << answer(*pushed_, arguments);
    EXPECT_EQ(answer(*pushed_, arguments), answer(*alone_, arguments));
    const auto count =
        pushed_->run(json_of("{'op':'count','args':{'class_name':'w','where':" + match + "}}"),
                     {Budget::for_ms(60'000), 4u << 20, nullptr});
    ASSERT_TRUE(count) << count.error().message;
    EXPECT_EQ("[{\"n\":" + count->meta.substr(9, 1) + "}]", found);
  }
}

TEST_F(Pushdown, APathIsNotTheColumnOfThatName) {
  make(R"sql(CREATE TABLE w(id INTEGER PRIMARY KEY, "a.b" INTEGER, a JSON);
             INSERT INTO w VALUES(1, 1, '{"b":5}');)sql");
  const std::string five =
      "{'class_name':'w','pipeline':[{'$match':{'a.b':5}},{'$project':{'n':{'$add':[1,1]}}}]}";
  EXPECT_NE(answer(*pushed_, five).find("\"n\":2"), std::string::npos) << answer(*pushed_, five);
  EXPECT_EQ(answer(*pushed_, five), answer(*alone_, five));
}

TEST_F(Pushdown, WholePrefixesOverProvenColumnsAreThePartOfTheDatabase) {
  make(kShop);
  for (const char* prefix :
       {"{'$match':{'status':'paid','amount':{'$gte':1,'$lt':9}}}", "{'$sort':{'amount':-1}}",
        "{'$match':{'$or':[{'pieces':{'$in':[1,2]}},{'status':{'$exists':false}}]}}",
        "{'$match':{'_id':'1'}}", "{'$sort':{'_id':1}}", "{'$match':{'more':{'$size':1}}}",
        "{'$match':{'sold_at':{'$gt':{'$date':'2026-01-01T12:00:00Z'}}}}",
        "{'$match':{'buyer.objectId':{'$ne':'a'}}}", "{'$sort':{'sold_at':-1,'status':1}}"}) {
    const std::string stages = "[" + std::string(prefix) + ",{'$skip':1},{'$limit':5}]";
    const Plan found = plan("sale", stages);
    EXPECT_TRUE(found.residual.empty()) << stages;
    EXPECT_EQ(found.pushed.size(), 3u) << stages;
    EXPECT_EQ(found.clauses.skip, 1u);
    EXPECT_EQ(found.clauses.limit, 5u);
  }
}

TEST_F(Pushdown, ConditionsOnSeveralColumnsStayAndStopTheLimitButNotTheSort) {
  make(kShop);
  const Plan found = plan(
      "sale",
      "[{'$match':{'status':'paid','$expr':{'$gt':['$amount','$pieces']}}},{'$sort':{'amount':1}},"
      "{'$limit':1}]");
  EXPECT_EQ(stages_text(found.pushed), "[{'$match':{'status':'paid'}},{'$sort':{'amount':1}}]");
  EXPECT_EQ(stages_text(found.residual),
            "[{'$match':{'$expr':{'$gt':['$amount','$pieces']}}},{'$limit':1}]");
}

TEST_F(Pushdown, ConditionsAndSortsAfterALimitAreTheEngines) {
  make(kShop);
  EXPECT_EQ(plan("sale", "[{'$limit':2},{'$match':{'pieces':1}}]").pushed.size(), 1u);
  EXPECT_EQ(plan("sale", "[{'$skip':2},{'$sort':{'pieces':1}}]").pushed.size(), 1u);
  EXPECT_EQ(plan("sale", "[{'$project':{'pieces':1}},{'$limit':1}]").pushed.size(), 0u);
  const Plan limits = plan("sale", "[{'$limit':5},{'$skip':2},{'$limit':9},{'$count':'n'}]");
  EXPECT_EQ(limits.clauses.limit, 3u);
  EXPECT_EQ(limits.clauses.skip, 2u);
  EXPECT_EQ(limits.count, "n");
}

TEST_F(Pushdown, LiteralsAreBoundAndNeverText) {
  make(kShop);
  const Plan found = plan("sale", "[{'$match':{'status':'x\\u0027; DROP','pieces':{'$gt':77}}}]");
  EXPECT_EQ(found.clauses.where.whole().text.find("DROP"), std::string::npos);
  EXPECT_EQ(found.clauses.where.whole().text.find("77"), std::string::npos);
  EXPECT_EQ(found.clauses.where.whole().binds.size(), 2u);
}

TEST_F(Pushdown, TheSwitchLeavesEverythingToTheEngine) {
  make(kShop);
  const std::string arguments =
      "{'class_name':'sale','pipeline':[{'$match':{'pieces':1}},{'$limit':1}],'plan':true}";
  const std::string pushed = answer(*pushed_, arguments), alone = answer(*alone_, arguments);
  EXPECT_NE(pushed.find("\"residual\":[]"), std::string::npos) << pushed;
  EXPECT_NE(alone.find("\"pushed\":[]"), std::string::npos) << alone;
  EXPECT_EQ(pushed.find("SELECT"), std::string::npos) << "SQL only where it is exposed";
}

TEST_F(Pushdown, OneOddValueLeavesTheSortToTheEngineUntilItIsGone) {
  make(std::string(kShop) + "INSERT INTO loose VALUES(3, x'00ff', 1, 'never');");
  const std::string by_note =
      "{'class_name':'loose','pipeline':[{'$sort':{'note':1}},{'$limit':9}]}";
  const std::string by_time = "{'class_name':'loose','pipeline':[{'$sort':{'at':-1}}]}";
  const auto is_pushed = [&](const std::string& arguments) {
    return answer(*pushed_, with_plan(arguments)).find("\"residual\":[]") != std::string::npos;
  };
  EXPECT_FALSE(is_pushed(by_note));
  EXPECT_EQ(answer(*pushed_, by_time), answer(*alone_, by_time));
  run_sql("DELETE FROM loose WHERE id = 3;");
  EXPECT_TRUE(is_pushed(by_note));
  EXPECT_TRUE(is_pushed(by_note)) << "the second look is remembered";
  EXPECT_EQ(answer(*pushed_, by_note), answer(*alone_, by_note));
  run_sql("INSERT INTO loose VALUES(3, x'00ff', 1, 5);");
  EXPECT_FALSE(is_pushed(by_note)) << "what is remembered ends with the next commit";
  const std::string some =
      "{'class_name':'loose','pipeline':[{'$match':{'id':{'$lt':3}}},{'$sort':{'note':1}}]}";
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(is_pushed(some)) << "rows that are left out do not matter, asked again or not";
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPushdown, ::testing::Range(1u, 9u));

}  // namespace
}  // namespace gantry::data
