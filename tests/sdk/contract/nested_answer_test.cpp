// The parts of a nested call's answer.
#include "sdk/contract/nested_answer.hpp"

#include <gtest/gtest.h>

#include <string>

namespace gantry::contract::nested_answer_test {
namespace {

struct Taken {
  std::string text;
  static void part(void* context, gantry_bytes type, gantry_bytes body) {
    std::string& text = static_cast<Taken*>(context)->text;
    text.append(type.data, type.size).append("=").append(body.data, body.size).append(";");
  }
};

TEST(NestedAnswer, GivesPartsToACallbackIfThereIsOne) {
  Taken taken;
  give_part({&Taken::part, &taken}, "json", "{}");
  give_part({nullptr, nullptr}, "json", "{}");
  EXPECT_EQ(taken.text, "json={};");
}

TEST(NestedAnswer, GivesAnErrorAsJson) {
  Taken taken;
  const gantry_answer answer{&Taken::part, &taken};
  EXPECT_EQ(give_error(answer, GANTRY_BUSY, "internal_error", "a \"b\"\n"), GANTRY_BUSY);
  EXPECT_EQ(taken.text, "error={\"error_code\":\"internal_error\",\"error\":\"a \\\"b\\\"\\n\"};");
  EXPECT_EQ(error_json("x", "y", R"({"z":1})"),
            R"({"error_code":"x","error":"y","details":{"z":1}})");
}

TEST(NestedAnswer, RequiresTheMembersOfVersionOne) {
  gantry_invocation what{};
  EXPECT_FALSE(is_complete(nullptr));
  EXPECT_FALSE(is_complete(&what));
  what.size = sizeof what - 1;
  EXPECT_FALSE(is_complete(&what));
  what.size = sizeof what;
  EXPECT_TRUE(is_complete(&what));
  what.size = sizeof what + 8;  // of a newer plugin
  EXPECT_TRUE(is_complete(&what));
}

}  // namespace
}  // namespace gantry::contract::nested_answer_test
