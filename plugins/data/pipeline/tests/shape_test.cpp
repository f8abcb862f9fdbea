// Stages that change one document at a time.
#include <gtest/gtest.h>

#include "pipeline/tests/pipelines.hpp"

namespace gantry::data::pipeline::tests::shape_test {
namespace {

constexpr std::string_view kOne =
    "[{'_id':1,'a':{'b':1,'c':2},'l':[{'x':1,'y':2},5,[{'x':3}]],'n':7}]";

std::string over(std::string_view documents, std::string_view pipeline) {
  return Database(documents).run(pipeline);
}

bool is_refused(std::string_view pipeline) { return over(kOne, pipeline).starts_with("error: "); }

TEST(Project, KeepsNamedFieldsAndTheId) {
  EXPECT_EQ(over(kOne, "[{'$project':{'n':1}}]"), "[{'_id':1,'n':7}]");
  EXPECT_EQ(over(kOne, "[{'$project':{'n':true,'_id':0}}]"), "[{'n':7}]");
  EXPECT_EQ(over(kOne, "[{'$project':{'a.b':1}}]"), "[{'_id':1,'a':{'b':1}}]");
  EXPECT_EQ(over(kOne, "[{'$project':{'a':{'b':1}}}]"), "[{'_id':1,'a':{'b':1}}]");
}

TEST(Project, GoesThroughArraysAndOmitsElementsWithoutFields) {
  EXPECT_EQ(over(kOne, "[{'$project':{'l.x':1,'_id':0}}]"), "[{'l':[{'x':1},[{'x':3}]]}]");
  EXPECT_EQ(over(kOne, "[{'$project':{'l.x':0,'a':0,'_id':0}}]"), "[{'l':[{'y':2},5,[{}]],'n':7}]");
}

TEST(Project, PutsComputedFieldsAfterTheKeptOnes) {
  EXPECT_EQ(over(kOne, "[{'$project':{'_id':null,'n':1}}]"), "[{'n':7,'_id':null}]");
  EXPECT_EQ(over(kOne, "[{'$project':{'_id':0,'m':'$n','a.d':'$a.b'}}]"), "[{'a':{'d':1},'m':7}]");
  EXPECT_EQ(over(kOne, "[{'$project':{'_id':0,'l.x':1,'l.z':'$n'}}]"),
            "[{'l':[{'x':1,'z':7},{'z':7},[{'x':3,'z':7}]]}]");
}

TEST(Project, RefusesToMixKeepingWithLeavingOut) {
  EXPECT_TRUE(is_refused("[{'$project':{'a':1,'n':0}}]"));
  EXPECT_TRUE(is_refused("[{'$project':{'a':0,'m':'$n'}}]"));
  EXPECT_TRUE(is_refused("[{'$project':{'m':'$n','a':0}}]"));
  EXPECT_FALSE(is_refused("[{'$project':{'_id':1,'a':0}}]"));
}

TEST(Project, RefusesPathsThatCollide) {
  EXPECT_TRUE(is_refused("[{'$project':{'a':1,'a.b':1}}]"));
  EXPECT_TRUE(is_refused("[{'$project':{'a.b':1,'a':1}}]"));
  EXPECT_TRUE(is_refused("[{'$project':{}}]"));
  EXPECT_TRUE(is_refused("[{'$project':{'a':{}}}]"));
  EXPECT_TRUE(is_refused("[{'$project':{'a..b':1}}]"));
  EXPECT_FALSE(is_refused("[{'$project':{'a.b':1,'a':{'c':1}}}]"));
}

TEST(AddFields, EvaluatesEverythingOnTheDocumentAsItCame) {
  EXPECT_EQ(over("[{'a':1,'b':2}]", "[{'$set':{'a':'$b','b':'$a'}}]"), "[{'a':2,'b':1}]");
  EXPECT_EQ(over("[{'a':1}]", "[{'$addFields':{'b':'$zz','a':'$zz'}}]"), "[{}]");
}

TEST(AddFields, PutsFieldsIntoEveryElementOnTheWay) {
  EXPECT_EQ(over("[{'l':[{'x':1},4]}]", "[{'$set':{'l.y':9}}]"), "[{'l':[{'x':1,'y':9},{'y':9}]}]");
  EXPECT_EQ(over("[{'a':3}]", "[{'$set':{'a':{'b':1}}}]"), "[{'a':{'b':1}}]");
  EXPECT_EQ(over("[{'a':{'b':1}}]", "[{'$set':{'a':{}}}]"), "[{'a':{}}]");
}

TEST(AddFields, WithoutFieldsPassesDocumentsThrough) {
  EXPECT_EQ(over("[{'a':1},{}]", "[{'$set':{}}]"), "[{'a':1},{}]");
  EXPECT_EQ(over("[{'a':1},{}]", "[{'$addFields':{}}]"), "[{'a':1},{}]");
}

TEST(Unset, RemovesFieldsByPath) {
  EXPECT_EQ(over(kOne, "[{'$unset':['l','a.b']}]"), "[{'_id':1,'a':{'c':2},'n':7}]");
  EXPECT_TRUE(is_refused("[{'$unset':[]}]"));
  EXPECT_TRUE(is_refused("[{'$unset':['a','a.b']}]"));
  EXPECT_TRUE(is_refused("[{'$unset':'$a'}]"));
}

TEST(Unwind, GivesADocumentForEachElement) {
  EXPECT_EQ(over("[{'a':[1,2]},{'a':3},{'a':null},{'a':[]},{}]", "[{'$unwind':'$a'}]"),
            "[{'a':1},{'a':2},{'a':3}]");
}

TEST(Unwind, KeepsEmptyOnesAndNumbersElementsWhenAsked) {
  EXPECT_EQ(over("[{'a':[7]},{'a':3},{'a':null},{'a':[]},{}]",
                 "[{'$unwind':{'path':'$a','includeArrayIndex':'i',"
                 "'preserveNullAndEmptyArrays':true}}]"),
            "[{'a':7,'i':{'$numberLong':'0'}},{'a':3,'i':null},{'a':null,'i':null},{'i':null},"
            "{'i':null}]");
}

TEST(Unwind, DoesNotGoThroughArrays) {
  EXPECT_EQ(over("[{'a':[{'b':[1]}]}]", "[{'$unwind':'$a.b'}]"), "[]");
  EXPECT_TRUE(is_refused("[{'$unwind':'a'}]"));
  EXPECT_TRUE(is_refused("[{'$unwind':{'path':'$a','other':1}}]"));
}

TEST(ReplaceRoot, WantsAnObject) {
  EXPECT_EQ(over(kOne, "[{'$replaceRoot':{'newRoot':'$a'}}]"), "[{'b':1,'c':2}]");
  EXPECT_EQ(over(kOne, "[{'$replaceWith':{'k':'$n'}}]"), "[{'k':7}]");
  EXPECT_TRUE(is_refused("[{'$replaceWith':'$n'}]"));
  EXPECT_TRUE(is_refused("[{'$replaceRoot':{'newRoot':'$zz'}}]"));
}

TEST(Redact, DecidesForEveryObjectInside) {
  const std::string_view documents = "[{'l':1,'a':{'l':2,'s':1},'m':[{'l':3},{'l':1},4]}]";
  EXPECT_EQ(over(documents, "[{'$redact':{'$cond':[{'$lte':['$l',1]},'$$DESCEND','$$PRUNE']}}]"),
            "[{'l':1,'m':[{'l':1},4]}]");
  EXPECT_EQ(over(documents, "[{'$redact':'$$KEEP'}]"), documents);
  EXPECT_EQ(over(documents, "[{'$redact':'$$PRUNE'}]"), "[]");
}

TEST(Redact, TakesNoTextForAVerdict) {
  EXPECT_TRUE(is_refused("[{'$redact':{'$literal':'keep'}}]"));
  EXPECT_TRUE(is_refused("[{'$project':{'a':'$$KEEP'}}]"));
}

}  // namespace
}  // namespace gantry::data::pipeline::tests::shape_test
