// Tests of the notes example, against the built file.
#include <gtest/gtest.h>

#include <gantry/testing/fake_host.hpp>
#include <gantry/testing/matchers.hpp>

using namespace gantry::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

class Notes : public ::testing::Test {
 protected:
  Notes() {
    EXPECT_THAT(host_.call("write_note", R"({"name":"shopping list","text":"milk"})"), Succeeds());
  }
  FakeHost host_{Loaded{GANTRY_PLUGIN_FILE}};
};

TEST_F(Notes, AreListedAndRead) {
  EXPECT_THAT(host_.list("notes://{name}").listed, ElementsAre("notes://shopping%20list"));
  EXPECT_THAT(host_.read("notes://shopping%20list"), ReadsText("milk"));
  EXPECT_THAT(host_.read("notes://nothing"),
              FailsWith("not_found", HasSubstr("no note 'nothing'")));
}

TEST_F(Notes, TellOfChanges) {
  EXPECT_THAT(host_.call("write_note", R"({"name":"shopping list","text":"eggs"})"), Succeeds());
  const std::vector<Event> events = host_.events();
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].kind, "list_changed");
  EXPECT_EQ(events[1].kind + " " + events[1].uri, "updated notes://shopping%20list");
}

TEST_F(Notes, AreRemovedOnlyAfterConfirmation) {
  const std::string which = R"({"name":"shopping list"})";
  EXPECT_THAT(host_.call("remove_note", which), AsksFor("sure"));
  host_.answer_input("sure", R"({"action":"decline"})");
  EXPECT_THAT(host_.call("remove_note", which), HasText(HasSubstr("stays")));
  host_.answer_input("sure", R"({"action":"accept","content":{"sure":false}})");
  EXPECT_THAT(host_.call("remove_note", which), HasText(HasSubstr("stays")));
  host_.answer_input("sure", R"({"action":"accept","content":{"sure":true}})");
  EXPECT_THAT(host_.call("remove_note", which), HasText(HasSubstr("is removed")));
  EXPECT_EQ(host_.events().back().kind, "deleted");
  EXPECT_THAT(host_.call("remove_note", which), FailsWith("not_found"));
}

TEST_F(Notes, AreSummarizedByAPromptThatCompletes) {
  EXPECT_THAT(host_.complete("summarize", "name", "shop"), Completes(ElementsAre("shopping list")));
  const Reply reply = host_.prompt("summarize", R"({"name":"shopping list"})");
  EXPECT_THAT(reply, Says("user", HasSubstr("one sentence")));
  EXPECT_THAT(reply.messages.at(1).block, HasSubstr("milk"));
}

}  // namespace
