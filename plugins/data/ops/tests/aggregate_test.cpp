// Pipelines, groups and distinct values over a small database, as the aggregate family calls them.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <string>

#include "ops/documents_reply.hpp"
#include "ops/error_details.hpp"
#include "small_database.hpp"

namespace gantry::data::aggregate_test {
namespace {

class Aggregate : public SmallDatabase {
 protected:
  void SetUp() override {
    make(R"sql(
      CREATE TABLE city(code TEXT PRIMARY KEY, name TEXT NOT NULL, twin TEXT REFERENCES city(code));
      CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT, age INTEGER, active BOOLEAN,
                          home TEXT REFERENCES city(code), tags JSON, born_at DATETIME,
                          password TEXT);
      INSERT INTO city VALUES('ber','Berlin','par'),('par','Paris','ber'),('rom','Rome',NULL);
      INSERT INTO person VALUES
        (1,'Ada',36,1,'ber','["a","b"]','2026-01-31T23:30:00.000Z','x'),
        (2,'Bob',17,0,'par','["b"]','2026-02-01T10:00:00.000Z','x'),
        (3,'Cyd',NULL,1,'ber',NULL,NULL,'x');)sql");
  }

  // Arguments and answers have ' for ", for legibility.
  Outcome<Reply> run(const std::string& op, std::string args, std::size_t cap = 4u << 20,
                     Budget budget = Budget::for_ms(5000)) {
    std::replace(args.begin(), args.end(), '\'', '"');
    return service_->run(R"({"op":")" + op + R"(","args":)" + args + "}", {budget, cap, nullptr});
  }
  static std::string text_of(const Outcome<Reply>& reply, const std::string Reply::*part) {
    std::string text =
        reply ? (*reply).*part : "ERROR " + reply.error().code + ": " + reply.error().message;
    std::replace(text.begin(), text.end(), '"', '\'');
    return text;
  }
  std::string rows(const std::string& op, const std::string& args) {
    return text_of(run(op, args), &Reply::rows);
  }
  std::string meta(const std::string& op, const std::string& args) {
    return text_of(run(op, args), &Reply::meta);
  }
  std::string people(const std::string& stages) {
    return rows("aggregate", "{'class_name':'person','pipeline':" + stages + "}");
  }
  std::string cities(const std::string& stages) {
    return rows("aggregate", "{'class_name':'city','pipeline':" + stages + "}");
  }
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(Aggregate, DocumentsHaveTheirIdOnceAndLeaveNullsOut) {
  EXPECT_EQ(cities("[]"),
            "[{'objectId':'ber','code':'ber','name':'Berlin','twin':'par'},"
            "{'objectId':'par','code':'par','name':'Paris','twin':'ber'},"
            "{'objectId':'rom','code':'rom','name':'Rome'}]");
  EXPECT_EQ(people("[{'$match':{'id':1}},{'$project':{'active':1,'born_at':1}}]"),
            "[{'objectId':'1','active':true,"
            "'born_at':{'__type':'Date','iso':'2026-01-31T23:30:00.000Z'}}]");
  EXPECT_FALSE(has(people("[]"), "password"));
}

TEST_F(Aggregate, TheIdHasTwoNamesUntilAStageMakesItsOwn) {
  EXPECT_EQ(cities("[{'$match':{'_id':'rom'}},{'$project':{'name':1}}]"),
            "[{'objectId':'rom','name':'Rome'}]");
  EXPECT_EQ(cities("[{'$match':{'objectId':'rom'}},{'$project':{'_id':0,'name':1}}]"),
            "[{'name':'Rome'}]");
  EXPECT_EQ(cities("[{'$match':{'_id':'rom'}},{'$unset':'objectId'}]"), "[{'name':'Rome'}]");
  EXPECT_EQ(cities("[{'$match':{'_id':'rom'}},{'$group':{'_id':'$_id'}}]"), "[{'_id':'rom'}]");
}

TEST_F(Aggregate, GroupsAndSorts) {
  EXPECT_EQ(people("[{'$group':{'_id':'$active','n':{'$sum':1},'age':{'$avg':'$age'}}},"
                   "{'$sort':{'n':-1}}]"),
            "[{'_id':true,'n':2,'age':36.0},{'_id':false,'n':1,'age':17.0}]");
  EXPECT_EQ(people("[{'$match':{'age':{'$exists':false}}},{'$count':'n'}]"), "[{'n':1}]");
}

TEST_F(Aggregate, PointersAreCompactedUnlessTheCallerSaysNo) {
  const std::string stages = "[{'$group':{'_id':'$home','n':{'$sum':1}}},{'$sort':{'n':-1}}]";
  EXPECT_EQ(people(stages), "[{'_id':'ber','n':2},{'_id':'par','n':1}]");
  EXPECT_TRUE(has(meta("aggregate", "{'class_name':'person','pipeline':" + stages + "}"),
                  "'pointer_classes':{'_id':'city'}"));
  EXPECT_TRUE(has(rows("aggregate", "{'class_name':'person','compact_pointers':false,'pipeline':" +
                                        stages + "}"),
                  "{'__type':'Pointer','className':'city','objectId':'ber'}"));
}

TEST_F(Aggregate, ConditionsTakePointersAndDatesInAllTheirShapes) {
  const std::string ada_and_cyd = "[{'n':2}]";
  for (const char* home : {"'ber'", "{'$in':['ber','rom']}", "{'$ne':'par'}",
                           "{'__type':'Pointer','className':'city','objectId':'ber'}",
                           "{'$eq':{'objectId':'ber','className':'city','__type':'Pointer'}}"}) {
    EXPECT_EQ(people("[{'$match':{'home':" + std::string(home) + "}},{'$count':'n'}]"), ada_and_cyd)
        << home;
  }
  EXPECT_EQ(people("[{'$match':{'born_at':{'$gte':'2026-02-01'}}},{'$count':'n'}]"), "[{'n':1}]");
}

TEST_F(Aggregate, JoinsOnPointersAndIds) {
  EXPECT_EQ(people("[{'$match':{'id':2}},{'$lookup':{'from':'city','localField':'home',"
                   "'foreignField':'objectId','as':'at'}},{'$project':{'_id':0,'at.name':1}}]"),
            "[{'at':[{'name':'Paris'}]}]");
  EXPECT_EQ(cities("[{'$lookup':{'from':'person','localField':'_id','foreignField':'home',"
                   "'as':'p'}},{'$project':{'_id':0,'n':{'$size':'$p'}}}]"),
            "[{'n':2},{'n':1},{'n':0}]");
  EXPECT_EQ(cities("[{'$match':{'_id':'ber'}},{'$lookup':{'from':'city','localField':'twin',"
                   "'foreignField':'_id','as':'t'}},{'$project':{'t':1}}]"),
            "[{'objectId':'ber','t':[{'objectId':'par','code':'par','name':'Paris','twin':"
            "{'__type':'Pointer','className':'city','objectId':'ber'}}]}]");
}

TEST_F(Aggregate, WalksGraphsOfPointers) {
  EXPECT_EQ(cities("[{'$match':{'_id':'ber'}},{'$graphLookup':{'from':'city','startWith':'$twin',"
                   "'connectFromField':'twin','connectToField':'objectId','as':'all'}},"
                   "{'$project':{'_id':0,'n':{'$size':'$all'}}}]"),
            "[{'n':2}]");
  EXPECT_EQ(cities("[{'$match':{'_id':'ber'}},{'$graphLookup':{'from':'city','startWith':'$_id',"
                   "'connectFromField':'_id','connectToField':'twin','as':'all'}},"
                   "{'$project':{'_id':0,'n':{'$size':'$all'}}}]"),
            "[{'n':2}]");
}

TEST_F(Aggregate, UnwindsJsonAndFacets) {
  EXPECT_EQ(people("[{'$unwind':'$tags'},{'$sortByCount':'$tags'}]"),
            "[{'_id':'b','count':2},{'_id':'a','count':1}]");
  EXPECT_EQ(people("[{'$facet':{'all':[{'$count':'n'}],'old':[{'$match':{'age':{'$gt':20}}},"
                   "{'$count':'n'}]}}]"),
            "[{'all':[{'n':3}],'old':[{'n':1}]}]");
}

TEST_F(Aggregate, UnknownFieldsNameTheNearestUntilAStageMakesThem) {
  for (const char* stages :
       {"[{'$match':{'nmae':1}}]", "[{'$group':{'_id':'$nmae'}}]", "[{'$sort':{'nmae':1}}]",
        "[{'$project':{'nmae':1}}]", "[{'$unset':'nmae'}]", "[{'$unwind':'$nmae'}]",
        "[{'$addFields':{'x':{'$toUpper':'$nmae'}}}]", "[{'$facet':{'a':[{'$sort':{'nmae':1}}]}}]",
        "[{'$lookup':{'from':'city','localField':'home','foreignField':'nmae','as':'x'}}]",
        "[{'$lookup':{'from':'city','pipeline':[{'$match':{'nmae':1}}],'as':'x'}}]"}) {
    const std::string answer = people(stages);
    EXPECT_TRUE(answer.starts_with("ERROR invalid_query")) << stages << answer;
    EXPECT_TRUE(has(answer, "Did you mean 'name'?")) << stages << answer;
  }
  EXPECT_EQ(people("[{'$addFields':{'nmae':'$name'}},{'$match':{'nmae':'Ada'}},{'$count':'n'}]"),
            "[{'n':1}]");
  EXPECT_EQ(people("[{'$unionWith':'city'},{'$match':{'code':'rom'}},{'$count':'n'}]"),
            "[{'n':1}]");
  EXPECT_EQ(people("[{'$match':{'_id':'1','objectId':'1'}},{'$count':'n'}]"), "[{'n':1}]");
  EXPECT_TRUE(has(people("[{'$match':{'code':'rom'}},{'$unionWith':'city'}]"), "'code'"));
  EXPECT_TRUE(people("[{'$group':{'_id':'$password'}}]").starts_with("ERROR access_denied"));
  EXPECT_TRUE(people("[{'$group':{'_id':'$_Password_History'}}]").starts_with("ERROR access"));
}

TEST_F(Aggregate, RefusesWritingStagesAndHiddenClasses) {
  for (const char* stage : {"{'$out':'x'}", "{'$merge':{'into':'x'}}"}) {
    EXPECT_TRUE(people("[" + std::string(stage) + "]").starts_with("ERROR security_blocked"));
  }
  EXPECT_TRUE(has(people("[{'$lookup':{'from':'ctiy','pipeline':[],'as':'x'}}]"), "'city'"));
  EXPECT_TRUE(has(people("[{'$unionWith':'sqlite_master'}]"), "ERROR access_denied"));
}

TEST_F(Aggregate, DocumentsNeedNoClass) {
  EXPECT_EQ(rows("aggregate", "{'pipeline':[{'$documents':[{'a':1},{'a':2.0}]}]}"),
            "[{'a':1},{'a':2.0}]");
  EXPECT_TRUE(has(rows("aggregate", "{'pipeline':[{'$match':{}}]}"), "'class_name' is missing"));
}

TEST_F(Aggregate, TheAutomaticBoundIsExact) {
  const auto numbers = [](int n, const std::string& more) {
    return "{'pipeline':[{'$documents':{'$map':{'input':{'$range':[0," + std::to_string(n) +
           "]},'in':{'n':'$$this'}}}}" + more + "]}";
  };
  EXPECT_FALSE(has(meta("aggregate", numbers(200, "")), "auto_limited"));
  EXPECT_TRUE(has(meta("aggregate", numbers(201, "")),
                  "'result_count':200,'auto_limited':true,'auto_limit':200"));
  EXPECT_TRUE(has(meta("aggregate", numbers(500, ",{'$limit':300}")), "'result_count':300}"));
  EXPECT_TRUE(has(meta("aggregate", numbers(10001, ",{'$limit':20000}")),
                  "'result_count':10000,'auto_limited':true,'auto_limit':10000"));
}

TEST_F(Aggregate, StopsWhenTimeIsUpAndWhenTheCallerGoes) {
  const std::string endless =
      "{'pipeline':[{'$documents':{'$map':{'input':{'$range':[0,3000]},'in':{'n':'$$this'}}}},"
      "{'$group':{'_id':null,'all':{'$push':'$n'}}},{'$unwind':'$all'},"
      "{'$project':{'s':{'$sum':{'$map':{'input':{'$range':[0,100000]},'in':'$$this'}}}}},"
      "{'$count':'n'}]}";
  auto timed_out = run("aggregate", endless, 4u << 20, Budget::for_ms(100));
  ASSERT_FALSE(timed_out);
  EXPECT_EQ(timed_out.error().code, "timeout");
  Budget cancelled = Budget::for_ms(5000);
  cancelled.cancelled = [] { return true; };
  auto gone = run("aggregate", endless, 4u << 20, cancelled);
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().code, "cancelled");
}

TEST_F(Aggregate, AnswersThatAreTooLargeRankTheirFields) {
  auto reply = run("aggregate",
                   "{'class_name':'person','pipeline':[{'$addFields':{'big':{'$reduce':{'input':"
                   "{'$range':[0,100]},'initialValue':'','in':{'$concat':['$$value',"
                   "'0123456789']}}}}}]}",
                   2000);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, "invalid_argument");
  EXPECT_TRUE(has(error_details(reply.error()), R"("largest_fields":[{"name":"big")"));
}

