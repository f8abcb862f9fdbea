// Stages that look at many documents: group, sort, buckets, counts, samples, facets.
#include <gtest/gtest.h>

#include "pipeline/tests/pipelines.hpp"

namespace gantry::data::pipeline::tests {
namespace {

std::string over(std::string_view documents, std::string_view pipeline) {
  return Database(documents).run(pipeline);
}

bool is_refused(std::string_view pipeline) {
  return over("[{'a':1}]", pipeline).starts_with("error: ");
}

TEST(Group, MergesNullWithMissingAndNumbersByValue) {
  EXPECT_EQ(over("[{'k':null},{},{'k':1},{'k':1.0}]", "[{'$group':{'_id':'$k','n':{'$sum':1}}}]"),
            "[{'_id':null,'n':2},{'_id':1,'n':2}]");
}

TEST(Group, KeepsMissingPartsOutOfACompoundId) {
  EXPECT_EQ(over("[{'a':1,'b':2},{'a':1},{'a':1,'b':null}]",
                 "[{'$group':{'_id':{'x':'$a','y':'$b'},'n':{'$sum':1}}}]"),
            "[{'_id':{'x':1,'y':2},'n':1},{'_id':{'x':1},'n':1},{'_id':{'x':1,'y':null},'n':1}]");
}

TEST(Group, GivesNullForAResultThatIsMissing) {
  EXPECT_EQ(over("[{}]", "[{'$group':{'_id':null,'f':{'$first':'$zz'}}}]"),
            "[{'_id':null,'f':null}]");
  EXPECT_EQ(over("[]", "[{'$group':{'_id':null,'n':{'$sum':1}}}]"), "[]");
}

TEST(Group, LetsAnNDependOnItsKeyAlone) {
  EXPECT_EQ(over("[{'g':'a','v':1},{'g':'b','v':2},{'g':'a','v':3},{'g':'b','v':4}]",
                 "[{'$group':{'_id':{'k':'$g'},'r':{'$lastN':{'input':'$v','n':{'$cond':[{'$eq':['"
                 "$k','a']},2,1]}}},'last':{'$last':'$v'}}}]"),
            "[{'_id':{'k':'a'},'r':[1,3],'last':3},{'_id':{'k':'b'},'r':[4],'last':4}]");
  for (const char* stage :
       {"'$group':{'_id':'$a','r':{'$firstN':{'input':'$a','n':'$a'}}}",
        "'$group':{'_id':{'k':'$a'},'r':{'$firstN':{'input':'$a','n':'$a'}}}",
        "'$bucketAuto':{'groupBy':'$a','buckets':1,'output':{'r':{'$maxN':{'input':'$a','n':'$a'}}}"
        "}",
        "'$bucket':{'groupBy':'$a','boundaries':[0,9],'output':{'r':{'$minN':{'input':'$a','n':"
        "'$a'}}}}"}) {
    EXPECT_TRUE(is_refused("[{" + std::string(stage) + "}]")) << stage;
  }
}

TEST(Group, RefusesFieldsThatAreNoAccumulators) {
  EXPECT_TRUE(is_refused("[{'$group':{'n':{'$sum':1}}}]"));
  EXPECT_TRUE(is_refused("[{'$group':{'_id':null,'n':1}}]"));
  EXPECT_TRUE(is_refused("[{'$group':{'_id':null,'a.b':{'$sum':1}}}]"));
}

TEST(Sort, IsStableAndTakesMissingForNull) {
  EXPECT_EQ(over("[{'_id':1,'v':2},{'_id':2},{'_id':3,'v':null},{'_id':4,'v':1}]",
                 "[{'$sort':{'v':1}},{'$project':{'_id':1}}]"),
            "[{'_id':2},{'_id':3},{'_id':4},{'_id':1}]");
}

TEST(Sort, TakesTheLeastOrTheGreatestElementOfAnArray) {
  const std::string_view documents = "[{'_id':1,'v':[5,1]},{'_id':2,'v':3},{'_id':3,'v':[]}]";
  EXPECT_EQ(over(documents, "[{'$sort':{'v':1}},{'$project':{'_id':1}}]"),
            "[{'_id':3},{'_id':1},{'_id':2}]");
  EXPECT_EQ(over(documents, "[{'$sort':{'v':-1}},{'$project':{'_id':1}}]"),
            "[{'_id':1},{'_id':2},{'_id':3}]");
}

TEST(Sort, ChoosesOneElementForAllFieldsBelowAnArray) {
  EXPECT_EQ(over("[{'_id':1,'a':[{'x':1,'y':9},{'x':2,'y':0}]},{'_id':2,'a':[{'x':1,'y':5}]}]",
                 "[{'$sort':{'a.x':1,'a.y':1}},{'$project':{'_id':1}}]"),
            "[{'_id':2},{'_id':1}]");
  EXPECT_TRUE(over("[{'a':[1],'b':[2]}]", "[{'$sort':{'a':1,'b':1}}]").starts_with("error: "));
}

TEST(Sort, GivesTheSameWithALimitAsWithout) {
  std::string documents = "[";
  for (int i = 0; i < 1000; ++i) {
    documents += (i == 0 ? "" : ",") + ("{'_id':" + std::to_string(i)) +
                 ",'v':" + std::to_string(i * 7919 % 101) + "}";
  }
  documents += "]";
  Database all(documents);
  const Value sorted = parse(all.run("[{'$sort':{'v':-1}}]", 1 << 22));
  Array first(sorted.elements().begin() + 3, sorted.elements().begin() + 13);
  EXPECT_EQ(all.run("[{'$sort':{'v':-1}},{'$project':{'v':1}},{'$skip':3},{'$limit':10}]"),
            text_of(Value::array(std::move(first))));
}

TEST(Sort, RefusesOrdersThatAreNone) {
  EXPECT_TRUE(is_refused("[{'$sort':{}}]"));
  EXPECT_TRUE(is_refused("[{'$sort':{'a':0}}]"));
  EXPECT_TRUE(is_refused("[{'$sort':{'a':'asc'}}]"));
  EXPECT_FALSE(is_refused("[{'$sort':{'a':-1.5}}]"));
}

TEST(Limit, StopsReading) {
  Database database("[{'_id':1},{'_id':2},{'_id':3}]");
  EXPECT_EQ(database.run("[{'$match':{}},{'$limit':1}]"), "[{'_id':1}]");
  EXPECT_EQ(database.read, 1U);
  EXPECT_TRUE(is_refused("[{'$limit':0}]"));
  EXPECT_TRUE(is_refused("[{'$skip':-1}]"));
  EXPECT_TRUE(is_refused("[{'$limit':1.5}]"));
}

TEST(Count, GivesNoDocumentForNone) {
  EXPECT_EQ(over("[{},{}]", "[{'$count':'n'}]"), "[{'n':2}]");
  EXPECT_EQ(over("[]", "[{'$count':'n'}]"), "[]");
  EXPECT_TRUE(is_refused("[{'$count':'a.b'}]"));
  EXPECT_TRUE(is_refused("[{'$count':'_id'}]"));
}

TEST(SortByCount, PutsTheMostFrequentFirst) {
  EXPECT_EQ(over("[{'a':1},{'a':2},{'a':2}]", "[{'$sortByCount':'$a'}]"),
            "[{'_id':2,'count':2},{'_id':1,'count':1}]");
  EXPECT_TRUE(is_refused("[{'$sortByCount':'a'}]"));
}

TEST(Bucket, LeavesOutEmptyBucketsAndSortsTheDefaultAmongThem) {
  EXPECT_EQ(over("[{'a':5},{'a':25},{'a':-1},{}]",
                 "[{'$bucket':{'groupBy':'$a','boundaries':[0,10,20,30],'default':-5}}]"),
            "[{'_id':-5,'count':2},{'_id':0,'count':1},{'_id':20,'count':1}]");
  EXPECT_TRUE(is_refused("[{'$bucket':{'groupBy':'$a','boundaries':[2,3]}}]"));
  EXPECT_TRUE(is_refused("[{'$bucket':{'groupBy':'$a','boundaries':[0,3],'default':1}}]"));
  EXPECT_TRUE(is_refused("[{'$bucket':{'groupBy':'$a','boundaries':[0,'x']}}]"));
}

TEST(BucketAuto, NeverPartsEqualValues) {
  EXPECT_EQ(
      over("[{'a':1},{'a':1},{'a':1},{'a':2}]", "[{'$bucketAuto':{'groupBy':'$a','buckets':2}}]"),
      "[{'_id':{'min':1,'max':2},'count':3},{'_id':{'min':2,'max':2},'count':1}]");
}

TEST(BucketAuto, RoundsToASeries) {
  EXPECT_EQ(over("[{'a':7},{'a':11},{'a':30}]",
                 "[{'$bucketAuto':{'groupBy':'$a','buckets':2,'granularity':'1-2-5'}}]"),
            "[{'_id':{'min':5.0,'max':20.0},'count':2},{'_id':{'min':20.0,'max':50.0},'count':1}]");
  EXPECT_EQ(over("[{'a':0},{'a':5}]",
                 "[{'$bucketAuto':{'groupBy':'$a','buckets':2,'granularity':'POWERSOF2'}}]"),
            "[{'_id':{'min':0.0,'max':4},'count':1},{'_id':{'min':4,'max':8},'count':1}]");
}

TEST(Sample, GivesNoMoreThanThereAre) {
  EXPECT_EQ(over("[{'a':1}]", "[{'$sample':{'size':3}}]"), "[{'a':1}]");
  EXPECT_EQ(over("[{},{},{},{}]", "[{'$sample':{'size':2}},{'$count':'n'}]"), "[{'n':2}]");
  EXPECT_TRUE(is_refused("[{'$sample':{'size':0}}]"));
}

TEST(Facet, RunsEachPipelineOverAllDocuments) {
  EXPECT_EQ(over("[{'a':1},{'a':2}]", "[{'$facet':{'n':[{'$count':'n'}],'x':[{'$limit':1}]}}]"),
            "[{'n':[{'n':2}],'x':[{'a':1}]}]");
  EXPECT_EQ(over("[]", "[{'$facet':{'all':[]}}]"), "[{'all':[]}]");
  EXPECT_TRUE(is_refused("[{'$facet':{'a':[{'$facet':{'b':[]}}]}}]"));
}

TEST(Memory, IsRefusedWithTheStageThatWantsTooMuch) {
  std::string documents = "[";
  for (int i = 0; i < 100; ++i) {
    documents += (i == 0 ? "" : ",") + ("{'a':" + std::to_string(i)) + "}";
  }
  documents += "]";
  for (const std::string_view stage :
       {"{'$sort':{'a':1}}", "{'$group':{'_id':'$a'}}", "{'$sortByCount':'$a'}",
        "{'$bucketAuto':{'groupBy':'$a','buckets':2}}", "{'$facet':{'x':[]}}",
        "{'$sample':{'size':99}}"}) {
    const std::string pipeline = "[" + std::string(stage) + "]";
    Database database(documents);
    EXPECT_TRUE(database.run(pipeline, 2000).starts_with("error: $")) << stage;
    EXPECT_FALSE(database.run(pipeline).starts_with("error")) << stage;
  }
}

}  // namespace
}  // namespace gantry::data::pipeline::tests
