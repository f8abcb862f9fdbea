#include "host/rpc/message/classify.hpp"

#include <gtest/gtest.h>

#include "tests/host/rpc/fake.hpp"

namespace gantry::host::rpc {
namespace {

constexpr const char* kGood =
    R"("io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{})";

struct Case {
  const char* what;
  std::string method;
  std::string params;  // the inside of params
  MapHeaders headers;
  Era era;
  int code;  // 0 = no error
  int status = 400;
};

std::string envelope(const std::string& inside) { return "\"_meta\":{" + inside + "}"; }

std::string version(const std::string& value) {
  return R"("_meta":{"io.modelcontextprotocol/protocolVersion":)" + value +
         R"(,"io.modelcontextprotocol/clientCapabilities":{}})";
}

// Every way of the classification, in the order in which it looks.
const std::vector<Case>& cases() {
  static const std::string good = envelope(kGood);
  static const std::vector<Case> all = {
      {"a whole modern request",
       "tools/list",
       good,
       {{"mcp-protocol-version", "2026-07-28"}, {"mcp-method", "tools/list"}},
       Era::modern,
       0},
      {"a modern ping is modern (and unknown there)",
       "ping",
       good,
       {{"mcp-protocol-version", "2026-07-28"}, {"mcp-method", "ping"}},
       Era::modern,
       0},
      {"initialize with a good envelope is modern",
       "initialize",
       good,
       {{"mcp-protocol-version", "2026-07-28"}, {"mcp-method", "initialize"}},
       Era::modern,
       0},
      {"capabilities missing",
       "tools/list",
       envelope(R"("io.modelcontextprotocol/protocolVersion":"2026-07-28")"),
       {{"mcp-protocol-version", "2026-07-28"}, {"mcp-method", "tools/list"}},
       Era::modern,
       kInvalidParams},
      {"capabilities no object",
       "tools/list",
       envelope(
           R"("io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":[])"),
       {{"mcp-protocol-version", "2026-07-28"}, {"mcp-method", "tools/list"}},
       Era::modern,
       kInvalidParams},
      {"version no string", "tools/list", version("7"), {}, Era::modern, kInvalidParams},
      {"client info without version",
       "tools/list",
       envelope(std::string(kGood) + R"(,"io.modelcontextprotocol/clientInfo":{"name":"x"})"),
       {},
       Era::modern,
       kInvalidParams},
      {"unknown log level",
       "tools/list",
       envelope(std::string(kGood) + R"(,"io.modelcontextprotocol/logLevel":"loud")"),
       {},
       Era::modern,
       kInvalidParams},
      {"progress token no string or integer",
       "tools/list",
       envelope(std::string(kGood) + R"(,"progressToken":1.5)"),
       {},
       Era::modern,
       kInvalidParams},
      {"a broken envelope goes before a header that differs",
       "tools/list",
       envelope(R"("io.modelcontextprotocol/protocolVersion":"2026-07-28")"),
       {{"mcp-method", "other"}},
       Era::modern,
       kInvalidParams},
      {"version header differs",
       "tools/list",
       good,
       {{"mcp-protocol-version", "2025-11-25"}, {"mcp-method", "tools/list"}},
       Era::modern,
       kHeaderMismatch},
      {"method header differs",
       "tools/list",
       good,
       {{"mcp-protocol-version", "2026-07-28"}, {"mcp-method", "tools/call"}},
       Era::modern,
       kHeaderMismatch},
      {"method header differs in case",
       "tools/list",
       good,
       {{"mcp-protocol-version", "2026-07-28"}, {"mcp-method", "Tools/List"}},
       Era::modern,
       kHeaderMismatch},
      {"a header that differs goes before an unknown version",
       "tools/list",
       version("\"2099-01-01\""),
       {{"mcp-protocol-version", "2026-07-28"}, {"mcp-method", "tools/list"}},
       Era::modern,
       kHeaderMismatch},
      {"unknown version",
       "tools/list",
       version("\"2099-01-01\""),
       {{"mcp-protocol-version", "2099-01-01"}, {"mcp-method", "tools/list"}},
       Era::modern,
       kUnsupportedVersion},
      {"a legacy version in the envelope",
       "tools/list",
       version("\"2025-11-25\""),
       {{"mcp-protocol-version", "2025-11-25"}, {"mcp-method", "tools/list"}},
       Era::modern,
       kUnsupportedVersion},
      {"an unknown version goes before a missing header",
       "tools/list",
       version("\"2099-01-01\""),
       {},
       Era::modern,
       kUnsupportedVersion},
      {"version header missing",
       "tools/list",
       good,
       {{"mcp-method", "tools/list"}},
       Era::modern,
       kHeaderMismatch},
      {"method header missing",
       "tools/list",
       good,
       {{"mcp-protocol-version", "2026-07-28"}},
       Era::modern,
       kHeaderMismatch},
      {"name header missing",
       "tools/call",
       good + R"(,"name":"t")",
       {{"mcp-protocol-version", "2026-07-28"}, {"mcp-method", "tools/call"}},
       Era::modern,
       kHeaderMismatch},
      {"name header differs",
       "tools/call",
       good + R"(,"name":"t")",
       {{"mcp-protocol-version", "2026-07-28"}, {"mcp-method", "tools/call"}, {"mcp-name", "u"}},
       Era::modern,
       kHeaderMismatch},
      {"name header plain",
       "tools/call",
       good + R"(,"name":"t")",
       {{"mcp-protocol-version", "2026-07-28"}, {"mcp-method", "tools/call"}, {"mcp-name", "t"}},
       Era::modern,
       0},
      {"name header in Base64",
       "tools/call",
       good + R"(,"name":"grüß")",
       {{"mcp-protocol-version", "2026-07-28"},
        {"mcp-method", "tools/call"},
        {"mcp-name", "=?base64?Z3LDvMOf?="}},
       Era::modern,
       0},
      {"name header in bad Base64",
       "tools/call",
       good + R"(,"name":"t")",
       {{"mcp-protocol-version", "2026-07-28"},
        {"mcp-method", "tools/call"},
        {"mcp-name", "=?base64?dA?="}},
       Era::modern,
       kHeaderMismatch},
      {"name in the body no string is left to the method",
       "tools/call",
       good + R"(,"name":7)",
       {{"mcp-protocol-version", "2026-07-28"}, {"mcp-method", "tools/call"}},
       Era::modern,
       0},
      {"uri header of resources/read",
       "resources/read",
       good + R"(,"uri":"a://b")",
       {{"mcp-protocol-version", "2026-07-28"},
        {"mcp-method", "resources/read"},
        {"mcp-name", "a://c"}},
       Era::modern,
       kHeaderMismatch},
      {"no envelope but a modern header",
       "tools/list",
       "",
       {{"mcp-protocol-version", "2026-07-28"}},
       Era::modern,
       kInvalidParams},
      {"initialize with a modern header",
       "initialize",
       R"("protocolVersion":"2025-11-25")",
       {{"mcp-protocol-version", "2026-07-28"}},
       Era::modern,
       kHeaderMismatch},
      {"initialize", "initialize", R"("protocolVersion":"2025-11-25")", {}, Era::legacy, 0},
      {"initialize with a legacy header",
       "initialize",
       R"("protocolVersion":"2025-11-25")",
       {{"mcp-protocol-version", "2025-11-25"}},
       Era::legacy,
       0},
      {"initialize with a broken envelope",
       "initialize",
       envelope(R"("io.modelcontextprotocol/protocolVersion":"2026-07-28")"),
       {},
       Era::legacy,
       0},
      {"anything else", "tools/list", "", {}, Era::legacy, 0},
      {"legacy with its header",
       "tools/list",
       "",
       {{"mcp-protocol-version", "2025-06-18"}},
       Era::legacy,
       0},
      {"_meta with other keys", "tools/list", R"("_meta":{"progressToken":1})", {}, Era::legacy, 0},
      {"_meta that is no object", "tools/list", R"("_meta":1)", {}, Era::legacy, 0},
  };
  return all;
}

TEST(Classify, FollowsTheOrderOfTheProtocol) {
  for (const Case& c : cases()) {
    const std::string text =
        R"({"jsonrpc":"2.0","id":1,"method":")" + c.method + R"(","params":{)" + c.params + "}}";
    Message message(text);
    ASSERT_FALSE(message.parse()) << c.what;
    const Classified found = classify_http(message, c.headers);
    EXPECT_EQ(found.era, c.era) << c.what;
    EXPECT_EQ(found.error ? found.error->code : 0, c.code)
        << c.what << (found.error ? found.error->message : "");
    if (found.error) {
      EXPECT_EQ(found.error->status, c.status) << c.what;
    }
  }
}

TEST(Classify, AsksNothingOfNotifications) {
  for (const auto& [params, headers, era] :
       {std::tuple{std::string("{}"), MapHeaders{}, Era::legacy},
        std::tuple{std::string("{}"), MapHeaders{{"mcp-protocol-version", "2026-07-28"}},
                   Era::modern},
        std::tuple{R"({"_meta":{"io.modelcontextprotocol/protocolVersion":7}})" + std::string(),
                   MapHeaders{}, Era::modern}}) {
    const std::string text =
        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":)" + params + "}";
    Message message(text);
    ASSERT_FALSE(message.parse());
    const Classified found = classify_http(message, headers);
    EXPECT_FALSE(found.error) << params;
    EXPECT_EQ(found.era, era) << params;
  }
}

TEST(Classify, SaysWhichVersionsItKnows) {
  const std::string text =
      R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{)" + version("\"1.0\\\"\"") + "}}";
  Message message(text);
  ASSERT_FALSE(message.parse());
  const Classified found = classify_http(message, MapHeaders{});
  ASSERT_TRUE(found.error);
  EXPECT_EQ(found.error->data, R"({"supported":["2026-07-28"],"requested":"1.0\""})");
}

