#include "host/config/public_url.hpp"

#include <gtest/gtest.h>

namespace gantry::host {
namespace {

TEST(PublicUrl, IsMadeCanonical) {
  for (const auto& [given, made] : std::vector<std::pair<std::string, std::string>>{
           {"", ""},
           {"https://mcp.example", "https://mcp.example/mcp"},
           {"HTTPS://MCP.Example:8443/", "https://mcp.example:8443/mcp"},
           {"https://mcp.example/Team/mcp//", "https://mcp.example/Team/mcp"}}) {
    const auto url = canonical_public_url(given);
    ASSERT_TRUE(url) << given;
    EXPECT_EQ(*url, made);
  }
}

TEST(PublicUrl, RefusesOtherTextsWithAnExample) {
  for (const char* text :
       {"http://mcp.example/mcp", "mcp.example", "https://", "https:///mcp",
        "https://u@mcp.example/mcp", "https://mcp.example/mcp?x", "https://mcp.example/mcp#x",
        "https://mcp.example/other", "https://mcp.example/\"x/mcp", "https://mcp example/mcp"}) {
    const auto url = canonical_public_url(text);
    EXPECT_FALSE(url) << text;
    EXPECT_NE(url.message().find("like https://mcp.example/mcp"), std::string::npos);
  }
}

}  // namespace
}  // namespace gantry::host
