#include "host/rpc/message/param_headers.hpp"

#include <gtest/gtest.h>

#include "tests/host/rpc/fake.hpp"

namespace gantry::host::rpc::param_headers_test {
namespace {

const char* const kSchema = R"({"type":"object","properties":{
  "bucket":{"type":"string","x-mcp-header":"Bucket"},
  "size":{"type":"integer","x-mcp-header":"Size"},
  "dry":{"type":"boolean","x-mcp-header":"Dry"},
  "where":{"type":"object","properties":{"zone":{"type":"string","x-mcp-header":"Zone"}}},
  "free":{"type":"string"}}})";

int code(const char* arguments, const MapHeaders& headers) {
  const auto document = json(arguments);
  const auto error = check_param_headers(param_headers(kSchema), &document, headers);
  return error ? error->code : 0;
}

TEST(ParamHeaders, AreFoundWhereTheyAreAnnotated) {
  const auto found = param_headers(kSchema);
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0].header, "mcp-param-bucket");
  EXPECT_EQ(found[3].path, (std::vector<std::string>{"where", "zone"}));
  EXPECT_TRUE(param_headers(R"({"type":"object"})").empty());
  EXPECT_TRUE(param_headers("x-mcp-header").empty());
}

TEST(ParamHeaders, MustEqualTheArguments) {
  EXPECT_EQ(code(R"({"bucket":"eu"})", {{"mcp-param-bucket", "eu"}}), 0);
  EXPECT_EQ(code(R"({"bucket":"grü"})", {{"mcp-param-bucket", "=?base64?Z3LDvA==?="}}), 0);
  EXPECT_EQ(code(R"({"bucket":"eu"})", {{"mcp-param-bucket", "us"}}), kHeaderMismatch);
  EXPECT_EQ(code(R"({"bucket":"eu"})", {{"mcp-param-bucket", "=?base64?ZX?="}}), kHeaderMismatch);
  EXPECT_EQ(code(R"({"bucket":"eu"})", {}), kHeaderMismatch);
  EXPECT_EQ(code(R"({"where":{"zone":"a"}})", {{"mcp-param-zone", "b"}}), kHeaderMismatch);
  EXPECT_EQ(code(R"({"where":{"zone":"a"}})", {{"mcp-param-zone", "a"}}), 0);
}

TEST(ParamHeaders, CompareNumbersAsNumbers) {
  EXPECT_EQ(code(R"({"size":42})", {{"mcp-param-size", "42"}}), 0);
  EXPECT_EQ(code(R"({"size":42})", {{"mcp-param-size", "42.0"}}), 0);
  EXPECT_EQ(code(R"({"size":42.0})", {{"mcp-param-size", "42"}}), 0);
  EXPECT_EQ(code(R"({"size":42})", {{"mcp-param-size", "43"}}), kHeaderMismatch);
  EXPECT_EQ(code(R"({"size":42})", {{"mcp-param-size", "42x"}}), kHeaderMismatch);
  EXPECT_EQ(code(R"({"size":9007199254740993})", {{"mcp-param-size", "9007199254740992"}}),
            kHeaderMismatch);
  EXPECT_EQ(code(R"({"size":9223372036854775807})", {{"mcp-param-size", "9223372036854775808"}}),
            kHeaderMismatch);
  EXPECT_EQ(code(R"({"size":18446744073709551615})", {{"mcp-param-size", "18446744073709551616"}}),
            kHeaderMismatch);
  EXPECT_EQ(code(R"({"dry":true})", {{"mcp-param-dry", "true"}}), 0);
  EXPECT_EQ(code(R"({"dry":true})", {{"mcp-param-dry", "True"}}), kHeaderMismatch);
}

TEST(ParamHeaders, ExpectNoHeaderForAMissingArgument) {
  EXPECT_EQ(code("{}", {}), 0);
  EXPECT_EQ(code(R"({"bucket":null})", {}), 0);
  EXPECT_EQ(code("{}", {{"mcp-param-bucket", "eu"}}), 0);
  EXPECT_EQ(code(R"({"free":"x"})", {{"mcp-param-unknown", "y"}}), 0);
  EXPECT_FALSE(check_param_headers(param_headers(kSchema), nullptr, MapHeaders{}));
}

}  // namespace
}  // namespace gantry::host::rpc::param_headers_test
