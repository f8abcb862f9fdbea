#include "sdk/contract/header_annotations.hpp"

#include <gtest/gtest.h>

#include <string>

namespace gantry::contract {
namespace {

std::string check(const std::string& schema) {
  const Status status = check_header_annotations(RawJson::parse(schema).value());
  return status ? "fine" : status.message();
}

std::string property(const std::string& text) {
  return check(R"({"type":"object","properties":{"a":)" + text + "}}");
}

TEST(HeaderAnnotations, MayStandOnTextIntegersAndBooleans) {
  for (const char* type : {"string", "integer", "boolean"}) {
    EXPECT_EQ(property(std::string(R"({"type":")") + type + R"(","x-mcp-header":"Region"})"),
              "fine");
  }
  EXPECT_EQ(
      property(R"({"type":"object","properties":{"b":{"type":"string","x-mcp-header":"B"}}})"),
      "fine");
}

TEST(HeaderAnnotations, NeedATypeThatHasOneTextForm) {
  const std::string wanted =
      "x-mcp-header at #/properties/a needs a property of \"type\" string, integer or boolean";
  EXPECT_EQ(property(R"({"type":"number","x-mcp-header":"A"})"), wanted);
  EXPECT_EQ(property(R"({"type":["string","null"],"x-mcp-header":"A"})"), wanted);
  EXPECT_EQ(property(R"({"x-mcp-header":"A"})"), wanted);
}

TEST(HeaderAnnotations, AreTokens) {
  const std::string wanted =
      "x-mcp-header at #/properties/a must be an HTTP token such as \"Region\"";
  for (const char* bad : {R"("")", R"("a b")", R"("a:b")", R"("\u0007")", R"("é")", "7"}) {
    EXPECT_EQ(property(std::string(R"({"type":"string","x-mcp-header":)") + bad + "}"), wanted)
        << bad;
  }
}

TEST(HeaderAnnotations, DifferByMoreThanCase) {
  EXPECT_EQ(check(R"({"properties":{"a":{"type":"string","x-mcp-header":"Key"},)"
                  R"("b":{"type":"string","x-mcp-header":"KEY"}}})"),
            "x-mcp-header at #/properties/b repeats \"KEY\"; names must differ by more than case");
}

TEST(HeaderAnnotations, AreReachedThroughPropertiesAlone) {
  const std::string marked = R"({"type":"string","x-mcp-header":"A"})";
  for (const std::string& schema :
       {R"({"items":)" + marked + "}", R"({"anyOf":[{"properties":{"b":)" + marked + "}}]}",
        R"({"$defs":{"d":)" + marked + "}}", R"({"if":{"properties":{"b":)" + marked + "}}}",
        R"({"patternProperties":{"^a":)" + marked + "}}"}) {
    EXPECT_NE(check(schema).find("must stand on a property reached"), std::string::npos) << schema;
  }
  EXPECT_EQ(check(R"({"type":"object","x-mcp-header":"A"})"),
            "x-mcp-header at # must stand on a property reached through \"properties\" alone");
}

TEST(HeaderAnnotations, DataThatLooksLikeOneIsLeftAlone) {
  EXPECT_EQ(check(R"({"properties":{"x-mcp-header":{"type":"number"}}})"), "fine");
  EXPECT_EQ(property(R"({"const":{"x-mcp-header":"a b"}})"), "fine");
  EXPECT_EQ(property(R"({"default":{"x-mcp-header":7},"examples":[{"x-mcp-header":7}]})"), "fine");
}

}  // namespace
}  // namespace gantry::contract
