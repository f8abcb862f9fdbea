// Non-deterministic answers are not cached.
#include "kept_answers.hpp"

namespace gantry::data::deterministic_answers_test {
namespace {

using testing::TestDatabase;

// Random numbers, the clock, and views, which may use both.
TEST(KeptAnswers, DoNotIncludeNonDeterministicOnes) {
  TestDatabase db(std::string(kTables) + R"sql(
    CREATE VIEW aged AS SELECT id, julianday('now') - v AS age FROM t;)sql");
  KeptAnswers asked(db);
  const auto pipeline = [](const std::string& stages) {
    return R"({"op":"aggregate","args":{"class_name":"t","pipeline":[)" + stages + "]}}";
  };
  for (
      const std::string& request : {
          pipeline(R"({"$project":{"at":"$$NOW"}})"),
          pipeline(R"({"$project":{"at":"$$N\u004fW"}})"),
          pipeline(R"({"$project":{"at":{"$year":"$$NOW"}}})"),
          pipeline(R"({"$match":{"$expr":{"$lt":["$v","$$NOW"]}}})"),
          pipeline(R"({"$group":{"_id":null,"at":{"$max":"$$NOW"}}})"),
          pipeline(
              R"({"$lookup":{"from":"t","let":{},"pipeline":[{"$set":{"at":"$$NOW"}}],"as":"x"}})"),
          pipeline(R"({"$project":{"r":{"$rand":{}}}})"),
          pipeline(R"({"$project":{"r":{"$\u0072and":{}}}})"),
          pipeline(R"({"$match":{"$sampleRate":0.5}})"),
          pipeline(R"({"$match":{"$expr":{"$lt":[{"$rand":{}},2]}}},{"$count":"n"})"),
          pipeline(R"({"$sample":{"size":2}})"),
          pipeline(R"({"$sort":{"x":{"$meta":"randVal"}}})"),
          pipeline(R"({"$unionWith":"aged"})"),
          pipeline(R"({"$lookup":{"from":"aged","localField":"id","foreignField":"id","as":"a"}})"),
          std::string(
              R"({"op":"count","args":{"class_name":"t","where":{"$expr":{"$lt":["$v","$$NOW"]}}}})"),
          std::string(R"({"op":"query","args":{"class_name":"t","where":{"$sampleRate":0.5}}})"),
          std::string(R"({"op":"query","args":{"class_name":"aged"}})"),
          std::string(R"({"op":"query","args":{"class_name":"aged","format":"csv"}})"),
          std::string(R"({"op":"count","args":{"class_name":"aged"}})"),
          std::string(R"({"op":"samples","args":{"class_name":"aged"}})"),
      }) {
    EXPECT_FALSE(asked.keeps(request)) << request;
  }
}

// A request that is not cached does not prevent others from being cached.
TEST(KeptAnswers, ANonDeterministicAnswerDoesNotAffectOthers) {
  TestDatabase db(kTables);
  KeptAnswers asked(db);
  for (int i = 0; i < 3; ++i) {
    asked.ask(
        R"({"op":"aggregate","args":{"class_name":"t","pipeline":[{"$sample":{"size":1}}]}})");
    EXPECT_EQ(asked.is_kept(kQuery), i == 2);
  }
}

// A view with documents may use the clock too.
TEST(KeptAnswers, DoNotIncludeTheSampledFieldsOfAView) {
  TestDatabase db(
      "CREATE TABLE t(id INTEGER PRIMARY KEY);"
      R"(CREATE VIEW v AS SELECT json_object('_id', 'a', strftime('%f'), 1) AS body)");
  KeptAnswers asked(db, with_model(db, R"({"class":"v","document":"body"})"));
  EXPECT_FALSE(asked.keeps(R"({"op":"schemas"})"));
  EXPECT_FALSE(asked.keeps(R"({"op":"schema","args":{"class_name":"v"}})"));
  EXPECT_TRUE(asked.keeps(R"({"op":"schema","args":{"class_name":"t"}})"));
}

TEST(Catalog, SaysWhenSamplingFailed) {
  ClassInfo info;
  info.name = "t";
  bool has_failed = false;
  const Catalog catalog({info}, 1, [&](const ClassInfo& declared) -> std::optional<Sampled> {
    if (!std::exchange(has_failed, true)) return std::nullopt;
    return Sampled{declared, true};
  });
  for (const bool is_first : {true, false}) {
    bool is_sampled = true;
    EXPECT_NE(catalog.find("t", &is_sampled), nullptr);
    EXPECT_EQ(is_sampled, !is_first);
  }
}

}  // namespace
}  // namespace gantry::data::deterministic_answers_test
