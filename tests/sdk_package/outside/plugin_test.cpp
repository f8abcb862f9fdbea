#include <gtest/gtest.h>

#include <gantry/testing/fake_host.hpp>
#include <gantry/testing/matchers.hpp>

using namespace gantry::testing;

TEST(Outside, SaysHello) {
  FakeHost host(Loaded{GANTRY_PLUGIN_FILE});
  EXPECT_THAT(host.call("hello"), HasText("hello from outside"));
}
