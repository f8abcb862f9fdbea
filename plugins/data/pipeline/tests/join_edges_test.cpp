// Joins where keys are arrays, null, missing, of another type, or where nothing is joined.
#include <gtest/gtest.h>

#include "pipeline/tests/pipelines.hpp"

namespace gantry::data::pipeline::tests::join_edges_test {
namespace {

constexpr std::string_view kByKey =
    "{'$lookup':{'from':'f','localField':'k','foreignField':'v','as':'j'}}";

// The joined documents of {k: key} among the documents of f.
std::string joined(const std::string& key, std::string_view foreign) {
  Database database("[{'k':" + key + "}]");
  database.set("f", foreign);
  return database.run("[" + std::string(kByKey) + ",{'$project':{'_id':0,'j':1}}]");
}

TEST(LookupEdges, NumbersJoinByValueAndNeverTexts) {
  EXPECT_EQ(joined("1", "[{'v':1.0},{'v':{'$numberLong':'1'}},{'v':'1'},{'v':true}]"),
            "[{'j':[{'v':1.0},{'v':{'$numberLong':'1'}}]}]");
  EXPECT_EQ(joined("9007199254740993", "[{'v':9007199254740992.0},{'v':9007199254740993}]"),
            "[{'j':[{'v':9007199254740993}]}]");
  EXPECT_EQ(joined("{'$numberDouble':'NaN'}", "[{'v':{'$numberDouble':'NaN'}},{'v':null}]"),
            "[{'j':[{'v':{'$numberDouble':'NaN'}}]}]");
}

TEST(LookupEdges, AForeignArrayIsFoundByItsElements) {
  EXPECT_EQ(joined("2", "[{'v':[1,2]},{'v':[[2]]},{'v':[]}]"), "[{'j':[{'v':[1,2]}]}]");
  EXPECT_EQ(joined("null", "[{'v':[1,null]},{'v':[]},{}]"), "[{'j':[{'v':[1,null]},{}]}]");
}

TEST(LookupEdges, ObjectsJoinWithTheirMembersInOrder) {
  EXPECT_EQ(joined("{'a':1,'b':2}", "[{'v':{'a':1,'b':2}},{'v':{'b':2,'a':1}}]"),
            "[{'j':[{'v':{'a':1,'b':2}}]}]");
}

TEST(LookupEdges, PathsGoThroughObjectsAndArraysOnBothSides) {
  Database database("[{'o':[{'k':1},{'k':3}]}]");
  database.set("f", "[{'p':{'v':1}},{'p':[{'v':2},{'v':3}]},{'p':{}}]");
  EXPECT_EQ(database.run("[{'$lookup':{'from':'f','localField':'o.k','foreignField':'p.v',"
                         "'as':'j'}},{'$project':{'j':1}}]"),
            "[{'j':[{'p':{'v':1}},{'p':[{'v':2},{'v':3}]}]}]");
}

TEST(LookupEdges, NothingJoinedIsAnEmptyArrayThatReplacesTheField) {
  Database database("[{'k':1,'j':'old'},{'k':2,'a':{'b':1,'c':2}}]");
  database.set("f", "[]");
  EXPECT_EQ(database.run("[" + std::string(kByKey) + "]"),
            "[{'k':1,'j':[]},{'k':2,'a':{'b':1,'c':2},'j':[]}]");
  EXPECT_EQ(database.run("[{'$match':{'k':2}},{'$lookup':{'from':'f','localField':'k',"
                         "'foreignField':'v','as':'a.b'}}]"),
            "[{'k':2,'a':{'b':[],'c':2}}]");
}

TEST(LookupEdges, VariablesOfAnOuterLetAreSeenInside) {
  Database database("[{'x':1}]");
  database.set("f", "[{'y':10}]").set("g", "[{'z':100}]");
  EXPECT_EQ(database.run("[{'$lookup':{'from':'f','let':{'x':'$x'},'as':'f','pipeline':["
                         "{'$lookup':{'from':'g','let':{'y':'$y'},'as':'g','pipeline':["
                         "{'$project':{'_id':0,'all':{'$add':['$$x','$$y','$z']}}}]}}]}}]"),
            "[{'x':1,'f':[{'y':10,'g':[{'all':111}]}]}]");
}

TEST(LookupEdges, AVariableIsUnknownOutsideOfItsLookup) {
  Database database("[{'x':1}]");
  database.set("f", "[{}]");
  EXPECT_EQ(unsaid(database.run("[{'$lookup':{'from':'f','let':{'x':'$x'},'pipeline':[],'as':'j'}},"
                                "{'$set':{'y':'$$x'}}]"),
                   {"$$x"}),
            "");
  EXPECT_EQ(unsaid(database.run("[{'$lookup':{'from':'f','let':{'X':1},'pipeline':[],'as':'j'}}]"),
                   {"X"}),
            "");
}

TEST(LookupEdges, AnEqualityInsideAnAndFindsTheSameDocuments) {
  Database database("[{'k':1,'m':5},{'k':2,'m':5}]");
  database.set("f", "[{'v':1,'n':4},{'v':1,'n':6},{'v':2,'n':9}]");
  const std::string both =
      "[{'$lookup':{'from':'f','let':{'k':'$k','m':'$m'},'as':'j','pipeline':[{'$match':{'$expr':"
      "{'$and':[{'$eq':['$$k','$v']},{'$gt':['$n','$$m']}]}}},{'$project':{'n':1}}]}},"
      "{'$project':{'j':1}}]";
  EXPECT_EQ(database.run(both), "[{'j':[{'n':6}]},{'j':[{'n':9}]}]");
  EXPECT_EQ(database.scans, 1);
}

TEST(LookupEdges, AnEqualityOfAnExpressionTellsNullFromMissing) {
  Database database("[{'k':null},{}]");
  database.set("f", "[{'v':null},{}]");
  EXPECT_EQ(database.run("[{'$lookup':{'from':'f','let':{'k':{'$ifNull':['$k',null]}},'as':'j',"
                         "'pipeline':[{'$match':{'$expr':{'$eq':['$v','$$k']}}}]}},"
                         "{'$project':{'j':1}}]"),
            "[{'j':[{'v':null}]},{'j':[{'v':null}]}]");
}

TEST(LookupEdges, ASubPipelineMayGroupSortAndLimitPerDocument) {
  Database database("[{'k':'a'},{'k':'b'},{'k':'c'}]");
  database.set("f", "[{'v':'a','n':1},{'v':'b','n':5},{'v':'a','n':3},{'v':'b','n':2}]");
  EXPECT_EQ(database.run("[{'$lookup':{'from':'f','localField':'k','foreignField':'v','as':'top',"
                         "'pipeline':[{'$sort':{'n':-1}},{'$limit':1},{'$project':{'n':1}}]}}]"),
            "[{'k':'a','top':[{'n':3}]},{'k':'b','top':[{'n':5}]},{'k':'c','top':[]}]");
}

TEST(GraphEdges, AStartThatIsMissingReachesNothing) {
  Database database("[{},{'s':null},{'s':[]}]");
  database.set("f", "[{'_id':null},{}]");
  EXPECT_EQ(database.run("[{'$graphLookup':{'from':'f','startWith':'$s','connectFromField':'to',"
                         "'connectToField':'v','as':'g'}},{'$project':{'n':{'$size':'$g'}}}]"),
            "[{'n':0},{'n':2},{'n':0}]");
}

TEST(GraphEdges, AnObjectReachedTwiceIsThereOnceAtItsLeastDepth) {
  Database database("[{'s':[1,2]}]");
  database.set("f", "[{'_id':1,'to':3},{'_id':2,'to':1},{'_id':3,'to':[1,2,3]}]");
  EXPECT_EQ(database.run("[{'$graphLookup':{'from':'f','startWith':'$s','connectFromField':'to',"
                         "'connectToField':'_id','as':'g','depthField':'d'}},{'$unwind':'$g'},"
                         "{'$sort':{'g._id':1}},{'$project':{'i':'$g._id','d':'$g.d'}}]"),
            "[{'i':1,'d':{'$numberLong':'0'}},{'i':2,'d':{'$numberLong':'0'}},"
            "{'i':3,'d':{'$numberLong':'1'}}]");
}

TEST(GraphEdges, ARestrictionKeepsWhatItLeavesOutFromLeadingOn) {
  Database database("[{'s':1}]");
  database.set("f", "[{'_id':1,'to':2},{'_id':2,'to':3,'off':true},{'_id':3}]");
  EXPECT_EQ(database.run("[{'$graphLookup':{'from':'f','startWith':'$s','connectFromField':'to',"
                         "'connectToField':'_id','as':'g','restrictSearchWithMatch':"
                         "{'off':{'$ne':true}}}},{'$project':{'g._id':1}}]"),
            "[{'g':[{'_id':1}]}]");
}

TEST(UnionEdges, MayReadItsOwnClassAndComeTwice) {
  Database database("[{'a':1}]");
  EXPECT_EQ(database.run("[{'$unionWith':'c'},{'$unionWith':{'coll':'c','pipeline':["
                         "{'$set':{'b':2}}]}}]"),
            "[{'a':1},{'a':1},{'a':1,'b':2}]");
  EXPECT_EQ(unsaid(database.run("[{'$unionWith':{'pipeline':[{'$match':{}}]}}]"), {"$unionWith"}),
            "");
}

TEST(FacetEdges, EveryPipelineSeesTheDocumentsAsTheyCame) {
  EXPECT_EQ(Database("[{'a':3},{'a':1},{'a':2}]")
                .run("[{'$facet':{'least':[{'$sort':{'a':1}},{'$limit':1}],"
                     "'changed':[{'$set':{'a':0}},{'$limit':1}],'first':[{'$limit':1}],"
                     "'none':[{'$match':{'a':9}}]}}]"),
            "[{'least':[{'a':1}],'changed':[{'a':0}],'first':[{'a':3}],'none':[]}]");
}

}  // namespace
}  // namespace gantry::data::pipeline::tests::join_edges_test
