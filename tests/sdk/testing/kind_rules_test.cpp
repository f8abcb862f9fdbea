// A wrong answer for each item kind: the fake host must report it in words.
#include <gantry/testing/matchers.hpp>

#include "scripted.hpp"

using namespace gantry::testing;
using namespace scripted;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace kind_rules_test {
namespace {

class KindRules : public Scripted {
 protected:
  // The next call answers with this structured result.
  static void answer(std::string json) {
    script.invoke = [json = std::move(json)](gantry_call* call) {
      given.calls->json_begin(call);
      given.calls->json_raw(call, bytes(json));
      return given.calls->json_end(call);
    };
  }
  static void write(std::string type, std::string body) {
    script.invoke = [type = std::move(type), body = std::move(body)](gantry_call* call) {
      return given.calls->write(call, bytes(type), bytes(body));
    };
  }
};

TEST_F(KindRules, AcceptEveryRightForm) {
  answer(R"({"messages":[{"role":"assistant","content":{"type":"text","text":"x"}}]})");
  EXPECT_THAT(host_->prompt("p"), Says("assistant", "x"));
  answer(R"({"contents":[{"text":"a"},{"uri":"r:2","mimeType":"x/y","blob":"AP8="}]})");
  const Reply reply = host_->read("r:1");
  ASSERT_EQ(reply.contents.size(), 2U) << reply;
  EXPECT_EQ(reply.contents[0].uri + reply.contents[0].mime_type, "r:1text/plain");
  EXPECT_EQ(reply.contents[1].uri + reply.contents[1].mime_type, "r:2x/y");
  EXPECT_EQ(reply.contents[1].body, std::string("\0\xff", 2));
  answer(R"({"values":[]})");
  EXPECT_THAT(host_->complete("p", "a", "b"), Completes(IsEmpty()));
  answer(R"({"resources":[]})");
  EXPECT_THAT(host_->list("l:{a}-{b}/c"), Succeeds());
  EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(KindRules, NoticeAPromptWithoutMessages) {
  script.invoke = nullptr;
  EXPECT_THAT(host_->prompt("p"), FailsWith("internal_error"));
  EXPECT_THAT(violations(), HasSubstr("no JSON object with an array \"messages\""));
}

TEST_F(KindRules, NoticeAMessageWithoutARole) {
  answer(R"({"messages":[{"role":"system","content":{"type":"text","text":"x"}}]})");
  EXPECT_THAT(host_->prompt("p"), FailsWith("internal_error"));
  EXPECT_THAT(violations(), HasSubstr("\"role\" is 'system'"));
}

TEST_F(KindRules, NoticeAMessageWithoutABlock) {
  answer(R"({"messages":[{"role":"user","content":"x"}]})");
  EXPECT_THAT(host_->prompt("p"), FailsWith("internal_error"));
  EXPECT_THAT(violations(), HasSubstr("no content block"));
}

TEST_F(KindRules, NoticeAnEmptyResource) {
  answer(R"({"contents":[]})");
  EXPECT_THAT(host_->read("r:1"), FailsWith("internal_error"));
  EXPECT_THAT(violations(), HasSubstr("GANTRY_NOT_FOUND when there is nothing"));
}

TEST_F(KindRules, NoticeAContentThatIsNotExactlyTextOrBlob) {
  answer(R"({"contents":[{"text":"a","blob":"AA=="}]})");
  EXPECT_THAT(host_->read("r:1"), FailsWith("internal_error"));
  answer(R"({"contents":[{}]})");
  EXPECT_THAT(host_->read("r:1"), FailsWith("internal_error"));
  EXPECT_THAT(violations(), AllOf(HasSubstr("has both"), HasSubstr("has neither")));
}

TEST_F(KindRules, NoticeABlobThatIsNotBase64) {
  answer(R"({"contents":[{"blob":"A*=="}]})");
  EXPECT_THAT(host_->read("r:1"), FailsWith("internal_error"));
  EXPECT_THAT(violations(), HasSubstr("no Base64"));
}

TEST_F(KindRules, NoticeAListedResourceWithoutAName) {
  answer(R"({"resources":[{"uri":"l:1"}]})");
  EXPECT_THAT(host_->list("l:{a}-{b}/c"), FailsWith("internal_error"));
  EXPECT_THAT(violations(), HasSubstr("no \"name\""));
}

TEST_F(KindRules, NoticeAValueThatIsNotAString) {
  answer(R"({"values":[1]})");
  EXPECT_THAT(host_->complete("p", "a", ""), FailsWith("internal_error"));
  EXPECT_THAT(violations(), HasSubstr("value is no text"));
}

TEST_F(KindRules, NoticeAWriteThatIsNotForTheKind) {
  write("text", "x");
  host_->prompt("p");
  host_->read("r:1");
  EXPECT_THAT(violations(),
              AllOf(HasSubstr("not for this kind"), HasSubstr("a resource writes media types")));
}

TEST_F(KindRules, ABodyThatIsNotUtf8IsABlob) {
  write("text/plain", "\xff");
  EXPECT_THAT(host_->read("r:1"), ReadsBlob("text/plain", "\xff"));
  EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(KindRules, VariablesMatchNoSlash) {
  std::string arguments;
  script.invoke = [&](gantry_call* call) {
    arguments = gantry::to_view(given.calls->arguments(call));
    return given.calls->write(call, bytes("text/plain"), bytes("x"));
  };
  EXPECT_THAT(host_->read("l:1-2-3/c"), Succeeds());
  EXPECT_THAT(arguments, IsJson(R"({"uri":"l:1-2-3/c","variables":{"a":"1","b":"2-3"}})"));
  for (const char* uri : {"l:1/2-3/c", "l:-1/c", "l:1-/c", "l:1-2/c/", "l:12/c"}) {
    EXPECT_THAT(host_->read(uri), FailsWith("not_found")) << uri;
  }
}

TEST_F(KindRules, NoticeLateOrMalformedEvents) {
  const auto events = [] { return given.service<gantry_events_api>(GANTRY_EVENTS_SERVICE); };
  script.create = [&] {
    EXPECT_EQ(events()->list_changed(given.host), GANTRY_MISUSE);
    return GANTRY_OK;
  };
  script.stop = [&] {
    EXPECT_EQ(events()->updated(given.host, bytes("r:1"), {}), GANTRY_STOPPING);
    return GANTRY_OK;
  };
  EXPECT_TRUE(host_->start().is_ok());
  EXPECT_EQ(events()->updated(given.host, bytes("r:1"), bytes("[]")), GANTRY_INVALID_ARGUMENT);
  EXPECT_EQ(events()->updated(given.host, bytes("x:1"), {}), GANTRY_DENIED);
  EXPECT_EQ(events()->updated(given.host, bytes(std::string(2049, 'r')), {}), GANTRY_TOO_BIG);
  EXPECT_EQ(events()->deleted(given.host, bytes("l:1-2/c"), {}), GANTRY_OK);
  EXPECT_EQ(host_->events().size(), 1U);
  EXPECT_TRUE(host_->stop().is_ok());
  EXPECT_THAT(violations(), AllOf(HasSubstr("list_changed() outside start() to stop()"),
                                  HasSubstr("metadata that is no JSON object")));
}

}  // namespace
}  // namespace kind_rules_test
