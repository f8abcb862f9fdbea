#include <gtest/gtest.h>

#include <gantry/testing/fake_host.hpp>
#include <gantry/testing/matchers.hpp>

using namespace gantry::testing;
using ::testing::HasSubstr;

namespace {

TEST(Greet, NamesThePerson) {
  FakeHost host(Loaded{GANTRY_PLUGIN_FILE});
  EXPECT_THAT(host.call("hello_c_greet", R"({"name":"Ada"})"),
              HasStructured(R"({"greeting":"Hello, Ada!"})"));
}

TEST(Greet, TakesEveryNameAsItIsWritten) {
  FakeHost host(Loaded{GANTRY_PLUGIN_FILE});
  EXPECT_THAT(host.call("hello_c_greet", R"({ "name" : "a \"b\": \u00e9}" })"),
              HasStructured(R"({"greeting":"Hello, a \"b\": \u00e9}!"})"));
}

TEST(Greet, RefusesAnEmptyName) {
  FakeHost host(Loaded{GANTRY_PLUGIN_FILE});
  EXPECT_THAT(host.call("hello_c_greet", R"({"name":""})"),
              FailsWith("invalid_argument", HasSubstr("name")));
}

}  // namespace
