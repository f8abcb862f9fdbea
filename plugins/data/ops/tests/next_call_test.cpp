#include "ops/next_call.hpp"

#include <gtest/gtest.h>

namespace gantry::data {
namespace {

TEST(NextCall, RepeatsTheArgumentsWithTheNextSkip) {
  const std::string arguments = R"({"class_name":"c","skip":2,"where":{"a":9007199254740993}})";
  EXPECT_EQ(next_call("query_class", R"({"op":"query","args":)" + arguments + "}",
                      {{"limit", "100"}, {"skip", "102"}}),
            R"({"tool":"query_class","arguments":{"class_name":"c","where":{"a":9007199254740993},)"
            R"("limit":100,"skip":102}})");
}

}  // namespace
}  // namespace gantry::data