TEST_F(Aggregate, DistinctTakesElementsOfArraysAndLeavesNothingOut) {
  EXPECT_EQ(rows("distinct", "{'class_name':'person','field':'tags'}"), "['a','b']");
  EXPECT_EQ(rows("distinct", "{'class_name':'person','field':'age','sort':'desc'}"), "[36,17]");
  EXPECT_EQ(rows("distinct", "{'class_name':'person','field':'home','where':{'age':17}}"),
            "['par']");
  EXPECT_EQ(meta("distinct", "{'class_name':'person','field':'home','limit':1}"),
            "{'field':'home','count':1,'pointer_class':'city','truncated':true}");
  EXPECT_TRUE(has(rows("distinct", "{'class_name':'person','field':'hme'}"), "'home'"));
}

TEST_F(Aggregate, GroupByComputesSortsAndTruncates) {
  EXPECT_EQ(rows("group_by", "{'class_name':'person','field':'home'}"),
            "[{'key':'ber','value':2},{'key':'par','value':1}]");
  EXPECT_EQ(meta("group_by", "{'class_name':'person','field':'home','limit':1}"),
            "{'field':'home','operation':'count','sort':'value_desc','group_count':1,'limit':1,"
            "'pointer_class':'city','truncated':true}");
  EXPECT_EQ(rows("group_by",
                 "{'class_name':'person','field':'tags','flatten_arrays':true,"
                 "'operation':'max','value_field':'age','sort':'key_asc'}"),
            "[{'key':'a','value':36},{'key':'b','value':36}]");
  EXPECT_TRUE(has(rows("group_by", "{'class_name':'person','field':'age','operation':'sum'}"),
                  "'value_field' is missing"));
}

