#include "ops/next_call.hpp"

#include <gtest/gtest.h>
#include <rapidjson/document.h>

namespace gantry::data {
namespace {

TEST(NextCall, RepeatsTheArgumentsWithTheNextSkip) {
  rapidjson::Document arguments;
  arguments.Parse(
      R"({"skip":2,"class_name":"c","keys":null,"where":{"a":9007199254740993,"é":"\n"}})");
  EXPECT_EQ(next_call("query_class", arguments, {{"limit", "100"}, {"skip", "102"}}),
            R"({"tool":"query_class","arguments":{"class_name":"c",)"
            R"("where":{"a":9007199254740993,"é":"\n"},"limit":100,"skip":102}})");
}

}  // namespace
}  // namespace gantry::data
