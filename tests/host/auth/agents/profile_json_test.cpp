// A profile as operators see it, with what the model adds to it.
#include <gtest/gtest.h>

#include "host/auth/agents/profile_json.hpp"

namespace gantry::host {
namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ProfileJson, UnitesTheHiddenClassesOfTheProfileAndOfTheModel) {
  Agent agent;
  agent.name = "sales";
  agent.classes.except = {"wages", "plain"};
  EXPECT_TRUE(holds(profile_json(agent), R"("hidden_classes":["plain","wages"])"));
  ProfileMore more;
  more.hidden = {"secrets", "plain"};
  EXPECT_TRUE(holds(profile_json(agent, more), R"("hidden_classes":["plain","secrets","wages"])"));
}

TEST(ProfileJson, HasTheLayersOfAClassWhereTheyAreKnown) {
  const Agent agent;
  EXPECT_FALSE(holds(profile_json(agent), "class_layers"));
  ProfileMore more;
  more.class_layers = R"({"class_name":"c","shown":true})";
  EXPECT_TRUE(
      holds(profile_json(agent, more), R"("class_layers":{"class_name":"c","shown":true})"));
}

}  // namespace
}  // namespace gantry::host
