// What the errors of stages say: the stage, the option, what is wrong and what is taken instead.
#include <gtest/gtest.h>

#include "pipeline/tests/pipelines.hpp"

namespace gantry::data::pipeline::tests::stage_words_test {
namespace {

std::string run(const std::string& stage) { return Database("[{'a':1}]").run("[" + stage + "]"); }

TEST(StageWords, OfUnknownOptionsNameTheNearestAndAllOfThem) {
  EXPECT_EQ(unsaid(run("{'$lookup':{'from':'f','localfield':'a','foreignField':'b','as':'j'}}"),
                   {"$lookup", "'localfield'", "'localField'", "foreignField", "pipeline"}),
            "");
  EXPECT_EQ(unsaid(run("{'$unwind':{'path':'$a','preserveNull':true}}"),
                   {"$unwind", "'preserveNull'", "preserveNullAndEmptyArrays"}),
            "");
  EXPECT_EQ(unsaid(run("{'$bucket':{'groupBy':'$a','boundary':[0,1]}}"),
                   {"$bucket", "'boundary'", "boundaries", "default"}),
            "");
  EXPECT_EQ(unsaid(run("{'$setWindowFields':{'sort':{'a':1},'output':{}}}"),
                   {"$setWindowFields", "'sort'", "sortBy"}),
            "");
}

TEST(StageWords, OfRequiredOptionsNameThem) {
  EXPECT_EQ(unsaid(run("{'$lookup':{'from':'f','localField':'a','foreignField':'b'}}"),
                   {"$lookup", "'as'"}),
            "");
  EXPECT_EQ(unsaid(run("{'$bucket':{'groupBy':'$a'}}"), {"$bucket", "'boundaries'"}), "");
  EXPECT_EQ(unsaid(run("{'$sample':{}}"), {"$sample", "'size'"}), "");
  EXPECT_EQ(unsaid(run("{'$group':{'n':{'$sum':1}}}"), {"$group", "_id", "null for all"}), "");
  EXPECT_EQ(unsaid(run("{'$replaceRoot':{}}"), {"$replaceRoot", "'newRoot'"}), "");
  EXPECT_EQ(unsaid(run("{'$unwind':{}}"), {"$unwind", "'path'"}), "");
  EXPECT_EQ(unsaid(run("{'$graphLookup':{'from':'f','connectFromField':'a','connectToField':'b',"
                       "'as':'g'}}"),
                   {"$graphLookup", "'startWith'"}),
            "");
}

TEST(StageWords, OfAWrongKindNameTheKindThatCame) {
  EXPECT_EQ(unsaid(run("{'$limit':'5'}"), {"$limit", "whole number", "a string"}), "");
  EXPECT_EQ(unsaid(run("{'$limit':null}"), {"$limit", "whole number", "null"}), "");
  EXPECT_EQ(unsaid(run("{'$skip':[1]}"), {"$skip", "an array"}), "");
  EXPECT_EQ(unsaid(run("{'$sample':{'size':'1'}}"), {"$sample", "'size'", "a string"}), "");
  EXPECT_EQ(unsaid(run("{'$count':1}"), {"$count", "new field's name", "an int"}), "");
  EXPECT_EQ(unsaid(run("{'$project':[1]}"), {"$project", "an object of fields", "an array"}), "");
  EXPECT_EQ(unsaid(run("{'$match':1}"), {"int"}), "");
  EXPECT_EQ(unsaid(run("{'$facet':{'x':1}}"), {"$facet", "x"}), "");
  EXPECT_EQ(unsaid(run("{'$unionWith':5}"), {"$unionWith"}), "");
  EXPECT_EQ(unsaid(run("{'$unionWith':{'coll':5}}"), {"$unionWith", "'coll'", "an int"}), "");
  EXPECT_EQ(unsaid(run("{'$unwind':{'path':'$a','includeArrayIndex':5}}"),
                   {"$unwind", "'includeArrayIndex'", "an int"}),
            "");
  EXPECT_EQ(unsaid(run("{'$unwind':{'path':'$a','preserveNullAndEmptyArrays':1}}"),
                   {"$unwind", "'preserveNullAndEmptyArrays'", "true or false", "an int"}),
            "");
}

TEST(StageWords, OfFieldsThatMayNotHaveTheirName) {
  EXPECT_EQ(unsaid(run("{'$group':{'_id':null,'$n':{'$sum':1}}}"), {"$group", "'$n'", "'$'"}), "");
  EXPECT_EQ(unsaid(run("{'$group':{'_id':null,'a.b':{'$sum':1}}}"), {"$group", "'a.b'", "dot"}),
            "");
  EXPECT_EQ(unsaid(run("{'$count':'$n'}"), {"$count", "'$n'"}), "");
  EXPECT_EQ(unsaid(run("{'$count':'_id'}"), {"$count", "_id", "another name"}), "");
  EXPECT_EQ(unsaid(run("{'$count':''}"), {"$count", "empty"}), "");
  EXPECT_EQ(unsaid(run("{'$facet':{'':[]}}"), {"$facet", "empty"}), "");
  EXPECT_EQ(unsaid(run("{'$unwind':'a'}"), {"$unwind", "\"$field\""}), "");
  EXPECT_EQ(unsaid(run("{'$set':{'a..b':1}}"), {"$set", "empty part", "single dots"}), "");
}

TEST(StageWords, OfProjectionsThatMixNameBothWays) {
  EXPECT_EQ(unsaid(run("{'$project':{'a':1,'b':0}}"), {"$project", "'b'"}), "");
  EXPECT_EQ(unsaid(run("{'$project':{'a':1,'a.b':1}}"), {"$project", "'a.b'"}), "");
  EXPECT_EQ(unsaid(run("{'$project':{}}"), {"$project", "at least one field"}), "");
  EXPECT_EQ(unsaid(run("{'$set':{'a':{'b.c':1}}}"), {"$set", "'a'", "dot"}), "");
}

TEST(StageWords, OfStagesThatAreNotServedNameWhatServes) {
  EXPECT_EQ(unsaid(run("{'$out':'x'}"), {"$out writes", "write tools"}), "");
  EXPECT_EQ(unsaid(run("{'$merge':{}}"), {"$merge writes"}), "");
  EXPECT_EQ(unsaid(run("{'$function':{}}"), {"$function", "code", "$expr"}), "");
  EXPECT_EQ(unsaid(run("{'$search':{}}"), {"$search", "$text", "$regex"}), "");
  EXPECT_EQ(unsaid(run("{'$changeStream':{}}"), {"$changeStream", "Subscribe"}), "");
  EXPECT_EQ(unsaid(run("{'$indexStats':{}}"), {"$indexStats", "get_schema"}), "");
}

TEST(StageWords, OfAShapeThatIsNoPipeline) {
  EXPECT_EQ(unsaid(Database("[]").run("{'$match':{}}"), {"array of stages", "an object"}), "");
  EXPECT_EQ(unsaid(Database("[]").run("['$match']"), {"{\"$match\": {}}", "a string"}), "");
  EXPECT_EQ(unsaid(run("{'$match':{},'$limit':1}"), {"exactly one name", "has 2", "own object"}),
            "");
  EXPECT_EQ(unsaid(run("{}"), {"exactly one name", "has 0"}), "");
}

TEST(StageWords, OfWindowsNameTheFunctionAndItsNeeds) {
  const auto window = [](const std::string& output, const std::string& sort = "{'a':1}") {
    return run("{'$setWindowFields':{'sortBy':" + sort + ",'output':{'r':" + output + "}}}");
  };
  EXPECT_EQ(unsaid(window("{'$summ':'$a'}"), {"$summ", "'$sum'"}), "");
  EXPECT_EQ(unsaid(window("5"), {"'r'", "{\"$sum\": \"$x\"}", "an int"}), "");
  EXPECT_EQ(unsaid(window("{'$sum':'$a','$avg':'$a'}"), {"'r'", "one function", "'window'"}), "");
  EXPECT_EQ(unsaid(window("{'$rank':{},'window':{}}"), {"$rank", "no window"}), "");
  EXPECT_EQ(unsaid(window("{'$rank':{}}", "{'a':1,'b':1}"), {"$rank", "exactly one field"}), "");
  EXPECT_EQ(unsaid(window("{'$shift':{'output':'$a','by':3000000000}}"), {"$shift", "32 bits"}),
            "");
  EXPECT_EQ(unsaid(window("{'$shift':{'output':'$a','by':1,'default':'$a'}}"),
                   {"$shift", "constant", "'default'"}),
            "");
  EXPECT_EQ(unsaid(window("{'$derivative':{'input':'$a'}}"), {"$derivative", "window"}), "");
  EXPECT_EQ(unsaid(window("{'$integral':{'input':'$a','unit':'year'}}"),
                   {"$integral", "fixed length", "week"}),
            "");
  EXPECT_EQ(unsaid(window("{'$expMovingAvg':{'input':'$a','N':2,'alpha':0.5}}"),
                   {"$expMovingAvg", "'N'", "'alpha'"}),
            "");
  EXPECT_EQ(unsaid(window("{'$covariancePop':'$a'}"), {"$covariancePop", "two expressions"}), "");
  EXPECT_EQ(
      unsaid(window("{'$sum':'$a','window':{'documents':[0]}}"), {"'documents'", "two bounds"}),
      "");
  EXPECT_EQ(unsaid(window("{'$sum':'$a','window':{'documents':['next',1]}}"),
                   {"\"current\"", "\"unbounded\"", "a string"}),
            "");
  EXPECT_EQ(unsaid(window("{'$sum':'$a','window':{'documents':[1,-1]}}"), {"lower bound"}), "");
  EXPECT_EQ(unsaid(window("{'$sum':'$a','window':{'range':[0,1],'documents':[0,1]}}"),
                   {"'documents'", "'range'", "not both"}),
            "");
}

TEST(StageWords, OfJoinsSayWhichPartsBelongTogether) {
  EXPECT_EQ(unsaid(run("{'$lookup':{'from':'f','localField':'a','as':'j'}}"),
                   {"$lookup", "'localField'", "'foreignField'", "'pipeline'"}),
            "");
  EXPECT_EQ(unsaid(run("{'$lookup':{'from':'f','as':'j'}}"), {"$lookup", "'pipeline'"}), "");
  EXPECT_EQ(unsaid(run("{'$lookup':{'from':'f','localField':'a','foreignField':'a','let':{'x':1},"
                       "'as':'j'}}"),
                   {"$lookup", "'let'", "'pipeline'"}),
            "");
  EXPECT_EQ(unsaid(run("{'$lookup':{'from':'f','pipeline':{},'as':'j'}}"),
                   {"$lookup", "'pipeline'", "an object"}),
            "");
  EXPECT_EQ(unsaid(run("{'$lookup':{'from':'f','let':5,'pipeline':[],'as':'j'}}"),
                   {"$lookup", "'let'", "an int"}),
            "");
  EXPECT_EQ(unsaid(run("{'$lookup':{'from':'','pipeline':[],'as':'j'}}"), {"'from'", "empty"}), "");
  EXPECT_EQ(unsaid(run("{'$graphLookup':{'from':'f','startWith':1,'connectFromField':'a',"
                       "'connectToField':'b','as':'g','maxDepth':-1}}"),
                   {"$graphLookup", "'maxDepth'", "negative"}),
            "");
  EXPECT_EQ(unsaid(run("{'$graphLookup':{'from':'f','startWith':1,'connectFromField':'a',"
                       "'connectToField':'b','as':'g','restrictSearchWithMatch':1}}"),
                   {"$graphLookup", "'restrictSearchWithMatch'", "an int"}),
            "");
}

}  // namespace
}  // namespace gantry::data::pipeline::tests::stage_words_test
