#include "core/next_call.hpp"

#include <gtest/gtest.h>

namespace query {
namespace {

TEST(NextCall, RepeatsTheArgumentsWithTheNextSkip) {
  EXPECT_EQ(next_call(R"({"class_name":"c","skip":2,"where":{"a":9007199254740993}})", 100, 102),
            R"({"tool":"query_class","arguments":{"class_name":"c","where":{"a":9007199254740993},)"
            R"("limit":100,"skip":102}})");
}

}  // namespace
}  // namespace query
