// How rules are compiled: once for an agent, in the dialect of the store.
#include <gmock/gmock.h>

#include <set>

#include "ops/tests/ruled_database.hpp"
#include "plan/boundary.hpp"
#include "policy/recent_rules.hpp"
#include "sql/dialect.hpp"

namespace gantry::data {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string scope_text(const std::string& tenant) {
  return R"({"user":"u1","tenant_id":")" + tenant +
         R"(","filters":[{"Order":{"total":{"$lt":100}}}],"fingerprint":"0123456789abcdef"})";
}

TEST(RecentRules, AreParsedOncePerText) {
  RecentRules recent;
  const auto first = recent.of(scope_text("acme"));
  ASSERT_TRUE(first) << first.message();
  EXPECT_EQ((*first)->agent().tenant_id, "acme");
  EXPECT_EQ(*recent.of(scope_text("acme")), *first);
  EXPECT_NE((*recent.of(scope_text("umbra")))->agent().tenant_id, "acme")
      << "the host's fingerprint alone is no key";
}

TEST(RecentRules, KeepThe256UsedLast) {
  RecentRules recent;
  const auto first = *recent.of(scope_text("first"));
  const auto second = *recent.of(scope_text("second"));
  for (int i = 0; i < 254; ++i) ASSERT_TRUE(recent.of(scope_text("t" + std::to_string(i))));
  EXPECT_EQ(*recent.of(scope_text("first")), first);
  ASSERT_TRUE(recent.of(scope_text("one more")));
  EXPECT_EQ(*recent.of(scope_text("first")), first) << "it was used in between";
  EXPECT_NE(*recent.of(scope_text("second")), second);
}

TEST(RecentRules, KeepNeitherLongTextsNorErrors) {
  RecentRules recent;
  const std::string large = scope_text(std::string(std::size_t{64} << 10U, 'a'));
  const auto first = *recent.of(large);
  EXPECT_NE(*recent.of(large), first);
  for (int i = 0; i < 2; ++i) EXPECT_FALSE(recent.of(R"({"fingerprint":"0","narrower":1})"));
}

constexpr const char* kOrders = R"(
  CREATE TABLE orders(id INTEGER PRIMARY KEY, total REAL, status TEXT, at DATE);
  INSERT INTO orders VALUES (1,10,'paid','2026-01-01'),(2,20,'draft','2026-02-01'),
    (3,NULL,'paid',NULL),(4,'many','paid','2026-03-01'),(5,300,NULL,'soon');
)";

class CompiledRules : public RuledDatabase {
 protected:
  void SetUp() override {
    make_ruled(kOrders, {R"({"class":"Order","table":"orders"})"});
    act_as(R"("filters":[{"Order":{"total":{"$lt":100},"status":"paid"}}])");
  }
  std::string boundary(const Dialect& dialect) {
    const auto compiler = row_compiler(dialect);
    const Scope scope(*service_->store().catalog({}), rules_, compiler.get());
    return scope.open("Order")->boundary.text;
  }
};

TEST_F(CompiledRules, HaveADistinctFingerprintForEachRight) {
  std::set<std::string> fingerprints;
  const std::vector<std::string> agents = {"",
                                           R"("user":"a")",
                                           R"("user":"b")",
                                           R"("roles":["a"])",
                                           R"("roles":["b"])",
                                           R"("roles":["a","b"])",
                                           R"("tenant_id":"a")",
                                           R"("tenant_id":"b")",
                                           R"("permissions":"admin")",
                                           R"("classes":{"only":["a"]})",
                                           R"("classes":{"except":["a"]})",
                                           R"("classes":{"except":["b"]})",
                                           R"("filters":[{"a":{"x":1}}])",
                                           R"("filters":[{"a":{"x":2}}])",
                                           R"("filters":[{"a":{"x":1}},{"a":{"x":2}}])",
                                           R"("caps":{"rows":1})",
                                           R"("caps":{"rows":2})"};
  for (const std::string& agent : agents) {
    act_as(agent);
    EXPECT_TRUE(fingerprints.insert(rules_->fingerprint()).second) << agent;
  }
}

TEST_F(CompiledRules, AreWrittenInTheDialectOfTheStore) {
  EXPECT_THAT(boundary(service_->store().dialect()), Not(HasSubstr("gantry_match")));
  EXPECT_THAT(boundary(mute_dialect()), HasSubstr("gantry_match"));
}

TEST_F(CompiledRules, HideTheSameRowsInEveryDialect) {
  for (const char* filter :
       {R"({"total":{"$lt":100}})", R"({"total":{"$not":{"$lt":100}}})",
        R"({"status":{"$ne":"paid"}})", R"({"$or":[{"status":"draft"},{"total":{"$gt":100}}]})",
        R"({"status":{"$regex":"^p"}})", R"({"at":{"$gt":{"$date":"2026-01-15T00:00:00Z"}}})",
        R"({"total":null})", R"({"$nor":[{"total":{"$exists":true}}]})",
        R"({"status":{"$in":["paid",null]}})"}) {
    act_as(std::string(R"("filters":[{"Order":)") + filter + "}]");
    open({});
    const std::string pushed = ask("query", R"({"class_name":"Order"})");
    ReadSettings by_matcher;
    by_matcher.pushdown = false;
    open(by_matcher);
    EXPECT_EQ(ask("query", R"({"class_name":"Order"})"), pushed) << filter;
    EXPECT_THAT(pushed, StartsWith("[{")) << filter;
  }
}

}  // namespace
}  // namespace gantry::data
