// Stages of one document: paths through arrays, missing and null, names that are places.
#include <gtest/gtest.h>

#include "pipeline/tests/pipelines.hpp"

namespace gantry::data::pipeline::tests::shape_edges_test {
namespace {

std::string over(std::string_view documents, const std::string& stage) {
  return Database(documents).run("[" + stage + "]");
}

TEST(ShapeEdges, ProjectionsKeepTheOrderOfTheDocumentAndAddBehindIt) {
  EXPECT_EQ(over("[{'c':1,'b':2,'a':3}]", "{'$project':{'a':1,'b':1,'c':1}}"),
            "[{'c':1,'b':2,'a':3}]");
  EXPECT_EQ(over("[{'c':1,'a':3}]", "{'$project':{'z':{'$literal':0},'a':1,'y':'$c'}}"),
            "[{'a':3,'z':0,'y':1}]");
}

TEST(ShapeEdges, AProjectionOfNothingThatIsThereIsAnEmptyDocument) {
  EXPECT_EQ(over("[{'a':1},{}]", "{'$project':{'_id':0,'none':1}}"), "[{},{}]");
  EXPECT_EQ(over("[{'_id':5,'a':1}]", "{'$project':{'none':1}}"), "[{'_id':5}]");
  EXPECT_EQ(over("[{'a':null}]", "{'$project':{'a':1}}"), "[{'a':null}]");
  EXPECT_EQ(over("[{'a':null}]", "{'$project':{'a.b':1}}"), "[{}]");
}

TEST(ShapeEdges, ANumberInAPathOfAProjectionIsAName) {
  EXPECT_EQ(over("[{'a':[{'0':1},7]}]", "{'$project':{'a.0':1}}"), "[{'a':[{'0':1}]}]");
  EXPECT_EQ(over("[{'a':[5,6]}]", "{'$set':{'a.0':9}}"), "[{'a':[{'0':9},{'0':9}]}]");
  EXPECT_EQ(over("[{'a':{'0':1,'1':2}}]", "{'$unset':'a.0'}"), "[{'a':{'1':2}}]");
}

TEST(ShapeEdges, FalseZeroAndNullFractionsLeaveOut) {
  EXPECT_EQ(over("[{'a':1,'b':2}]", "{'$project':{'a':0.0}}"), "[{'b':2}]");
  EXPECT_EQ(over("[{'a':1,'b':2}]", "{'$project':{'a':false}}"), "[{'b':2}]");
  EXPECT_EQ(over("[{'a':1,'b':2}]", "{'$project':{'a':0.5}}"), "[{'a':1}]");
  EXPECT_EQ(over("[{'a':1,'b':2}]", "{'$project':{'a':-1}}"), "[{'a':1}]");
  EXPECT_EQ(over("[{'a':1,'b':2}]", "{'$project':{'x':{'$literal':1}}}"), "[{'x':1}]");
}

TEST(ShapeEdges, AMissingValueTakesTheFieldAway) {
  EXPECT_EQ(over("[{'a':1,'b':2}]", "{'$set':{'a':'$$REMOVE'}}"), "[{'b':2}]");
  EXPECT_EQ(over("[{'a':1,'b':2}]", "{'$project':{'a':'$none','b':1}}"), "[{'b':2}]");
  EXPECT_EQ(over("[{'a':[1,2]}]", "{'$set':{'a':['$none',null,3]}}"), "[{'a':[null,null,3]}]");
}

TEST(ShapeEdges, UnwindTellsEmptyFromNullAndMissing) {
  constexpr std::string_view documents =
      "[{'i':1,'a':[]},{'i':2,'a':null},{'i':3},{'i':4,'a':[[]]}]";
  EXPECT_EQ(over(documents, "{'$unwind':'$a'}"), "[{'i':4,'a':[]}]");
  EXPECT_EQ(over(documents, "{'$unwind':{'path':'$a','preserveNullAndEmptyArrays':true}}"),
            "[{'i':1},{'i':2,'a':null},{'i':3},{'i':4,'a':[]}]");
}

TEST(ShapeEdges, UnwindReachesBelowObjectsAndKeepsWhatStandsBeside) {
  EXPECT_EQ(over("[{'o':{'a':[1,2],'b':3},'z':4}]", "{'$unwind':'$o.a'}"),
            "[{'o':{'a':1,'b':3},'z':4},{'o':{'a':2,'b':3},'z':4}]");
  EXPECT_EQ(over("[{'a':['x','y']}]", "{'$unwind':{'path':'$a','includeArrayIndex':'at.i'}}"),
            "[{'a':'x','at':{'i':{'$numberLong':'0'}}},{'a':'y','at':{'i':{'$numberLong':'1'}}}]");
}

TEST(ShapeEdges, TheNewRootMustBeAnObjectForEveryDocument) {
  EXPECT_EQ(unsaid(over("[{'o':{'a':1}},{'o':5}]", "{'$replaceWith':'$o'}"),
                   {"must be an object", "an int"}),
            "");
  EXPECT_EQ(unsaid(over("[{}]", "{'$replaceRoot':{'newRoot':'$o'}}"),
                   {"$replaceRoot", "must be an object", "missing"}),
            "");
  EXPECT_EQ(
      over("[{'a':1},{'o':{'a':2}}]", "{'$replaceWith':{'$mergeObjects':[{'a':0,'b':0},'$o']}}"),
      "[{'a':0,'b':0},{'a':2,'b':0}]");
}

TEST(ShapeEdges, RedactDescendsIntoArraysOfArrays) {
  EXPECT_EQ(over("[{'ok':1,'l':[[{'ok':1,'v':1},{'ok':0,'v':2}],{'ok':0}],'o':{'ok':0}}]",
                 "{'$redact':{'$cond':['$ok','$$DESCEND','$$PRUNE']}}"),
            "[{'ok':1,'l':[[{'ok':1,'v':1}]]}]");
  EXPECT_EQ(over("[{'ok':1,'o':{'ok':0,'p':{'ok':0}}}]",
                 "{'$redact':{'$cond':['$ok','$$DESCEND','$$KEEP']}}"),
            "[{'ok':1,'o':{'ok':0,'p':{'ok':0}}}]");
  EXPECT_EQ(unsaid(over("[{}]", "{'$redact':1}"), {"$redact", "$$KEEP", "$$PRUNE"}), "");
}

TEST(ShapeEdges, LimitsAndSkipsTakeNumbersBeyondInts) {
  constexpr std::string_view three = "[{'i':1},{'i':2},{'i':3}]";
  EXPECT_EQ(over(three, "{'$limit':9007199254740993}"), three);
  EXPECT_EQ(over(three, "{'$skip':9007199254740993}"), "[]");
  EXPECT_EQ(over(three, "{'$limit':2.0}"), "[{'i':1},{'i':2}]");
  EXPECT_EQ(over(three, "{'$skip':0}"), three);
  EXPECT_EQ(unsaid(over(three, "{'$limit':1e300}"), {"$limit", "64 bits"}), "");
  EXPECT_EQ(unsaid(over(three, "{'$skip':0.5}"), {"$skip", "whole number"}), "");
  EXPECT_EQ(over(three, "{'$sort':{'i':-1}},{'$skip':1},{'$limit':1}"), "[{'i':2}]");
  EXPECT_EQ(over(three, "{'$sort':{'i':-1}},{'$skip':9223372036854775807},{'$limit':5}"), "[]");
}

TEST(ShapeEdges, GroupKeysTellTypesButNotKindsOfNumbers) {
  EXPECT_EQ(over("[{'k':1},{'k':1.0},{'k':'1'},{'k':true},{'k':[1]},{'k':{'a':1}}]",
                 "{'$group':{'_id':'$k','n':{'$sum':1}}}"),
            "[{'_id':1,'n':2},{'_id':'1','n':1},{'_id':true,'n':1},{'_id':[1],'n':1},"
            "{'_id':{'a':1},'n':1}]");
  EXPECT_EQ(over("[{'k':0},{'k':-0.0},{'k':{'$numberDouble':'NaN'}},{'k':{'$numberDouble':'NaN'}}]",
                 "{'$sortByCount':'$k'}"),
            "[{'_id':0,'count':2},{'_id':{'$numberDouble':'NaN'},'count':2}]");
  EXPECT_EQ(over("[{'k':9007199254740992.0},{'k':9007199254740993}]", "{'$group':{'_id':'$k'}}"),
            "[{'_id':9007199254740992.0},{'_id':9007199254740993}]");
}

}  // namespace
}  // namespace gantry::data::pipeline::tests::shape_edges_test