TEST_F(Aggregate, GroupByTakesSeveralFields) {
  EXPECT_EQ(
      rows("group_by", "{'class_name':'person','fields':['home','home.name'],'sort':'key_asc'}"),
      "[{'key':{'home':'ber','home.name':'Berlin'},'value':2},"
      "{'key':{'home':'par','home.name':'Paris'},'value':1}]");
  EXPECT_EQ(meta("group_by", "{'class_name':'person','fields':['home'],'limit':1}"),
            "{'fields':['home'],'operation':'count','sort':'value_desc','group_count':1,'limit':1,"
            "'pointer_classes':{'home':'city'},'truncated':true}");
  EXPECT_TRUE(has(meta("group_by", "{'class_name':'person','fields':['home.name'],'dry_run':true}"),
                  "'home_name'"));
}

TEST_F(Aggregate, GroupByDateUsesTheTimeZoneAndKeepsRowsWithoutADate) {
  const std::string args = "{'class_name':'person','field':'born_at','interval':'month'";
  EXPECT_EQ(rows("group_by_date", args + "}"),
            "[{'key':null,'value':1},{'key':'2026-01','value':1},{'key':'2026-02','value':1}]");
  EXPECT_EQ(rows("group_by_date", args + ",'timezone':'Europe/Berlin'}"),
            "[{'key':null,'value':1},{'key':'2026-02','value':2}]");
  const std::string quarters = "{'class_name':'person','field':'born_at','interval':'quarter'}";
  EXPECT_EQ(rows("group_by_date", quarters),
            "[{'key':null,'value':1},{'key':'2026-Q1','value':2}]");
  EXPECT_TRUE(has(rows("group_by_date", "{'class_name':'person','field':'name','interval':'day'}"),
                  "holds no dates. Date fields: born_at"));
}

