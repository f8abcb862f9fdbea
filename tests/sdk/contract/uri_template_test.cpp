#include "sdk/contract/uris.hpp"

#include <gtest/gtest.h>

namespace gantry::contract::uri_template_test {
namespace {

using V = UriVariables;

TEST(UriTemplate, WithoutVariablesMatchesItselfOnly) {
  EXPECT_EQ(match_uri("app://a/b", "app://a/b"), V());
  EXPECT_FALSE(match_uri("app://a/b", "app://a/bc"));
  EXPECT_FALSE(match_uri("app://a/b", "app://a/"));
}

TEST(UriTemplate, TakesItsVariablesOut) {
  EXPECT_EQ(match_uri("data://{class}/schema", "data://Movie/schema"), (V{{"class", "Movie"}}));
  EXPECT_EQ(match_uri("x://{a}/{b}", "x://1/2"), (V{{"a", "1"}, {"b", "2"}}));
}

TEST(UriTemplate, AVariableHasOneCharacterOrMoreAndNoSlash) {
  EXPECT_FALSE(match_uri("data://{class}/schema", "data:///schema"));
  EXPECT_FALSE(match_uri("data://{class}/schema", "data://a/b/schema"));
  EXPECT_FALSE(match_uri("x://{a}", "x://"));
  EXPECT_FALSE(match_uri("x://{a}", "x://1/2"));
  EXPECT_FALSE(match_uri("x://{a}-{b}", "x://1-"));
}

TEST(UriTemplate, FindsTheFirstPlaceThatFitsTheRest) {
  EXPECT_EQ(match_uri("x://{a}-{b}", "x://1-2-3"), (V{{"a", "1"}, {"b", "2-3"}}));
  EXPECT_EQ(match_uri("x://{a}.json", "x://b.json.json"), (V{{"a", "b.json"}}));
  EXPECT_EQ(match_uri("x://{a}{b}", "x://123"), (V{{"a", "1"}, {"b", "23"}}));
  EXPECT_EQ(match_uri("x://{a}-/{b}", "x://1--/2"), (V{{"a", "1-"}, {"b", "2"}}));
  EXPECT_EQ(match_uri("x://{a}/{b}!", "x://1/2!/3!"), std::nullopt);
}

TEST(UriTemplate, DecodesValuesAndLeavesLiteralsAlone) {
  EXPECT_EQ(match_uri("x://{a}", "x://a%2Fb%20%C3%A4"), (V{{"a", "a/b ä"}}));
  EXPECT_FALSE(match_uri("x://%41/{a}", "x://A/1"));
}

TEST(UriTemplate, RefusesBrokenEscapesAndBytesThatAreNoText) {
  EXPECT_FALSE(match_uri("x://{a}", "x://a%2"));
  EXPECT_FALSE(match_uri("x://{a}", "x://a%zz"));
  EXPECT_FALSE(match_uri("x://{a}", "x://%ff"));
}

TEST(UriTemplate, ABraceWithoutItsPartnerMatchesNothing) {
  EXPECT_FALSE(match_uri("x://{a", "x://{a"));
  EXPECT_FALSE(match_uri("x://a}", "x://a}"));
  EXPECT_FALSE(match_uri("x://{a{b}}", "x://1"));
}

}  // namespace
}  // namespace gantry::contract::uri_template_test
