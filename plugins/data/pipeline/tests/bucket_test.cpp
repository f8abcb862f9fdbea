// Buckets: their bounds, their default, their series of rounded numbers.
#include <gtest/gtest.h>

#include "pipeline/tests/pipelines.hpp"

namespace gantry::data::pipeline::tests::bucket_test {
namespace {

std::string bucket(std::string_view documents, const std::string& options) {
  return Database(documents).run("[{'$bucket':{'groupBy':'$a'," + options + "}}]");
}
std::string automatic(std::string_view documents, const std::string& options) {
  return Database(documents).run("[{'$bucketAuto':{'groupBy':'$a'," + options + "}}]");
}

TEST(Bucket, HoldsItsLowerBoundAndNotItsUpper) {
  EXPECT_EQ(bucket("[{'a':0},{'a':9.999},{'a':10},{'a':19}]", "'boundaries':[0,10,20]"),
            "[{'_id':0,'count':2},{'_id':10,'count':2}]");
  EXPECT_EQ(unsaid(bucket("[{'a':20}]", "'boundaries':[0,10,20]"),
                   {"$bucket", "outside all boundaries", "'default'", "$match"}),
            "");
}

TEST(Bucket, PutsOtherTypesIntoTheDefault) {
  EXPECT_EQ(bucket("[{'a':'x'},{'a':null},{},{'a':5},{'a':true}]",
                   "'boundaries':[0,10],'default':'other'"),
            "[{'_id':0,'count':1},{'_id':'other','count':4}]");
}

TEST(Bucket, TakesBoundariesOfTextsAndDates) {
  EXPECT_EQ(bucket("[{'a':'Bo'},{'a':'Al'},{'a':'Zoe'}]", "'boundaries':['A','M','a']"),
            "[{'_id':'A','count':2},{'_id':'M','count':1}]");
  EXPECT_EQ(bucket("[{'a':{'$date':'1969-12-31T12:00:00Z'}}]",
                   "'boundaries':[{'$date':'1900-01-01T00:00:00Z'},"
                   "{'$date':'1970-01-01T00:00:00Z'}]"),
            "[{'_id':{'$date':'1900-01-01T00:00:00.000Z'},'count':1}]");
}

TEST(Bucket, TakesConstantExpressionsForBoundaries) {
  EXPECT_EQ(bucket("[{'a':3}]", "'boundaries':[{'$add':[1,1]},{'$multiply':[2,2]}]"),
            "[{'_id':2,'count':1}]");
  EXPECT_EQ(
      unsaid(bucket("[{'a':3}]", "'boundaries':[0,'$a']"), {"$bucket", "'boundaries'", "constant"}),
      "");
}

TEST(Bucket, SaysWhatIsWrongWithItsBoundaries) {
  EXPECT_EQ(unsaid(bucket("[]", "'boundaries':[1]"), {"$bucket", "at least two"}), "");
  EXPECT_EQ(unsaid(bucket("[]", "'boundaries':5"), {"$bucket", "'boundaries'", "an int"}), "");
  EXPECT_EQ(unsaid(bucket("[]", "'boundaries':[1,1]"), {"$bucket", "ascending", "none twice"}), "");
  EXPECT_EQ(unsaid(bucket("[]", "'boundaries':[2,1]"), {"$bucket", "ascending"}), "");
  EXPECT_EQ(unsaid(bucket("[]", "'boundaries':[1,'x']"), {"$bucket", "one type"}), "");
  EXPECT_EQ(bucket("[{'a':7}]", "'boundaries':[0,5],'default':5.0"), "[{'_id':5.0,'count':1}]");
  EXPECT_EQ(unsaid(bucket("[]", "'boundaries':[0,10],'default':9"), {"$bucket", "'default'"}), "");
  EXPECT_EQ(unsaid(Database("[]").run("[{'$bucket':{'groupBy':'a','boundaries':[0,1]}}]"),
                   {"$bucket", "'groupBy'", "\"$field\""}),
            "");
}

TEST(Bucket, GivesTheOutputThatIsAskedFor) {
  EXPECT_EQ(bucket("[{'a':1,'p':5},{'a':2,'p':7}]",
                   "'boundaries':[0,10],'output':{'sum':{'$sum':'$p'},'all':{'$push':'$p'}}"),
            "[{'_id':0,'sum':12,'all':[5,7]}]");
  EXPECT_EQ(bucket("[]", "'boundaries':[0,10]"), "[]");
}

TEST(BucketAuto, ReachesFromTheLeastToTheGreatest) {
  EXPECT_EQ(automatic("[{'a':4},{'a':1},{'a':3},{'a':2}]", "'buckets':2"),
            "[{'_id':{'min':1,'max':3},'count':2},{'_id':{'min':3,'max':4},'count':2}]");
  EXPECT_EQ(automatic("[{'a':5}]", "'buckets':3"), "[{'_id':{'min':5,'max':5},'count':1}]");
  EXPECT_EQ(automatic("[]", "'buckets':3"), "[]");
}

TEST(BucketAuto, OrdersTypesAndTakesMissingForNull) {
  EXPECT_EQ(automatic("[{'a':'x'},{'a':1},{},{'a':null}]", "'buckets':2"),
            "[{'_id':{'min':null,'max':1},'count':2},{'_id':{'min':1,'max':'x'},'count':2}]");
}

TEST(BucketAuto, GivesTheOutputThatIsAskedFor) {
  EXPECT_EQ(
      automatic("[{'a':1,'p':5},{'a':2,'p':7}]", "'buckets':1,'output':{'avg':{'$avg':'$p'}}"),
      "[{'_id':{'min':1,'max':2},'avg':6.0}]");
}

TEST(BucketAuto, SaysWhatIsWrongWithItsCount) {
  for (const char* count : {"0", "-1", "1.5", "2147483648", "'2'"}) {
    EXPECT_EQ(unsaid(automatic("[]", "'buckets':" + std::string(count)), {"$bucketAuto"}), "")
        << count;
  }
  EXPECT_EQ(unsaid(automatic("[]", "'buckets':2,'granularity':'R7'"), {"$bucketAuto", "R5"}), "");
}

// The bounds of one bucket of a series around one number.
std::string around(const char* series, const char* number) {
  return Database("[{'a':" + std::string(number) + "}]")
      .run("[{'$bucketAuto':{'groupBy':'$a','buckets':1,'granularity':'" + std::string(series) +
           "'}},{'$project':{'_id':0,'min':'$_id.min','max':'$_id.max'}}]");
}

TEST(Granularity, RoundsOutwardToNumbersOfItsSeries) {
  EXPECT_EQ(around("R5", "17"), "[{'min':16.0,'max':25.0}]");
  EXPECT_EQ(around("R10", "17"), "[{'min':16.0,'max':20.0}]");
  EXPECT_EQ(around("R20", "17"), "[{'min':16.0,'max':18.0}]");
  EXPECT_EQ(around("1-2-5", "17"), "[{'min':10.0,'max':20.0}]");
  EXPECT_EQ(around("E6", "17"), "[{'min':15.0,'max':22.0}]");
  EXPECT_EQ(around("E12", "17"), "[{'min':15.0,'max':18.0}]");
  EXPECT_EQ(around("E24", "17"), "[{'min':16.0,'max':18.0}]");
}

TEST(Granularity, ANumberOfTheSeriesIsBelowItsUpperBound) {
  EXPECT_EQ(around("1-2-5", "20"), "[{'min':10.0,'max':50.0}]");
  EXPECT_EQ(around("POWERSOF2", "16"), "[{'min':8,'max':32}]");
  EXPECT_EQ(around("POWERSOF2", "17"), "[{'min':16,'max':32}]");
}

TEST(Granularity, WorksAcrossPowersOfTen) {
  EXPECT_EQ(around("1-2-5", "0.03"), "[{'min':0.02,'max':0.05}]");
  EXPECT_EQ(around("1-2-5", "700000"), "[{'min':5e+05,'max':1e+06}]");
  EXPECT_EQ(around("POWERSOF2", "0.3"), "[{'min':0.25,'max':0.5}]");
}

// Regression: the search for the bound below never ended.
TEST(Granularity, TheLeastNumbersHaveZeroBelowThem) {
  for (const char* series : {"R5", "R80", "1-2-5", "E6", "E192"}) {
    for (const char* number : {"5e-324", "1e-323", "9e-323"}) {
      EXPECT_TRUE(around(series, number).starts_with("[{'min':0.0,'max':")) << series << number;
    }
    EXPECT_TRUE(around(series, "1e-320").starts_with("[{'min':")) << series;
    EXPECT_TRUE(around(series, "1.7e308").starts_with("[{'min':")) << series;
  }
}

TEST(Granularity, WantsNumbersThatAreNotNegative) {
  for (const char* number : {"-1", "'x'", "null", "{'$numberDouble':'NaN'}"}) {
    EXPECT_EQ(unsaid(around("R5", number), {"$bucketAuto"}), "") << number;
  }
}

}  // namespace
}  // namespace gantry::data::pipeline::tests::bucket_test
