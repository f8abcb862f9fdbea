// Windows whose positions are dates, nulls or of mixed types, and values that are no numbers.
#include <gtest/gtest.h>

#include "pipeline/tests/pipelines.hpp"

namespace gantry::data::pipeline::tests::window_edges_test {
namespace {

// The results of one function over the documents, in their order.
std::string results(std::string_view documents, const std::string& call,
                    const std::string& sort = "{'_id':1}") {
  return Database(documents).run("[{'$setWindowFields':{'sortBy':" + sort +
                                 ",'output':{'r':" + call +
                                 "}}},{'$group':{'_id':null,'r':{'$push':'$r'}}},"
                                 "{'$project':{'_id':0}}]");
}
std::string list(const std::string& values) { return "[{'r':[" + values + "]}]"; }

constexpr std::string_view kDays =
    "[{'_id':1,'d':{'$date':'1969-12-30T00:00:00Z'},'v':1},"
    "{'_id':2,'d':{'$date':'1969-12-31T00:00:00Z'},'v':2},"
    "{'_id':3,'d':{'$date':'1970-01-02T00:00:00Z'},'v':4}]";

TEST(WindowEdges, RangesOfDatesReachAcross1970) {
  EXPECT_EQ(results(kDays, "{'$sum':'$v','window':{'range':[-1,0],'unit':'day'}}", "{'d':1}"),
            list("1,3,4"));
  EXPECT_EQ(
      results(kDays, "{'$sum':'$v','window':{'range':[-48,'current'],'unit':'hour'}}", "{'d':1}"),
      list("1,3,6"));
  EXPECT_EQ(
      results(kDays, "{'$sum':'$v','window':{'range':['unbounded',0],'unit':'year'}}", "{'d':1}"),
      list("1,3,7"));
}

TEST(WindowEdges, ARangeWantsOneKindOfPositions) {
  EXPECT_EQ(unsaid(results("[{'_id':1},{'_id':null}]", "{'$count':{},'window':{'range':[0,1]}}"),
                   {"$setWindowFields", "a number", "null"}),
            "");
  EXPECT_EQ(unsaid(results("[{'_id':1},{'_id':'x'}]", "{'$count':{},'window':{'range':[0,1]}}"),
                   {"a number", "a string"}),
            "");
  EXPECT_EQ(unsaid(results(kDays, "{'$count':{},'window':{'range':[0,1]}}", "{'d':1}"),
                   {"dates and a unit", "a date"}),
            "");
  EXPECT_EQ(unsaid(results("[{'_id':1}]", "{'$count':{},'window':{'range':[0,1],'unit':'day'}}"),
                   {"a date", "an int"}),
            "");
}

TEST(WindowEdges, BoundsFarBeyondThePartitionAreItsEnds) {
  constexpr std::string_view three = "[{'_id':1},{'_id':2},{'_id':3}]";
  EXPECT_EQ(results(three, "{'$count':{},'window':{'documents':[-9007199254740993,0]}}"),
            list("1,2,3"));
  EXPECT_EQ(results(three, "{'$count':{},'window':{'documents':[0,9007199254740993]}}"),
            list("3,2,1"));
  EXPECT_EQ(results(three, "{'$count':{},'window':{'documents':[5,9]}}"), list("0,0,0"));
  EXPECT_EQ(results(three, "{'$min':'$_id','window':{'documents':[1,1]}}"), list("2,3,null"));
}

TEST(WindowEdges, ShiftTakesNullForMissingAndTheDefaultBeyondTheEnds) {
  constexpr std::string_view gaps = "[{'_id':1,'v':1},{'_id':2},{'_id':3,'v':null}]";
  EXPECT_EQ(results(gaps, "{'$shift':{'output':'$v','by':1,'default':0}}"), list("null,null,0"));
  EXPECT_EQ(results(gaps, "{'$shift':{'output':'$v','by':0}}"), list("1,null,null"));
  EXPECT_EQ(results(gaps, "{'$shift':{'output':{'$add':['$_id',10]},'by':-1}}"),
            list("null,11,12"));
}

TEST(WindowEdges, TheDerivativeNeedsTwoPlacesAndNumbers) {
  const std::string call = "{'$derivative':{'input':'$v'},'window':{'documents':[-1,0]}}";
  EXPECT_EQ(results("[{'_id':1,'v':1}]", call), list("null"));
  EXPECT_EQ(results("[{'_id':1,'v':1},{'_id':1,'v':5}]", call), list("null,null"));
  EXPECT_EQ(results("[{'_id':1,'v':1},{'_id':2,'v':null}]", call), list("null,null"));
  EXPECT_EQ(unsaid(results("[{'_id':1,'v':1},{'_id':2,'v':'x'}]", call), {"$subtract"}), "");
  EXPECT_EQ(unsaid(results("[{'_id':'a','v':1},{'_id':'b','v':2}]", call),
                   {"$derivative", "numbers in the sortBy field", "a string"}),
            "");
  EXPECT_EQ(results(kDays,
                    "{'$derivative':{'input':'$v','unit':'day'},"
                    "'window':{'documents':[-1,0]}}",
                    "{'d':1}"),
            list("null,1.0,1.0"));
}

TEST(WindowEdges, TheIntegralSkipsWhatIsNull) {
  EXPECT_EQ(results("[{'_id':0,'v':2},{'_id':1},{'_id':2,'v':4}]", "{'$integral':{'input':'$v'}}"),
            list("6.0,6.0,6.0"));
  EXPECT_EQ(results("[{'_id':0,'v':2}]", "{'$integral':{'input':'$v'}}"), list("0.0"));
  EXPECT_EQ(results("[{'_id':0}]", "{'$integral':{'input':'$v'}}"), list("null"));
  EXPECT_EQ(unsaid(results("[{'_id':0,'v':'x'}]", "{'$integral':{'input':'$v'}}"),
                   {"$integral", "a string"}),
            "");
  EXPECT_EQ(results(kDays, "{'$integral':{'input':'$v','unit':'day'}}", "{'d':1}"),
            list("7.5,7.5,7.5"));
}

TEST(WindowEdges, TheMovingAverageStaysWhereThereIsNoNumber) {
  EXPECT_EQ(results("[{'_id':1},{'_id':2,'v':4},{'_id':3,'v':'x'},{'_id':4,'v':8}]",
                    "{'$expMovingAvg':{'input':'$v','alpha':0.25}}"),
            list("null,4,4,5.0"));
}

TEST(WindowEdges, FillsBetweenDatesByTheirDistance) {
  EXPECT_EQ(results("[{'_id':1,'d':{'$date':'2024-01-01T00:00:00Z'},'v':0},"
                    "{'_id':2,'d':{'$date':'2024-01-02T00:00:00Z'}},"
                    "{'_id':3,'d':{'$date':'2024-01-05T00:00:00Z'},'v':8}]",
                    "{'$linearFill':'$v'}", "{'d':1}"),
            list("0,2.0,8"));
  EXPECT_EQ(unsaid(results("[{'_id':1},{'_id':{'$date':'2024-01-01T00:00:00Z'}}]",
                           "{'$linearFill':'$_id'}"),
                   {"$linearFill", "not both"}),
            "");
  EXPECT_EQ(unsaid(results("[{'_id':'x'}]", "{'$linearFill':'$v'}"),
                   {"$linearFill", "numbers or dates", "a string"}),
            "");
}

TEST(WindowEdges, RanksTakeNullAndMissingForOnePlace) {
  EXPECT_EQ(results("[{'v':1},{},{'v':null},{'v':1.0}]", "{'$denseRank':{}}", "{'v':1}"),
            list("1,1,2,2"));
  EXPECT_EQ(results("[{'v':1},{'v':2}]", "{'$rank':{}}", "{'v':-1}"), list("1,2"));
}

TEST(WindowEdges, SetsListsAndMergedValuesSlideToo) {
  constexpr std::string_view ties = "[{'_id':1,'v':1},{'_id':2,'v':1.0},{'_id':3,'v':2}]";
  const std::string window = ",'window':{'documents':[-1,0]}}";
  EXPECT_EQ(results(ties, "{'$addToSet':'$v'" + window), list("[1],[1],[1.0,2]"));
  EXPECT_EQ(results(ties, "{'$push':'$none'" + window), list("[],[],[]"));
  EXPECT_EQ(results(ties, "{'$last':'$none'" + window), list("null,null,null"));
  EXPECT_EQ(results(ties, "{'$topN':{'n':1,'sortBy':{'v':-1},'output':'$_id'}" + window),
            list("[1],[1],[3]"));
  EXPECT_EQ(results(ties, "{'$stdDevSamp':'$v'" + window), list("null,0.0,0.7071067811865476"));
  EXPECT_EQ(results(ties, "{'$median':{'input':'$v','method':'approximate'}" + window),
            list("1.0,1.0,1.0"));
}

TEST(WindowEdges, EachPartitionBeginsAnew) {
  EXPECT_EQ(Database("[{'p':'a','i':1},{'p':'b','i':2},{'p':'a','i':3},{'p':'b','i':4}]")
                .run("[{'$setWindowFields':{'partitionBy':'$p','sortBy':{'i':1},'output':{"
                     "'n':{'$documentNumber':{}},'sum':{'$sum':'$i','window':{'documents':"
                     "['unbounded','current']}},'before':{'$shift':{'output':'$i','by':-1}}}}},"
                     "{'$sort':{'i':1}}]"),
            "[{'p':'a','i':1,'n':1,'sum':1,'before':null},{'p':'b','i':2,'n':1,'sum':2,"
            "'before':null},{'p':'a','i':3,'n':2,'sum':4,'before':1},"
            "{'p':'b','i':4,'n':2,'sum':6,'before':2}]");
  EXPECT_EQ(Database("[]").run("[{'$setWindowFields':{'output':{'n':{'$sum':1}}}}]"), "[]");
}

}  // namespace
}  // namespace gantry::data::pipeline::tests::window_edges_test
