// Document classes with rows that are not documents, or without rowids.
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "model/source.hpp"
#include "ops/service.hpp"

namespace gantry::data::documents_test {
namespace {

class DocumentRows : public ::testing::Test {
 protected:
  void make(const std::string& table, const std::string& rows, const std::string& after = "") {
    folder_ = std::filesystem::temp_directory_path() /
              ("gantry-documents-" + std::to_string(::getpid()) + "-" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_ / "model");
    std::ofstream(folder_ / "model" / "d.json") << R"({"class":"d","table":"d","document":"doc"})";
    run_sql("CREATE TABLE d(" + table + ")" + after + "; INSERT INTO d VALUES" + rows);
    pushed_ = open(true);
    alone_ = open(false);
    ASSERT_TRUE(pushed_ && alone_);
  }
  void TearDown() override {
    pushed_.reset(), alone_.reset();
    std::filesystem::remove_all(folder_);
  }

  void run_sql(const std::string& sql) {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open((folder_ / "d.db").c_str(), &db), SQLITE_OK);
    char* error = nullptr;
    ASSERT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, &error), SQLITE_OK) << error;
    sqlite3_close(db);
  }

  std::unique_ptr<Service> open(bool pushdown) {
    auto model = model::Source::open((folder_ / "model").string(), [](const std::string&) {});
    if (!model) return nullptr;
    StoreOptions options;
    options.model = *model;
    auto service = Service::open((folder_ / "d.db").string(), options);
    if (!service) return nullptr;
    (*service)->configure({pushdown, false, false});
    return std::move(*service);
  }

  static std::string answer(Service& service, const std::string& op, const std::string& args) {
    const auto reply =
        service.run(R"({"op":")" + op + R"(","args":{"class_name":"d")" + args + "}}",
                    {Budget::for_ms(60'000), 4u << 20, nullptr});
    if (!reply) return "ERROR " + reply.error().code + ": " + reply.error().message;
    return reply->rows + reply->meta;
  }
  // The answer with and without pushdown, which must be the same.
  std::string ask(const std::string& op, const std::string& args) {
    std::string pushed = answer(*pushed_, op, args);
    EXPECT_EQ(pushed, answer(*alone_, op, args)) << op << args;
    return pushed;
  }

  // The answer of `pushed_` under a budget and a limit, and its duration.
  struct Timed {
    std::string text;
    double ms = 0;
  };
  Timed timed(const std::string& op, const std::string& args, const Budget& budget,
              std::size_t cap = 4u << 20) {
    const auto began = std::chrono::steady_clock::now();
    const auto reply = pushed_->run(
        R"({"op":")" + op + R"(","args":{"class_name":"d")" + args + "}}", {budget, cap, nullptr});
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
    return {reply ? reply->rows + reply->meta : "ERROR " + reply.error().code, took.count()};
  }

  bool has_error(const std::string& op, std::string_view words) {
    return ask(op, "").find(words) != std::string::npos;
  }
  bool has(const std::string& where) {
    return ask("count", R"(,"where":)" + where) == R"({"count":1})";
  }

  std::filesystem::path folder_;
  std::unique_ptr<Service> pushed_, alone_;
};

TEST_F(DocumentRows, OfTwoIdsTheFirstIsShownAndFound) {
  make("doc TEXT", R"(('{"_id":1,"a":{"b":1,"b":2},"_id":2}'))");
  EXPECT_EQ(ask("aggregate", R"(,"pipeline":[{"$limit":1}])").find(R"([{"_id":1,"a":{"b":1}}])"),
            0u);
  EXPECT_TRUE(has(R"({"_id":1})"));
  EXPECT_TRUE(has(R"({"objectId":"1","a.b":1})"));
  EXPECT_FALSE(has(R"({"_id":2})"));
  EXPECT_FALSE(has(R"({"a.b":2})"));
}

TEST_F(DocumentRows, ARowThatIsNoDocumentIsNeverCountedNorPassedOver) {
  ASSERT_NO_FATAL_FAILURE(
      make("n INTEGER PRIMARY KEY, doc", R"((1,'{"_id":1}'),(2,'{"_id":2}'),(3,'{"_id":3}'))"));
  EXPECT_EQ(ask("count", ""), R"({"count":3})");
  for (const char* broken : {"'{'", "'[1]'", "NULL", "5", "x'7b7d'"}) {
    run_sql("UPDATE d SET doc = " + std::string(broken) + " WHERE n = 2");
    for (const char* stages :
         {R"([{"$count":"n"}])", R"([{"$skip":2}])", R"([{"$skip":2},{"$count":"n"}])",
          R"([{"$limit":2},{"$count":"n"}])"}) {
      const std::string given = ask("aggregate", R"(,"pipeline":)" + std::string(stages));
      EXPECT_TRUE(given.starts_with("ERROR store_error: Row 2 of class 'd'")) << stages << given;
    }
    EXPECT_TRUE(ask("count", "").starts_with("ERROR store_error")) << broken;
    EXPECT_TRUE(ask("query", R"(,"skip":2)").starts_with("ERROR store_error")) << broken;
    EXPECT_EQ(ask("aggregate", R"(,"pipeline":[{"$limit":1},{"$count":"n"}])").substr(0, 9),
              R"([{"n":1}])");
  }
  run_sql(R"(UPDATE d SET doc = '{"_id":2}')");
  EXPECT_EQ(ask("count", ""), R"({"count":3})");
}

TEST_F(DocumentRows, TheKeyOfATableStandsForTheNumbersThatItsRowsLack) {
  ASSERT_NO_FATAL_FAILURE(make("k TEXT, n INTEGER, doc, PRIMARY KEY(k, n)",
                               R"(('b,%',1,'{"a":1}'),('a',2,'{"_id":7}'))", "WITHOUT ROWID"));
  EXPECT_TRUE(
      ask("query", "").starts_with(R"([{"objectId":"7","_id":7},{"objectId":"b%2C%25,1","a":1}])"))
      << ask("query", "");
  EXPECT_TRUE(ask("get", R"(,"object_id":"b%2C%25,1")").starts_with(R"({"objectId":"b%2C%25,1")"));
  run_sql("UPDATE d SET doc = '5' WHERE n = 1");
  EXPECT_TRUE(has_error("count", "Row b%2C%25,1 of class 'd'"));
}

TEST_F(DocumentRows, AKeyOfOneColumnIsTheIdAsItIs) {
  ASSERT_NO_FATAL_FAILURE(
      make("k TEXT PRIMARY KEY, doc", R"(('x,y','{"a":1}'),('b','{"a":2}'))", "WITHOUT ROWID"));
  EXPECT_TRUE(ask("query", "").starts_with(R"([{"objectId":"b","a":2},{"objectId":"x,y","a":1}])"));
  EXPECT_TRUE(ask("get", R"(,"object_id":"x,y")").starts_with(R"({"objectId":"x,y","a":1})"));
}

TEST_F(DocumentRows, RootIsTheDocumentAsItIsStored) {
  ASSERT_NO_FATAL_FAILURE(
      make("doc TEXT", R"(('{"_id":1,"a":5}'),('{"objectId":"x","a":5}'),('{"_id":3}'))"));
  EXPECT_TRUE(has(R"({"$expr":{"$eq":["$$ROOT",{"_id":1,"a":5}]}})"));
  EXPECT_TRUE(has(R"({"$or":[{"$expr":{"$eq":[["$$CURRENT"],[{"_id":3}]]}}]})"));
  EXPECT_TRUE(has(R"({"$expr":{"$eq":["$$ROOT",{"objectId":"x","a":5}]}})"));
  EXPECT_TRUE(has(R"({"$expr":{"$eq":["$objectId","3"]}})"));
  EXPECT_TRUE(has(R"({"a":5,"_id":1,"$expr":{"$ne":[{"$literal":"$$ROOT"},"$a"]}})"));
  EXPECT_TRUE(
      has(R"({"_id":3,"$expr":{"$let":{"vars":{"CURRENT":7},"in":{"$eq":["$$CURRENT",7]}}}})"));
  EXPECT_TRUE(ask("distinct", R"(,"field":"_id","where":{"$expr":{"$eq":["$$ROOT",{"_id":3}]}})")
                  .starts_with("[3]"));
}

TEST_F(DocumentRows, DistinctGivesEachElementAndNull) {
  ASSERT_NO_FATAL_FAILURE(make(
      "doc TEXT",
      R"(('{"a":null}'),('{}'),('{"a":[]}'),('{"a":[1,[2]]}'),('{"a":{"b":[3,null]}}'),('{"a":[{"b":[4,5]},{"b":6},{"c":7},8]}'))"));
  const auto values = [&](const std::string& field) {
    const std::string answer = ask("distinct", R"(,"field":")" + field + "\"");
    return answer.substr(0, answer.find("]{") + 1);
  };
  EXPECT_EQ(values("a.b"), "[null,3,4,5,6]");
  EXPECT_EQ(values("a"), R"([null,1,[2],8,{"b":6},{"c":7},{"b":[3,null]},{"b":[4,5]}])");
  EXPECT_EQ(values("zz"), "[]");
}

TEST_F(DocumentRows, DistinctTakesNumbersForPlacesAndForFields) {
  ASSERT_NO_FATAL_FAILURE(make(
      "doc TEXT",
      R"(('{"a":[1,{"0":2,"b":3}]}'),('{"a":{"0":4}}'),('{"a":[[5,6],7]}'),('{"a":[{"b":[8,{"1":9}]}]}'),('{"a":0}'),('{"b":1}'))"));
  const auto values = [&](const std::string& field) {
    const std::string answer = ask("distinct", R"(,"field":")" + field + "\"");
    return answer.substr(0, answer.find("]{") + 1);
  };
  EXPECT_EQ(values("a.0"), R"([1,2,4,5,6,{"b":[8,{"1":9}]}])");
  EXPECT_EQ(values("a.1"), R"([7,{"0":2,"b":3}])");
  EXPECT_EQ(values("a.1.b"), "[3]");
  EXPECT_EQ(values("a.0.b.1"), R"([9,{"1":9}])");
  EXPECT_EQ(values("a.00"), "[]");
  EXPECT_EQ(values("a.12345678901"), "[]");
}

