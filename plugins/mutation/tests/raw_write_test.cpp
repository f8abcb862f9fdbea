// The tools over a fake gantry.data/1 that keeps one version, and a fake method.
#include <gmock/gmock.h>

#include <gantry/json.hpp>
#include <gantry/testing/fake_host.hpp>
#include <gantry/testing/matchers.hpp>

namespace mutation {
namespace {

using gantry::Json;
using gantry::testing::Answer;
using gantry::testing::FailsWith;
using gantry::testing::FakeHost;
using gantry::testing::Loaded;
using gantry::testing::Reply;
using ::testing::HasSubstr;
using ::testing::Not;

std::string member(const std::string& json, std::string_view name) {
  const auto parsed = Json::parse(json);
  const auto value = parsed ? parsed->find(name) : std::nullopt;
  if (!value) return {};
  return value->as_string().value_or(std::string(value->text()));
}

struct MutationTest : ::testing::Test {
  MutationTest() : host(Loaded{GANTRY_PLUGIN_FILE}) {
    host.provide("service", "gantry.data/1", [this](std::string_view request, std::string_view) {
      return serve(std::string(request));
    });
    host.provide("method", "Order.cancel", [this](std::string_view entry, std::string_view) {
      entries.emplace_back(entry);
      return Answer{{{"json", R"({"done":true,"rows":2})"}}};
    });
  }

  Answer serve(const std::string& request) {
    requests.push_back(request);
    const std::string op = member(request, "op"), args = member(request, "args");
    if (op == "access") {
      if (member(args, "class_name") != "Order") return refused("access_denied", "No class");
      return {{{"meta", R"({"operations":["find","get","count"],"writes":["update","delete"]})"}}};
    }
    if (op == "get") {
      if (member(args, "object_id") != "7") return refused("not_found", "No object");
      return {{{"rows", R"({"id":7})"}, {"meta", "{}"}}};
    }
    if (const std::string expected = member(args, "expect"); !expected.empty()) {
      if (expected != version) return refused("invalid_argument", "changed");
    }
    if (member(args, "dry_run") == "true") {
      return {{{"meta", R"({"rows":1,"before":[{"a":1}],"after":[{"a":2}],"versions":")" + version +
                            "\"}"}}};
    }
    return {{{"rows", R"([{"id":7,"a":2}])"}, {"meta", R"({"rows":1})"}}};
  }

  static Answer refused(const std::string& code, const std::string& sentence) {
    return {{{"error", R"({"error_code":")" + code + R"(","error":")" + sentence + "\"}"}},
            GANTRY_FAILED};
  }

  FakeHost host;
  std::string version = "v1";
  std::vector<std::string> requests, entries;
};

constexpr const char* kUpdate = R"({"class_name":"Order","object_id":"7","data":{"a":2}})";
constexpr const char* kPreview =
    R"({"class_name":"Order","object_id":"7","data":{"a":2},"dry_run":true})";

std::string with_token(const std::string& arguments, const std::string& token) {
  return arguments.substr(0, arguments.size() - 1) + R"(,"plan_token":")" + token + "\"}";
}

TEST_F(MutationTest, CommitsAndAnswersTheObject) {
  const Reply reply = host.call("update_object", kUpdate);
  EXPECT_EQ(reply.structured, R"({"class_name":"Order","object":{"id":7,"a":2}})");
  EXPECT_EQ(requests.back(), R"({"op":"update","args":)" + std::string(kUpdate) + "}");
}

TEST_F(MutationTest, PreviewShowsTheImagesAndATokenButNoVersions) {
  const std::string shown = host.call("update_object", kPreview).structured;
  EXPECT_EQ(member(shown, "rows"), "1");
  EXPECT_EQ(member(shown, "before"), R"({"a":1})");
  EXPECT_EQ(member(shown, "after"), R"({"a":2})");
  EXPECT_NE(member(shown, "plan_token"), "");
  EXPECT_THAT(shown, Not(HasSubstr("v1")));
}

TEST_F(MutationTest, TokenCommitsWithTheVersionsThatWereShown) {
  const std::string token = member(host.call("update_object", kPreview).structured, "plan_token");
  ASSERT_TRUE(host.call("update_object", with_token(kUpdate, token)).ok());
  const std::string args = member(requests.back(), "args");
  EXPECT_EQ(member(args, "expect"), "v1");
  EXPECT_EQ(member(args, "plan_token"), "");
  EXPECT_THAT(host.call("update_object", with_token(kUpdate, token)),
              FailsWith("invalid_argument", HasSubstr("used already")));
}

