// Stages that read other classes, and errors of pipelines.
#include <gtest/gtest.h>

#include "pipeline/tests/pipelines.hpp"

namespace gantry::data::pipeline::tests::join_test {
namespace {

TEST(Lookup, MatchesElementsOfArraysAndNullWithMissing) {
  Database database("[{'_id':1,'k':[1,2]},{'_id':2},{'_id':3,'k':[]}]");
  database.set("f", "[{'v':1},{'v':[2,9]},{'v':null},{}]");
  EXPECT_EQ(database.run("[{'$lookup':{'from':'f','localField':'k','foreignField':'v','as':'j'}}]"),
            "[{'_id':1,'k':[1,2],'j':[{'v':1},{'v':[2,9]}]},{'_id':2,'j':[{'v':null},{}]},"
            "{'_id':3,'k':[],'j':[{'v':null},{}]}]");
}

TEST(Lookup, ScansOnceForManyDocuments) {
  Database database("[{'k':1},{'k':2},{'k':3}]");
  database.set("f", "[{'v':1},{'v':2}]");
  database.run("[{'$lookup':{'from':'f','localField':'k','foreignField':'v','as':'j'}}]");
  EXPECT_EQ(database.scans, 1);
  database.run(
      "[{'$lookup':{'from':'f','let':{'x':'$k'},"
      "'pipeline':[{'$match':{'$expr':{'$eq':['$v','$$x']}}}],'as':'j'}}]");
  EXPECT_EQ(database.scans, 1);
}

TEST(Lookup, GivesItsPipelineVariables) {
  Database database("[{'_id':1,'k':1},{'_id':2,'k':5}]");
  database.set("f", "[{'v':1},{'v':3}]");
  EXPECT_EQ(database.run("[{'$lookup':{'from':'f','let':{'x':'$k'},'pipeline':["
                         "{'$match':{'$expr':{'$lt':['$v','$$x']}}},{'$set':{'w':'$$x'}}],"
                         "'as':'j'}},{'$project':{'j':1}}]"),
            "[{'_id':1,'j':[]},{'_id':2,'j':[{'v':1,'w':5},{'v':3,'w':5}]}]");
}

TEST(Lookup, LetsThePipelineSeeOnlyTheMatchedDocuments) {
  Database database("[{'_id':1,'k':1}]");
  database.set("f", "[{'v':1},{'v':2}]");
  EXPECT_EQ(database.run("[{'$lookup':{'from':'f','localField':'k','foreignField':'v',"
                         "'pipeline':[{'$count':'n'}],'as':'j.k'}}]"),
            "[{'_id':1,'k':1,'j':{'k':[{'n':1}]}}]");
}

TEST(Lookup, TakesDocumentsInTheClassesPlace) {
  Database database("[{'k':1}]");
  EXPECT_EQ(database.run("[{'$lookup':{'localField':'k','foreignField':'v','as':'j',"
                         "'pipeline':[{'$documents':[{'v':1},{'v':2}]}]}}]"),
            "[{'k':1,'j':[{'v':1}]}]");
}

TEST(Lookup, RefusesClassesThatAreHidden) {
  Database database("[]");
  database.hidden = "f";
  for (const std::string_view pipeline :
       {"[{'$lookup':{'from':'f','localField':'a','foreignField':'b','as':'j'}}]",
        "[{'$facet':{'x':[{'$unionWith':'f'}]}}]",
        "[{'$unionWith':{'coll':'g','pipeline':[{'$lookup':{'from':'f','pipeline':[],'as':'j'}}]}}"
        "]",
        "[{'$graphLookup':{'from':'f','startWith':1,'connectFromField':'a','connectToField':'b',"
        "'as':'j'}}]"}) {
    EXPECT_EQ(database.run(pipeline), "error: no such class") << pipeline;
  }
}

TEST(GraphLookup, FollowsLevelByLevelAndEndsInCircles) {
  Database database("[{'_id':1,'next':2}]");
  database.set("f", "[{'_id':2,'to':[3,4]},{'_id':3,'to':2},{'_id':4,'to':5},{'_id':5,'s':true}]");
  const std::string head =
      "[{'$graphLookup':{'from':'f','startWith':'$next','connectFromField':'to',"
      "'connectToField':'_id','as':'g'";
  EXPECT_EQ(database.run(head + ",'depthField':'d'}},{'$unwind':'$g'},{'$replaceWith':'$g'},"
                                "{'$project':{'d':1}}]"),
            "[{'_id':2,'d':{'$numberLong':'0'}},{'_id':3,'d':{'$numberLong':'1'}},"
            "{'_id':4,'d':{'$numberLong':'1'}},{'_id':5,'d':{'$numberLong':'2'}}]");
  EXPECT_EQ(database.run(head + ",'maxDepth':0}}]"),
            "[{'_id':1,'next':2,'g':[{'_id':2,'to':[3,4]}]}]");
  EXPECT_EQ(database.run(head + ",'restrictSearchWithMatch':{'_id':{'$lt':3}}}}]"),
            "[{'_id':1,'next':2,'g':[{'_id':2,'to':[3,4]}]}]");
}

TEST(GraphLookup, FollowsAPointerByTheIdItNames) {
  Database database("[{'_id':1,'up':{'__type':'Pointer','className':'f','objectId':'a'}}]");
  database.set("f", "[{'objectId':'a','up':'b'},{'objectId':'b'}]");
  EXPECT_EQ(database.run("[{'$graphLookup':{'from':'f','startWith':{'$ifNull':['$up','-']},"
                         "'connectFromField':'up','connectToField':'objectId','as':'g'}},"
                         "{'$project':{'_id':0,'g.objectId':1}}]"),
            "[{'g':[{'objectId':'a'},{'objectId':'b'}]}]");
}

TEST(UnionWith, ComesAfterTheDocumentsSoFar) {
  Database database("[{'a':1}]");
  database.set("f", "[{'b':1},{'b':2}]");
  EXPECT_EQ(database.run("[{'$unionWith':{'coll':'f','pipeline':[{'$match':{'b':2}}]}}]"),
            "[{'a':1},{'b':2}]");
  EXPECT_EQ(database.run("[{'$unionWith':{'pipeline':[{'$documents':[{'c':3}]}]}}]"),
            "[{'a':1},{'c':3}]");
}

TEST(Documents, StandOnlyFirst) {
  Database database("[{'a':1}]");
  EXPECT_EQ(database.run("[{'$documents':[{'x':1}]}]"), "[{'x':1}]");
  EXPECT_TRUE(database.run("[{'$match':{}},{'$documents':[]}]").starts_with("error: $documents"));
  EXPECT_TRUE(database.run("[{'$documents':[1]}]").starts_with("error: $documents"));
}

TEST(Pipeline, RefusesStagesThatWriteOrRunCodeByName) {
  Database database("[]");
  for (const std::string_view name : {"$out", "$merge", "$where", "$function", "$accumulator"}) {
    const std::string answer = database.run("[{'" + std::string(name) + "':'x'}]");
    EXPECT_TRUE(answer.starts_with("error: " + std::string(name) + " ")) << answer;
  }
}

TEST(Pipeline, NamesTheNearestStage) {
  const std::string answer = Database("[]").run("[{'$matsch':{}}]");
  EXPECT_NE(answer.find("Did you mean '$match'?"), std::string::npos) << answer;
  EXPECT_NE(Database("[]").run("[{'$geoNear':{}}]").find("$geoWithin"), std::string::npos);
}

TEST(Pipeline, WantsOneNameAStage) {
  Database database("[]");
  EXPECT_TRUE(database.run("[{}]").starts_with("error"));
  EXPECT_TRUE(database.run("[{'$match':{},'$limit':1}]").starts_with("error"));
  EXPECT_TRUE(database.run("[3]").starts_with("error"));
  EXPECT_TRUE(database.run("{}").starts_with("error"));
}

TEST(Pipeline, TellsWhichFieldsItReads) {
  Database database("[]");
  expr::Variables variables;
  Reading reading{database, variables};
  const auto paths_of = [&](std::string_view json, bool& is_some) {
    std::set<std::string> paths;
    is_some = add_pipeline_paths(parse_pipeline(parse(json), reading), paths);
    return paths;
  };
  bool is_some = false;
  EXPECT_EQ(paths_of("[{'$match':{'a':1}},{'$sort':{'b.c':1}},"
                     "{'$group':{'_id':'$d','s':{'$sum':'$e'}}},{'$sort':{'z':1}}]",
                     is_some),
            (std::set<std::string>{"a", "b.c", "d", "e"}));
  EXPECT_TRUE(is_some);
  paths_of("[{'$match':{'a':1}},{'$limit':1}]", is_some);
  EXPECT_FALSE(is_some);
}

}  // namespace
}  // namespace gantry::data::pipeline::tests::join_test
