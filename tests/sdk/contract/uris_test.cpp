#include "sdk/contract/uris.hpp"

#include <gtest/gtest.h>

namespace gantry::contract::uris_test {
namespace {

std::string uri(std::string_view text) { return std::string(check_uri("uri", text).message()); }
std::string pattern(std::string_view text) {
  return std::string(check_uri_template("uriTemplate", text).message());
}

TEST(Uris, HaveASchemeAndSomethingBehindIt) {
  for (const auto good : {"app://a", "data:,x", "a+b-c.d:x", "file:///a%20b", "x:[1]?q=a&b#f"}) {
    EXPECT_EQ(uri(good), "") << good;
  }
  for (const auto bad : {"", "a", "app:", ":a", "1a:b", "a/b:c", "//host/a"}) {
    EXPECT_EQ(uri(bad), std::string("uri must be a URI with its scheme such as "
                                    "\"app://config/main\"; it is \"") +
                            bad + "\"");
  }
}

TEST(Uris, AreMadeOfTheCharactersOfUris) {
  for (const auto bad : {"app://a b", "app://{a}", "app://\xC3\xA9", "app://%", "app://%4",
                         "app://%4g", "app://a\\b", "app://\"", "app://a\nb", "app://<a>"}) {
    EXPECT_TRUE(uri(bad).starts_with("uri must be made of the characters of URIs, others as %XX"))
        << bad;
  }
}

TEST(Uris, HaveABound) {
  EXPECT_EQ(uri("app:" + std::string(kMaxUri - 4, 'a')), "");
  EXPECT_EQ(uri("app:" + std::string(kMaxUri - 3, 'a')),
            "uri has 2049 bytes; at most 2048 are allowed");
  EXPECT_EQ(pattern("app:{b}" + std::string(kMaxUri, 'a')),
            "uriTemplate has 2055 bytes; at most 2048 are allowed");
}

TEST(UriTemplates, HaveExpressionsOfLevelOne) {
  for (const auto good : {"app://{a}", "app:{a}", "app://{a}/{b}", "app://{year}-{m_2}.txt",
                          "data://{class}/count", "x:{a}%20{b}?q"}) {
    EXPECT_EQ(pattern(good), "") << good;
  }
}

TEST(UriTemplates, NameTheErrorInATemplate) {
  const auto wrong = [](std::string_view wanted, std::string_view text) {
    EXPECT_EQ(pattern(text), "uriTemplate must be " + std::string(wanted) + "; it is \"" +
                                 std::string(text) + "\"");
  };
  wrong("a URI template such as \"app://log/{day}\"", "{scheme}://a");
  wrong("a URI template such as \"app://log/{day}\"", "app:");
  wrong("a URI template such as \"app://log/{day}\"", "a{b}:c");
  wrong("a template with an expression such as {day}; without one use a resource", "app://a");
  wrong("a template with a literal between any two expressions", "app://{a}{b}");
  wrong("a template that has each name once", "app://{a}/{a}");
  wrong("a template whose braces come in pairs", "app://{a");
  wrong("a template whose braces come in pairs", "app://a}");
  wrong("a template whose braces come in pairs", "app://{a{b}}");
  for (const auto text : {"app://{}", "app://{+a}", "app://{/a}", "app://{a*}", "app://{a:3}",
                          "app://{a,b}", "app://{a b}"}) {
    wrong("a template of expressions {name}, name being 1 to 64 of A-Z a-z 0-9 _", text);
  }
  wrong("made of the characters of URIs, others as %XX", "app://a b/{c}");
  wrong("made of the characters of URIs, others as %XX", "app://{c}/%zz");
}

}  // namespace
}  // namespace gantry::contract::uris_test