TEST_F(Aggregate, DryRunsGiveThePipelineAfterAllChecks) {
  EXPECT_EQ(meta("group_by",
                 "{'class_name':'person','field':'age','where':{'age':{'$gt':1}},"
                 "'dry_run':true}"),
            "{'dry_run':true,'parameters':{'field':'age','operation':'count','sort':'value_desc',"
            "'limit':200},'pipeline':[{'$match':{'age':{'$gt':1}}},{'$group':{'_id':'$age',"
            "'value':{'$sum':1}}},{'$sort':{'value':-1,'_id':1}},{'$limit':201}],'hint':'Nothing "
            "was read. Call aggregate with this pipeline to change it, or this tool without "
            "dry_run.'}");
  EXPECT_TRUE(
      has(meta("distinct", "{'class_name':'person','field':'hme','dry_run':true}"), "'home'"));
}

// Regression: each name was compared with all others, without a check of the clock.
TEST_F(Aggregate, ManyFieldsOfAnAnswerThatIsTooLargeAreRankedInTime) {
  const auto began = std::chrono::steady_clock::now();
  const auto reply =
      run("aggregate",
          "{'pipeline':[{'$documents':[{}]},{'$replaceWith':{'$arrayToObject':{'$map':{'input':"
          "{'$range':[0,20000]},'in':[{'$toString':'$$this'},'" +
              std::string(80, 'x') + "']}}}}]}",
          1u << 20, Budget::for_ms(20'000));
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
  ASSERT_FALSE(reply);
  EXPECT_TRUE(has(reply.error().message, "bytes, more than the")) << reply.error().message;
  EXPECT_LT(took.count(), 2'500);
}

TEST(CompactPointers, EndWithTheQuery) {
  Budget ended;
  ended.deadline_ns = 1;
  const Spending::Scope scope(ended);
  Array many(1'000, ObjectBuilder().add("a", Value::int32(1)).build());
  EXPECT_THROW(compact_pointers(many), TimeSpent);
}

}  // namespace
}  // namespace gantry::data::aggregate_test