TEST_F(DocumentRows, ExplainKnowsEveryConditionThatAQueryKnows) {
  ASSERT_NO_FATAL_FAILURE(
      make("n INTEGER PRIMARY KEY, doc, _rperm", R"((1,'{"_id":{"$oid":"5f"},"of":"5f"}',1))"));
  run_sql("CREATE INDEX by_perm ON d(_rperm)");
  for (const char* where :
       {R"({"_id":{"$oid":"5f"}})", R"({"of":{"$inQuery":{"className":"d"}}})",
        R"({"objectId":{"$in":["5f"]}})", R"({"_id":{"$in":[{"$oid":"5f"},1],"$ne":2}})",
        R"({"at":{"$nearSphere":[1,2]}})"}) {
    const std::string args = R"(,"where":)" + std::string(where);
    EXPECT_FALSE(ask("query", args).starts_with("ERROR")) << where;
    EXPECT_TRUE(ask("explain", args).starts_with(R"({"full_scan":true,"indexes_used":[])"))
        << ask("explain", args);
  }
  EXPECT_TRUE(has(R"({"_id":{"$in":[{"$oid":"5f"},1],"$ne":2}})"));
  EXPECT_FALSE(has(R"({"_id":{"$nin":[{"$oid":"5f"},1]}})"));
  EXPECT_TRUE(has(R"({"_id":{"$nin":[{"$oid":"5e"},1]}})"));
  EXPECT_TRUE(has(R"({"of":{"$inQuery":{"className":"d"}}})"));
  EXPECT_FALSE(has(R"({"of":{"$notInQuery":{"className":"d"}}})"));
  for (const char* wrong : {R"(,"where":{"a":{"$inQery":1}})", R"(,"where":{"a._rperm":1})",
                            R"(,"where":{"a":{"$inQuery":{"className":"x"}}})",
                            R"(,"where":{"at":{"$nearSphere":[1,2]}},"order":"a._rperm")"}) {
    EXPECT_EQ(ask("explain", wrong), ask("query", wrong));
    EXPECT_TRUE(ask("query", wrong).starts_with("ERROR")) << wrong;
  }
  EXPECT_TRUE(
      ask("explain", R"(,"order":"-objectId","limit":5)").starts_with(R"({"full_scan":true)"));
  EXPECT_TRUE(ask("explain", R"(,"limit":5)").starts_with(R"({"full_scan":false)"));
}

