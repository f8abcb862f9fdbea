// Stages in the forms that are seldom written, over very many fields, and where they end.
#include <gtest/gtest.h>

#include "pipeline/provenance.hpp"
#include "pipeline/tests/pipelines.hpp"

namespace gantry::data::pipeline::tests::stage_forms_test {
namespace {

std::string over(std::string_view documents, const std::string& stage) {
  return Database(documents).run("[" + stage + "]");
}

// {f0: value, …}; every `step`-th of `count` fields.
std::string fields(int count, int step, const std::string& value = "") {
  std::string text = "{";
  for (int i = 0; i < count; i += step) {
    text += (i == 0 ? "'f" : ",'f") + std::to_string(i) +
            "':" + (value.empty() ? std::to_string(i) : value);
  }
  return text + "}";
}

TEST(ManyFields, AreKeptAndLeftOutAsFewAre) {
  for (const int count : {15, 17, 18, 120}) {
    const std::string all = "[" + fields(count, 1) + "]";
    EXPECT_EQ(over(all, "{'$project':" + fields(count, 2, "1") + "}"),
              "[" + fields(count, 2) + "]");
    std::string unset;
    for (int i = 1; i < count; i += 2) unset += (i == 1 ? "'f" : ",'f") + std::to_string(i) + "'";
    EXPECT_EQ(over(all, "{'$unset':[" + unset + "]}"), "[" + fields(count, 2) + "]");
    EXPECT_EQ(over(all, "{'$set':" + fields(count, 1, "0") + "}"),
              "[" + fields(count, 1, "0") + "]");
  }
}

TEST(Densify, WithBoundsNeedsNoDocuments) {
  EXPECT_EQ(over("[]", "{'$densify':{'field':'v','range':{'step':2,'bounds':[0,5]}}}"),
            "[{'v':0},{'v':2},{'v':4}]");
  EXPECT_EQ(over("[]", "{'$densify':{'field':'v','range':{'step':2,'bounds':'full'}}}"), "[]");
  EXPECT_EQ(over("[]",
                 "{'$densify':{'field':'v','partitionByFields':['k'],"
                 "'range':{'step':2,'bounds':[0,5]}}}"),
            "[]");
}

TEST(Densify, NeverGoesOnForeverOverNumbersThatHaveNoNext) {
  for (const char* number : {"NaN", "-Infinity", "Infinity"}) {
    const std::string documents = "[{'v':{'$numberDouble':'" + std::string(number) + "'}},{'v':1}]";
    EXPECT_EQ(unsaid(over(documents,
                          "{'$densify':{'field':'v','range':{'step':1,"
                          "'bounds':'full'}}}"),
                     {"$densify"}),
              "")
        << number;
  }
  EXPECT_EQ(unsaid(over("[{'v':1e300},{'v':2e300}]",
                        "{'$densify':{'field':'v','range':{'step':1e299,'bounds':'x'}}}"),
                   {"$densify", "\"full\", \"partition\" or two values"}),
            "");
  EXPECT_EQ(unsaid(over("[]", "{'$densify':{'field':'v','range':{'step':1,'bounds':[1]}}}"),
                   {"two values as bounds"}),
            "");
  EXPECT_EQ(unsaid(over("[]",
                        "{'$densify':{'field':'v','partitionByFields':'k',"
                        "'range':{'step':1,'bounds':'full'}}}"),
                   {"partitionByFields", "a string"}),
            "");
}

TEST(Samples, TakeEverySizeThatIsAboveZero) {
  EXPECT_EQ(over("[{'a':1}]", "{'$sample':{'size':1e300}}"), "[{'a':1}]");
  EXPECT_EQ(over("[{'a':1},{'a':1}]", "{'$sample':{'size':1.9}}"), "[{'a':1}]");
  for (const char* none : {"0.9", "-1e300", "{'$numberDouble':'NaN'}"}) {
    EXPECT_EQ(unsaid(over("[]", "{'$sample':{'size':" + std::string(none) + "}}"),
                     {"$sample", "'size'", "1 or more"}),
              "");
  }
}

TEST(StageForms, OfStagesWhoseOptionHasAnotherKind) {
  EXPECT_EQ(unsaid(over("[]", "{'$unset':5}"), {"$unset", "array of names", "an int"}), "");
  EXPECT_EQ(unsaid(over("[]", "{'$facet':{}}"), {"$facet", "at least one"}), "");
  EXPECT_EQ(unsaid(over("[]", "{'$unionWith':{'coll':'f','pipeline':{}}}"),
                   {"$unionWith", "'pipeline'", "an object"}),
            "");
  EXPECT_EQ(unsaid(over("[]", "{'$bucket':{'groupBy':'$a','boundaries':[0,1],'output':5}}"),
                   {"$bucket", "accumulators", "an int"}),
            "");
  EXPECT_EQ(unsaid(over("[]", "{'$fill':{'partitionBy':5,'output':{'v':{'value':1}}}}"),
                   {"$fill", "partitionBy", "an int"}),
            "");
  EXPECT_EQ(
      unsaid(over("[]", "{'$match':{'a':{'$near':[0,0]}}}"), {"$match", "$near", "$geoWithin"}),
      "");
  EXPECT_EQ(unsaid(over("[]", "{'$group':{'_id':null,'a\\u0000b':{'$sum':1}}}"), {"NUL"}), "");
}

TEST(Pipelines, NestTwentyDeep) {
  const auto nested = [](int levels) {
    std::string inner = "[]";
    for (int i = 0; i < levels; ++i) {
      inner = "[{'$unionWith':{'coll':'f','pipeline':" + inner + "}}]";
    }
    return Database("[]").run(inner);
  };
  EXPECT_EQ(nested(20), "[]");
  EXPECT_EQ(unsaid(nested(21), {"20 levels deep", "flatten"}), "");
}

TEST(Windows, CountTimeInUnitsOfFixedLength) {
  const auto slope = [](const char* unit) {
    return over(
        "[{'d':{'$date':'2024-01-01T00:00:00Z'},'v':0},"
        "{'d':{'$date':'2024-01-08T00:00:00Z'},'v':604800000}]",
        "{'$setWindowFields':{'sortBy':{'d':1},'output':{'r':{'$derivative':{'input':'$v',"
        "'unit':'" +
            std::string(unit) +
            "'},'window':{'documents':[-1,0]}}}}},{'$skip':1},{'$project':{'r':1}}");
  };
  EXPECT_EQ(slope("week"), "[{'r':604800000.0}]");
  EXPECT_EQ(slope("minute"), "[{'r':60000.0}]");
  EXPECT_EQ(slope("second"), "[{'r':1000.0}]");
  EXPECT_EQ(slope("millisecond"), "[{'r':1.0}]");
}

Shape after(std::string_view pipeline) { return shapes_after(parse(pipeline)).back(); }

TEST(ShapesAfter, BucketsAndCountsHaveMadeFieldsAlone) {
  for (const char* stage :
       {"{'$bucket':{'groupBy':'$a','boundaries':[0,1]}}",
        "{'$bucketAuto':{'groupBy':'$a','buckets':1}}",
        "{'$bucketAuto':{'groupBy':'$a','buckets':1,'output':{}}}", "{'$sortByCount':'$a'}"}) {
    const Shape shape = after("[" + std::string(stage) + "]");
    EXPECT_EQ(shape.origin_of("_id.min"), Origin::made) << stage;
    EXPECT_EQ(shape.origin_of("count"), Origin::made) << stage;
    EXPECT_EQ(shape.origin_of("a"), Origin::none) << stage;
  }
  const Shape own = after(
      "[{'$bucket':{'groupBy':'$a','boundaries':[0,1],"
      "'output':{'n':{'$sum':1}}}}]");
  EXPECT_EQ(own.origin_of("n"), Origin::made);
  EXPECT_EQ(own.origin_of("count"), Origin::none);
}

TEST(ShapesAfter, JoinsPlacesAndWindowsAddToTheClass) {
  EXPECT_EQ(after("[{'$unwind':{'path':'$a','includeArrayIndex':'i'}}]").origin_of("i"),
            Origin::made);
  EXPECT_EQ(after("[{'$unwind':'$a'}]").origin_of("a"), Origin::of_class);
  EXPECT_EQ(after("[{'$unset':['a','b.c']}]").origin_of("a"), Origin::none);
  EXPECT_EQ(after("[{'$graphLookup':{'from':'f','startWith':'$a','connectFromField':'b',"
                  "'connectToField':'c','as':'g'}}]")
                .origin_of("g.x"),
            Origin::made);
  EXPECT_EQ(after("[{'$setWindowFields':{'output':{'r':{'$sum':1}}}}]").origin_of("r"),
            Origin::made);
  const Shape facet = after("[{'$facet':{'x':[],'y':[]}}]");
  EXPECT_EQ(facet.origin_of("y"), Origin::made);
  EXPECT_EQ(facet.origin_of("a"), Origin::none);
}

TEST(ShapesAfter, ANewRootIsWhatItsExpressionIs) {
  EXPECT_EQ(after("[{'$replaceRoot':{'newRoot':{'k':'$a'}}}]").origin_of("k"), Origin::made);
  EXPECT_EQ(after("[{'$replaceRoot':{'newRoot':'$$CURRENT'}}]").origin_of("a"), Origin::of_class);
  const Shape written = after("[{'$documents':[{'x':1},{'y':2}]}]");
  EXPECT_EQ(written.origin_of("y"), Origin::made);
  EXPECT_EQ(written.origin_of("z"), Origin::none);
  EXPECT_TRUE(after("[{'$documents':{'$literal':[]}}]").has_unknown_fields());
}

}  // namespace
}  // namespace gantry::data::pipeline::tests::stage_forms_test