TEST_F(MutationTest, TokenIsRefusedForOtherArgumentsAnotherToolAndAnotherAgent) {
  const std::string token = member(host.call("update_object", kPreview).structured, "plan_token");
  const std::size_t before = requests.size();
  const std::string other = R"({"class_name":"Order","object_id":"8","data":{"a":2}})";
  EXPECT_THAT(host.call("update_object", with_token(other, token)), FailsWith("invalid_argument"));
  EXPECT_THAT(
      host.call("delete_object", with_token(R"({"class_name":"Order","object_id":"7"})", token)),
      FailsWith("invalid_argument"));
  gantry::testing::CallOptions bob;
  bob.agent_scope = R"({"agent":"bob"})";
  EXPECT_THAT(host.call("update_object", with_token(kUpdate, token), bob),
              FailsWith("invalid_argument"));
  EXPECT_EQ(requests.size(), before) << "the database was not asked";
  EXPECT_TRUE(host.call("update_object", with_token(kUpdate, token)).ok());
}

TEST_F(MutationTest, TokenTakesTheSameArgumentsInAnotherOrder) {
  const std::string token = member(host.call("update_object", kPreview).structured, "plan_token");
  const std::string same = R"({"data":{"a":2},"object_id":"7","class_name":"Order"})";
  EXPECT_TRUE(host.call("update_object", with_token(same, token)).ok());
}

TEST_F(MutationTest, TokenWithChangedRowsIsTheEnginesRefusal) {
  const std::string token = member(host.call("update_object", kPreview).structured, "plan_token");
  version = "v2";
  EXPECT_THAT(host.call("update_object", with_token(kUpdate, token)),
              FailsWith("invalid_argument", HasSubstr("changed")));
}

TEST_F(MutationTest, TakesOneObjectOrSeveralAndNotBoth) {
  for (const char* bad : {R"({"class_name":"Order"})", R"({"class_name":"Order","object_id":"7"})",
                          R"({"class_name":"Order","data":{}})",
                          R"({"class_name":"Order","object_id":"7","data":{},"objects":[]})",
                          R"({"class_name":"Order","objects":[],"if_unchanged":"v"})"}) {
    EXPECT_THAT(host.call("update_object", bad), FailsWith("invalid_argument")) << bad;
  }
  EXPECT_TRUE(requests.empty());
  const std::string token = "A";
  EXPECT_THAT(host.call("update_object", with_token(kPreview, token)),
              FailsWith("invalid_argument", HasSubstr("not both")));
}

TEST_F(MutationTest, BatchAnswersListsAndDeleteTheIds) {
  const std::string many = R"({"class_name":"Order","objects":[{"object_id":"7","data":{"a":2}}])";
  EXPECT_EQ(host.call("update_object", many + "}").structured,
            R"({"class_name":"Order","rows":1,"objects":[{"id":7,"a":2}]})");
  EXPECT_EQ(member(host.call("update_object", many + R"(,"dry_run":true})").structured, "after"),
            R"([{"a":2}])");
  EXPECT_EQ(host.call("delete_object", R"({"class_name":"Order","object_id":"7"})").structured,
            R"({"class_name":"Order","object_id":"7","deleted":true})");
  EXPECT_EQ(
      member(host.call("delete_object", R"({"class_name":"Order","objects":[{"object_id":"7"}]})")
                 .structured,
             "object_ids"),
      R"(["7"])");
}

TEST_F(MutationTest, MethodGetsTheObjectThatTheAgentMayRead) {
  const Reply reply = host.call(
      "call_method",
      R"({"class_name":"Order","method_name":"cancel","object_id":"7","arguments":{"why":"x"}})");
  EXPECT_EQ(
      reply.structured,
      R"({"class_name":"Order","method":"cancel","object_id":"7","result":{"done":true,"rows":2}})");
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0], R"({"object_id":"7","object":{"id":7},"arguments":{"why":"x"}})");
}

TEST_F(MutationTest, MethodOfAHiddenClassOrObjectIsNotEntered) {
  EXPECT_THAT(host.call("call_method", R"({"class_name":"Secret","method_name":"cancel"})"),
              FailsWith("access_denied", HasSubstr("No class")));
  EXPECT_THAT(
      host.call("call_method", R"({"class_name":"Order","method_name":"cancel","object_id":"8"})"),
      FailsWith("not_found", HasSubstr("No object")));
  EXPECT_THAT(host.call("call_method", R"({"class_name":"Order","method_name":"sell"})"),
              FailsWith("not_found", HasSubstr("it has: cancel")));
  EXPECT_TRUE(entries.empty());
}

TEST_F(MutationTest, MethodSeesDryRunBesideItsArguments) {
  const auto reply = host.call(
      "call_method",
      R"({"class_name":"Order","method_name":"cancel","arguments":{"why":"x","dry_run":true}})");
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0], R"({"object":{},"arguments":{"why":"x"},"dry_run":true})");
  // The fake method has no preview of its own: its answer is passed on as the host gives it.
  EXPECT_EQ(reply.structured, R"({"done":true,"rows":2})");
}

}  // namespace
}  // namespace mutation
