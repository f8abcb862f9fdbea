#include "host/auth/agents/roles.hpp"

#include <gtest/gtest.h>

namespace gantry::host {
namespace {

using RoleNames = std::vector<std::string>;

Roles made(Roles::Included included) {
  auto roles = Roles::make(std::move(included));
  EXPECT_TRUE(roles) << roles.message();
  return roles ? std::move(*roles) : Roles();
}

TEST(Roles, AreInheritedThroughManyLevels) {
  const Roles roles = made({{"ceo", {"head"}},
                            {"head", {"seller", "buyer"}},
                            {"seller", {"employee"}},
                            {"buyer", {"employee"}},
                            {"employee", {"person"}}});
  EXPECT_EQ(*roles.expanded({"ceo"}),
            (RoleNames{"buyer", "ceo", "employee", "head", "person", "seller"}));
  EXPECT_EQ(*roles.expanded({"employee", "unknown"}), (RoleNames{"employee", "person", "unknown"}));
  EXPECT_TRUE(roles.expanded({})->empty());
}

TEST(Roles, RefuseACircleAndShowIt) {
  const auto roles = Roles::make({{"a", {"b"}}, {"b", {"c", "d"}}, {"d", {"b"}}});
  ASSERT_FALSE(roles);
  EXPECT_NE(roles.message().find("b > d > b"), std::string::npos) << roles.message();
  EXPECT_FALSE(Roles::make({{"a", {"a"}}}));
  EXPECT_TRUE(Roles::make({{"a", {"c"}}, {"b", {"c"}}, {"top", {"a", "b"}}}));
}

TEST(Roles, AreAtMost256) {
  Roles::Included chain;
  for (int i = 0; i < 256; ++i) {
    chain["r" + std::to_string(i)] = {"r" + std::to_string(i + 1)};
  }
  const Roles roles = made(chain);
  EXPECT_EQ(roles.expanded({"r1"})->size(), 256u);
  EXPECT_EQ(roles.expanded({"r0"}).status().code(), GANTRY_INVALID_ARGUMENT);
}

TEST(Roles, TakeALongChain) {
  Roles::Included chain;
  for (int i = 0; i < 100'000; ++i) {
    chain["r" + std::to_string(i)] = {"r" + std::to_string(i + 1)};
  }
  EXPECT_TRUE(Roles::make(chain));
}

}  // namespace
}  // namespace gantry::host