TEST(HeaderText, KnowsTheSentinel) {
  const std::vector<std::pair<std::string, std::optional<std::string>>> table = {
      {"plain", "plain"},
      {"", ""},
      {"tab\tinside", "tab\tinside"},
      {"=?base64?SGVsbG8=?=", "Hello"},
      {"=?base64?SGVsbG8=", "=?base64?SGVsbG8="},  // no end: literal
      {"SGVsbG8=?=", "SGVsbG8=?="},                // no beginning: literal
      {"=?BASE64?SGVsbG8=?=", "=?BASE64?SGVsbG8=?="},
      {"=?base64?"
       "?=",
       ""},
      {"=?base64?SGVsbG8?=", std::nullopt},    // padding missing
      {"=?base64?SGVsbG8==?=", std::nullopt},  // too much of it
      {"=?base64?SGVs bG8=?=", std::nullopt},
      {"=?base64?SGVsbG9=?=", std::nullopt},  // bits beyond the last byte
      {"=?base64?_-==?=", std::nullopt},      // the other alphabet
      {"=?base64?/w==?=", std::nullopt},      // no UTF-8
      {"=?base64?w7w=?=", "ü"},
      {"gr\xC3\xBC\xC3\x9F", std::nullopt},  // must be wrapped
      {"a\x01", std::nullopt},
      {"=?base64?=", "=?base64?="},  // the two markers share a character
  };
  for (const auto& [value, expected] : table) EXPECT_EQ(header_text(value), expected) << value;
}

TEST(Features, FollowTheRevisions) {
  EXPECT_TRUE(Features("2025-03-26").batches());
  EXPECT_FALSE(Features("2025-06-18").batches());
  EXPECT_FALSE(Features("2024-11-05").annotations());
  EXPECT_TRUE(Features("2025-03-26").annotations());
  EXPECT_FALSE(Features("2025-03-26").structured());
  EXPECT_TRUE(Features("2025-06-18").structured());
  EXPECT_FALSE(Features("2025-11-25").structured_any());
  EXPECT_TRUE(Features("2026-07-28").structured_any());
  EXPECT_EQ(era_of("2025-11-25"), Era::legacy);
  EXPECT_EQ(era_of("2026-07-28"), Era::modern);
}

}  // namespace
}  // namespace gantry::host::rpc