TEST_F(DocumentRows, SubQueriesAreRefusedInTheWordsForColumns) {
  ASSERT_NO_FATAL_FAILURE(make("n INTEGER PRIMARY KEY, doc", R"((1,'{"of":"5f"}'))"));
  const auto refusal = [&](const std::string& query) {
    return ask("query", R"(,"where":{"of":{"$inQuery":)" + query + "}}");
  };
  for (const auto& [query, words] : std::vector<std::pair<std::string, std::string>>{
           {R"({"className":"d","limit":-1})", "'limit' of a sub-query is a whole number"},
           {R"({"className":"d","where":[]})", "'where' of a sub-query is an object"},
           {R"({"className":"d","wehre":{}})", "'wehre' is none of them"},
           {R"({"where":{}})", "Operator $inQuery needs a className"}}) {
    EXPECT_NE(refusal(query).find(words), std::string::npos) << refusal(query);
  }
}

TEST_F(DocumentRows, AnOrderComesBeforeTheDistance) {
  make("doc TEXT", R"(('{"_id":1,"p":[3,0],"n":1}'),('{"_id":2,"p":[1,0],"n":2}'),)"
                   R"(('{"_id":3,"p":[2,0],"n":1}'),('{"_id":4,"n":0}'))");
  const auto found = [&](const std::string& rest) {
    const std::string answer =
        ask("query", R"(,"where":{"p":{"$near":[0,0]}},"keys":["n"])" + rest);
    std::string ids;
    for (auto at = answer.find("\"_id\":"); at != std::string::npos;
         at = answer.find("\"_id\":", at + 1)) {
      ids += answer[at + 6];
    }
    return ids.empty() ? answer : ids;
  };
  EXPECT_EQ(found(""), "231");
  EXPECT_EQ(found(R"(,"order":"objectId")"), "123");
  EXPECT_EQ(found(R"(,"order":"n")"), "312") << "the nearer one of two that are equal";
  EXPECT_EQ(found(R"(,"order":"-n","limit":1)"), "2");
  EXPECT_EQ(found(R"(,"order":"n","skip":1)"), "12");
}

