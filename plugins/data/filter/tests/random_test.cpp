// Random filters on random documents: properties of every filter.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "filter/tests/filter.hpp"

namespace gantry::data::filter::random_test {
namespace {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  std::string value(int depth) {
    static const char* const kPlain[] = {
        "0",       "1",  "-1.5", "true", "null",
        R"("ab")", "{}", "[]",   "2.0",  R"({"$numberDouble":"NaN"})"};
    if (depth == 0 || pick(3) > 0) return kPlain[pick(10)];
    if (pick(2) == 0) return "[" + value(depth - 1) + "," + value(depth - 1) + "]";
    return document(depth - 1);
  }
  std::string document(int depth) {
    return R"({"a":)" + value(depth) + R"(,"b":)" + value(depth) + "}";
  }
  std::string filter(int depth) {
    static const char* const kGroups[] = {"$and", "$or", "$nor"};
    if (depth > 0 && pick(3) == 0) {
      return std::string("{\"") + kGroups[pick(3)] + "\":[" + filter(depth - 1) + "," +
             filter(depth - 1) + "]}";
    }
    static const char* const kPaths[] = {"a", "b", "a.b", "a.0", "b.1.a", "a.0.b", ""};
    return std::string("{\"") + kPaths[pick(7)] + "\":" + test(depth) + "}";
  }

 private:
  std::string test(int depth) {
    static const char* const kOne[] = {"$eq", "$ne", "$gt", "$gte", "$lt", "$lte", "$exists"};
    static const char* const kRare[] = {R"({"$type":["number","array"]})",
                                        R"({"$mod":[2,1]})",
                                        R"({"$bitsAnySet":[0,70]})",
                                        R"({"$regex":"a.*","$options":"i"})",
                                        R"({"$size":2})",
                                        R"({"$near":[0,0]})",
                                        R"({"$geoWithin":{"$box":[[0,0],[1,1]]}})",
                                        R"({"$foo":1})"};
    switch (pick(6)) {
      case 0:
        return kRare[pick(8)];
      case 1:
        return R"({"$in":[)" + value(1) + "," + value(2) + "]}";
      case 2:
        return depth > 0 ? R"({"$not":)" + test(depth - 1) + "}" : value(2);
      case 3:
        return depth > 0 ? R"({"$elemMatch":)" + filter(depth - 1) + "}" : value(2);
      case 4:
        return R"({"$all":[)" + value(1) + "]}";
      default:
        return std::string("{\"") + kOne[pick(7)] + "\":" + value(2) + "}";
    }
  }
  unsigned pick(unsigned below) { return static_cast<unsigned>(engine_() % below); }
  std::mt19937 engine_;
};

TEST(RandomFilters, AreRefusedOrHaveANegation) {
  Random random(42);
  int answered = 0;
  int passed = 0;
  for (int i = 0; i < 4'000; ++i) {
    const std::string filter = random.filter(3);
    const std::string document = random.document(3);
    if (!refusal(filter).empty()) continue;
    const std::string negated = R"({"$nor":[)" + filter + "]}";
    const bool passes_it = passes(filter, document);
    passed += passes_it ? 1 : 0;
    ++answered;
    if (!refusal(negated).empty()) continue;  // $near may not be negated
    EXPECT_NE(passes_it, passes(negated, document)) << filter << " on " << document;
    EXPECT_EQ(passes_it, passes(R"({"$and":[)" + filter + "," + filter + "]}", document)) << filter;
  }
  EXPECT_GT(answered, 1'600);
  EXPECT_GT(passed, 400);
}

}  // namespace
}  // namespace gantry::data::filter::random_test
