#include <gtest/gtest.h>

#include "pipeline/tests/pipelines.hpp"

namespace gantry::data::pipeline::window_test {
namespace {

using tests::Database;

constexpr std::string_view kFive =
    "[{'_id':1,'v':1},{'_id':2,'v':2},{'_id':3,'v':4},{'_id':4,'v':8},{'_id':5,'v':16}]";

// The results of one function over five documents, sorted by _id.
std::string over_five(const std::string& call, const std::string& sort = "{'_id':1}",
                      std::string_view documents = kFive) {
  return Database(documents).run("[{'$setWindowFields':{'sortBy':" + sort +
                                 ",'output':{'r':" + call +
                                 "}}},{'$group':{'_id':null,'r':{'$push':'$r'}}},"
                                 "{'$project':{'_id':0}}]");
}
std::string results(const std::string& list) { return "[{'r':[" + list + "]}]"; }
bool is_refused(const std::string& answer) { return answer.substr(0, 6) == "error:"; }

TEST(Window, SlidesOverNeighbouringDocuments) {
  EXPECT_EQ(over_five("{'$sum':'$v','window':{'documents':[-1,1]}}"), results("3,7,14,28,24"));
  EXPECT_EQ(over_five("{'$sum':'$v','window':{'documents':['unbounded','current']}}"),
            results("1,3,7,15,31"));
  EXPECT_EQ(over_five("{'$sum':'$v','window':{'documents':['current','unbounded']}}"),
            results("31,30,28,24,16"));
  EXPECT_EQ(over_five("{'$avg':'$v','window':{'documents':[2,'unbounded']}}"),
            results("9.333333333333334,12.0,16.0,null,null"));
  EXPECT_EQ(over_five("{'$push':'$v','window':{'documents':[3,'unbounded']}}"),
            results("[8,16],[16],[],[],[]"));
  EXPECT_EQ(over_five("{'$push':'$v','window':{'documents':[-9,-2]}}"),
            results("[],[],[1],[1,2],[1,2,4]"));
  EXPECT_EQ(over_five("{'$first':'$v','window':{'documents':[1,2]}}"), results("2,4,8,16,null"));
  EXPECT_EQ(over_five("{'$max':'$v'}"), results("16,16,16,16,16"));
}

TEST(Window, RangesGoByTheSortedValue) {
  EXPECT_EQ(over_five("{'$sum':'$v','window':{'range':[-4,0]}}", "{'v':1}"),
            results("1,3,7,12,16"));
  EXPECT_EQ(over_five("{'$count':{},'window':{'range':[-0.5,0.5]}}", "{'_id':1}",
                      "[{'_id':1},{'_id':1},{'_id':1.5},{'_id':3}]"),
            results("3,3,3,1"));
  EXPECT_EQ(over_five("{'$count':{},'window':{'range':[-1,0],'unit':'month'}}", "{'d':1}",
                      "[{'d':{'$date':'2024-01-31T00:00:00Z'}},"
                      "{'d':{'$date':'2024-02-29T00:00:00Z'}},"
                      "{'d':{'$date':'2024-04-01T00:00:00Z'}}]"),
            results("1,2,1"));
}

TEST(Window, RefusesBoundsThatMakeNoSense) {
  for (const char* window :
       {"[-1,0]", "5", "{'documents':[]}", "{'documents':[1,0]}", "{'documents':[-1.5,0]}",
        "{'documents':[0,1],'range':[0,1]}", "{'documents':['now',0]}", "{'range':[null,1]}",
        "{'range':[1,0]}", "{'documents':[0,1],'unit':'day'}", "{'range':[0,1],'unit':'days'}",
        "{'range':[0,1.5],'unit':'day'}", "{'range':[0,1],'unit':'day'}"}) {
    EXPECT_TRUE(is_refused(over_five(std::string("{'$sum':'$v','window':") + window + "}")))
        << window;
  }
  EXPECT_TRUE(is_refused(over_five("{'$sum':'$v','window':{'range':[0,1]}}", "{'_id':-1}")));
  EXPECT_TRUE(is_refused(over_five("{'$sum':'$v','window':{'range':[0,1]}}", "{'_id':1,'v':1}")));
  EXPECT_TRUE(is_refused(over_five("{'$sum':'$v','window':{'range':[0,1]}}", "{'none':1}")));
}

TEST(Window, PartitionsTakeNullAndMissingAsOne) {
  EXPECT_EQ(Database("[{'_id':1,'p':'b','v':1},{'_id':2,'v':2},{'_id':3,'p':null,'v':4}]")
                .run("[{'$setWindowFields':{'partitionBy':'$p','output':{'s.t':{'$sum':'$v'}}}}]"),
            "[{'_id':2,'v':2,'s':{'t':6}},{'_id':3,'p':null,'v':4,'s':{'t':6}},"
            "{'_id':1,'p':'b','v':1,'s':{'t':1}}]");
  EXPECT_TRUE(is_refused(
      Database("[{'p':[1]}]").run("[{'$setWindowFields':{'partitionBy':'$p','output':{}}}]")));
}

TEST(Window, NullAsSortByIsNone) {
  const std::string all = results("31,31,31,31,31");
  EXPECT_EQ(over_five("{'$sum':'$v'}", "null"), all);
  EXPECT_EQ(over_five("{'$sum':'$v','window':{'documents':['unbounded','unbounded']}}", "null"),
            all);
  EXPECT_TRUE(is_refused(over_five("{'$rank':{}}", "null")));
  EXPECT_TRUE(is_refused(over_five("{'$sum':'$v'}", "1")));
}

TEST(Window, RefusesInvalidWindowFunctions) {
  for (const char* output : {"{}", "5", "{'$mergeObjects':'$v'}", "{'$nope':1}",
                             "{'$sum':'$v','$avg':'$v'}", "{'$sum':'$v','windows':{}}"}) {
    EXPECT_TRUE(is_refused(over_five(output))) << output;
  }
  const Database documents(kFive);
  EXPECT_TRUE(is_refused(Database(kFive).run("[{'$setWindowFields':{'sortBy':{'_id':1}}}]")));
  EXPECT_TRUE(is_refused(
      Database(kFive).run("[{'$setWindowFields':{'output':{'a':{'$sum':1},'a.b':{'$sum':1}}}}]")));
}

TEST(WindowRank, CountsTiesInThreeWays) {
  constexpr std::string_view ties = "[{'v':5},{'v':5},{'v':7},{},{'v':null}]";
  EXPECT_EQ(over_five("{'$rank':{}}", "{'v':1}", ties), results("1,1,3,3,5"));
  EXPECT_EQ(over_five("{'$denseRank':{}}", "{'v':1}", ties), results("1,1,2,2,3"));
  EXPECT_EQ(over_five("{'$documentNumber':{}}", "{'v':1}", ties), results("1,2,3,4,5"));
  EXPECT_TRUE(is_refused(over_five("{'$rank':{'x':1}}")));
  EXPECT_TRUE(is_refused(over_five("{'$rank':{},'window':{}}")));
  EXPECT_TRUE(is_refused(over_five("{'$rank':{}}", "{'v':1,'_id':1}")));
  EXPECT_TRUE(is_refused(over_five("{'$documentNumber':{}}", "{'v':1,'_id':1}")));
}

TEST(WindowShift, LooksBothWays) {
  EXPECT_EQ(over_five("{'$shift':{'output':'$v','by':1,'default':'end'}}"),
            results("2,4,8,16,'end'"));
  EXPECT_EQ(over_five("{'$shift':{'output':'$v','by':-2}}"), results("null,null,1,2,4"));
  EXPECT_TRUE(is_refused(over_five("{'$shift':{'output':'$v','by':0.5}}")));
  EXPECT_TRUE(is_refused(over_five("{'$shift':{'output':'$v','by':1,'default':'$v'}}")));
}

TEST(WindowDerivative, DividesByThePassedTime) {
  EXPECT_EQ(over_five("{'$derivative':{'input':'$v'},'window':{'documents':[-1,0]}}"),
            results("null,1.0,2.0,4.0,8.0"));
  EXPECT_EQ(over_five("{'$derivative':{'input':'$v','unit':'hour'},'window':{'documents':[-1,0]}}",
                      "{'d':1}",
                      "[{'d':{'$date':'2024-01-01T00:00:00Z'},'v':1},"
                      "{'d':{'$date':'2024-01-01T00:30:00Z'},'v':4}]"),
            results("null,6.0"));
  EXPECT_EQ(over_five("{'$derivative':{'input':'$d'},'window':{'documents':[-1,0]}}", "{'_id':1}",
                      "[{'_id':1,'d':{'$date':'2024-01-01T00:00:00Z'}},"
                      "{'_id':3,'d':{'$date':'2024-01-01T00:00:01Z'}},{'_id':4}]"),
            results("null,500.0,null"));
  EXPECT_TRUE(is_refused(over_five("{'$derivative':{'input':'$v'}}")));
  EXPECT_TRUE(is_refused(
      over_five("{'$derivative':{'input':'$v','unit':'hour'},'window':{'documents':[-1,0]}}")));
  EXPECT_TRUE(is_refused(
      over_five("{'$derivative':{'input':'$v','unit':'month'},'window':{'documents':[-1,0]}}")));
}

TEST(WindowIntegral, AddsTrapezoids) {
  EXPECT_EQ(
      over_five("{'$integral':{'input':'$v'},'window':{'documents':['unbounded','current']}}"),
      results("0.0,1.5,4.5,10.5,22.5"));
}

TEST(WindowMovingAverage, WeighsTheRecentOnes) {
  EXPECT_EQ(over_five("{'$expMovingAvg':{'input':'$v','alpha':0.5}}"),
            results("1,1.5,2.75,5.375,10.6875"));
  EXPECT_EQ(over_five("{'$expMovingAvg':{'input':'$v','N':3}}"),
            results("1,1.5,2.75,5.375,10.6875"));
  for (const char* bad : {"{'input':'$v'}", "{'input':'$v','N':3,'alpha':0.5}",
                          "{'input':'$v','N':0}", "{'input':'$v','alpha':1}"}) {
    EXPECT_TRUE(is_refused(over_five(std::string("{'$expMovingAvg':") + bad + "}"))) << bad;
  }
}

TEST(WindowCovariance, WantsPairsOfNumbers) {
  EXPECT_EQ(over_five("{'$covariancePop':['$_id','$v']}", "{'_id':1}",
                      "[{'_id':1,'v':2},{'_id':2,'v':'x'},{'_id':3,'v':6}]"),
            results("2.0,2.0,2.0"));
  EXPECT_EQ(over_five("{'$covarianceSamp':['$_id','$v']}", "{'_id':1}", "[{'_id':1,'v':2}]"),
            results("null"));
}

TEST(WindowFill, CarriesOnOrDrawsLines) {
  constexpr std::string_view gaps =
      "[{'_id':0},{'_id':1,'v':1},{'_id':2,'v':null},{'_id':4},{'_id':5,'v':9},{'_id':6}]";
  EXPECT_EQ(over_five("{'$locf':'$v'}", "{'_id':1}", gaps), results("null,1,1,1,9,9"));
  EXPECT_EQ(over_five("{'$linearFill':'$v'}", "{'_id':1}", gaps), results("null,1,3.0,7.0,9,null"));
  EXPECT_TRUE(is_refused(over_five("{'$linearFill':'$v'}", "{'v':1}", "[{'v':1},{'v':1}]")));
  EXPECT_TRUE(is_refused(over_five("{'$linearFill':'$v'}", "{'_id':1}", "[{'_id':1,'v':'x'}]")));
}

TEST(Window, StopsWhenItsMemoryIsSpent) {
  EXPECT_TRUE(is_refused(
      Database(kFive).run("[{'$setWindowFields':{'output':{'r':{'$push':'$v'}}}}]", 500)));
}

}  // namespace
}  // namespace gantry::data::pipeline::window_test