TEST_F(DocumentRows, TheHeaviestFieldGoesThenRowsThenFurtherFields) {
  const std::string x(300, 'x'), y(200, 'y'), z(100, 'z');
  const auto document = [&](int id) {
    return R"(('{"_id":)" + std::to_string(id) + R"(,"x":")" + x + R"(","y":")" + y + R"(","z":")" +
           z + R"(","é\"":1}'))";
  };
  make("doc TEXT", document(1) + "," + document(2));
  const auto shown = [&](const char* id, const std::string& fields) {
    return R"({"objectId":")" + std::string(id) + R"(","_id":)" + id + fields + R"(,"é\"":1})";
  };
  const std::string with_z = R"(,"z":")" + z + "\"";
  const std::string with_y = R"(,"y":")" + y + "\"" + with_z;
  const std::string with_x = R"(,"x":")" + x + "\"" + with_y;
  const auto rows = [&](std::size_t cap) {
    const std::string text = timed("query", "", Budget::for_ms(60'000), cap).text;
    return text.substr(0, text.find("]{") + 1);
  };
  EXPECT_EQ(rows(4'000), "[" + shown("1", with_x) + "," + shown("2", with_x) + "]");
  EXPECT_EQ(rows(2'000), "[" + shown("1", with_y) + "," + shown("2", with_y) + "]");
  EXPECT_EQ(rows(1'000), "[" + shown("1", with_y) + "]");
  EXPECT_EQ(rows(400), "[" + shown("1", with_z) + "]");
  const std::string least = timed("query", "", Budget::for_ms(60'000), 40).text;
  EXPECT_TRUE(least.starts_with(R"([]{"result_count":0)")) << least;
  EXPECT_NE(least.find(R"("dropped_fields":["x","y","z","é\""])"), std::string::npos) << least;
}

// Regression: a gigabyte of text was built, without a check of the clock.
TEST_F(DocumentRows, AnObjectThatIsIncludedOftenIsNotWrittenOften) {
  make("doc TEXT", R"(('{"_id":"b","t":"' || hex(zeroblob(500000)) || '"}'))");
  run_sql(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 999) "
      R"(INSERT INTO d SELECT '{"_id":' || i || ',"p":{"__type":"Pointer","className":"d",)"
      R"("objectId":"b"}}' FROM n)");
  const Timed asked =
      timed("query", R"(,"where":{"p":{"$exists":true}},"include":["p"],"limit":1000)",
            Budget::for_ms(300));
  EXPECT_LT(asked.ms, 300 + 500) << asked.text.substr(0, 200);
}

// Regression: the whole answer was written again for each dropped field.
TEST_F(DocumentRows, ManyFieldsThatDoNotFitGoAtOnce) {
  make("doc TEXT",
       "((WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8000) "
       R"(SELECT '{"_id":1,' || group_concat('"k' || i || '":"' || hex(zeroblob(150)) || '"') || )"
       "'}' FROM n))");
  const Timed asked = timed("query", "", Budget::for_ms(20'000), 1u << 20);
  EXPECT_NE(asked.text.find(R"("kept_count":1,"original_count":1)"), std::string::npos)
      << asked.text.substr(asked.text.size() - 300);
  EXPECT_LT(asked.text.find("]{"), 1u << 20);
  EXPECT_LT(asked.ms, 3'000);
}

// Regression: each name was compared with all others.
TEST_F(DocumentRows, ASchemaOfManyFieldsIsMadeInTime) {
  make("doc TEXT",
       "((WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000) "
       R"(SELECT '{' || group_concat('"field' || i || '":1') || '}' FROM n)))");
  const Timed asked = timed("schema", "", Budget::for_ms(20'000));
  EXPECT_FALSE(asked.text.starts_with("ERROR")) << asked.text;
  EXPECT_LT(asked.ms, 2'500);
}

TEST_F(DocumentRows, ASchemaThatIsCutShortIsNoAnswer) {
  make("doc TEXT", "('{}')");
  run_sql(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50) "
      R"(INSERT INTO d SELECT '{"k' || i || '":[1' || replace(hex(zeroblob(1000)), '0', ',1') || )"
      "']}' FROM n");
  run_sql(R"(UPDATE d SET doc = '5' WHERE doc LIKE '{"k7"%')");
  std::uint64_t looks = 0, stop_at = 0;
  Budget budget = Budget::for_ms(60'000);
  budget.cancelled = [&] { return ++looks >= stop_at && stop_at != 0; };
  const std::string whole = timed("schema", "", budget).text;
  EXPECT_NE(whole.find(R"("name":"k50")"), std::string::npos) << whole;
  EXPECT_EQ(whole.find(R"("name":"k7")"), std::string::npos) << "a row that is no document";
  const std::uint64_t all = looks;
  ASSERT_GT(all, 5u);
  for (stop_at = 1; stop_at < all; stop_at += all / 25 + 1) {
    looks = 0;
    const std::string cut = timed("schema", "", budget, (4u << 20) + stop_at).text;
    if (cut != whole) {
      EXPECT_EQ(cut, "ERROR cancelled") << stop_at;
    }
  }
}

}  // namespace
}  // namespace gantry::data::documents_test
