#include <gtest/gtest.h>

#include <gantry/testing/fake_host.hpp>
#include <gantry/testing/matchers.hpp>

using namespace gantry::testing;
using ::testing::HasSubstr;

namespace {

TEST(Greet, NamesThePerson) {
  FakeHost host(Loaded{GANTRY_PLUGIN_FILE});
  EXPECT_THAT(host.call("hello_cpp_greet", R"({"name":"Ada"})"), HasText("Hello, Ada!"));
}

TEST(Greet, RepeatsItselfOnRequest) {
  FakeHost host(Loaded{GANTRY_PLUGIN_FILE});
  EXPECT_THAT(host.call("hello_cpp_greet", R"({"name":"Ada","times":2})"),
              HasText("Hello, Ada!\nHello, Ada!"));
}

TEST(Greet, UsesTheConfiguredGreeting) {
  Options options;
  options.config = R"({"greeting":"Moin"})";
  FakeHost host(Loaded{GANTRY_PLUGIN_FILE}, options);
  EXPECT_THAT(host.call("hello_cpp_greet", R"({"name":"Ada"})"), HasText("Moin, Ada!"));
}

TEST(Greet, RefusesAnEmptyName) {
  FakeHost host(Loaded{GANTRY_PLUGIN_FILE});
  EXPECT_THAT(host.call("hello_cpp_greet", R"({"name":""})"),
              FailsWith("invalid_argument", HasSubstr("name")));
}

TEST(Greet, WorksLinkedIntoTheTestToo) {
  FakeHost host(Linked{gantry_plugin_v1, GANTRY_PLUGIN_MANIFEST});
  EXPECT_THAT(host.call("hello_cpp_greet", R"({"name":"Ada"})"), HasText("Hello, Ada!"));
}

}  // namespace
