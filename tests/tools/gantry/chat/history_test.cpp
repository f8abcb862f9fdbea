// Compacting a conversation.
#include "tools/gantry/chat/history.hpp"

#include <gtest/gtest.h>

namespace gantry::cli::chat {
namespace {

void turn(History& history, const std::string& name, std::size_t result = 0) {
  history.add({.role = Role::user, .text = "ask " + name});
  if (result > 0) {
    history.add({.role = Role::assistant,
                 .text = "look " + name,
                 .wire = "call " + name,
                 .calls = {{"id", "count", "{}"}}});
    history.add(
        {.role = Role::results, .text = {}, .results = {{"id", std::string(result, 'x'), false}}});
  }
  history.add({.role = Role::assistant, .text = "say " + name, .wire = "wire " + name});
}

TEST(History, CutsResultsOfAllTurnsButTheNewest) {
  History history;
  turn(history, "a", 5000);
  turn(history, "b", 5000);
  EXPECT_EQ(history.cut_results(), 1U);
  EXPECT_LT(history.messages()[2].results[0].text.size(), 600U);
  EXPECT_NE(history.messages()[2].results[0].text.find("compacted"), std::string::npos);
  EXPECT_EQ(history.messages()[6].results[0].text.size(), 5000U);
  EXPECT_EQ(history.originals()[2].results[0].text.size(), 5000U) << "/history shows all";
  EXPECT_EQ(history.cut_results(), 0U) << "once";
}

TEST(History, ASummaryStandsForAllButTheLastTwoTurns) {
  History history;
  for (const char* name : {"a", "b", "c", "d"}) turn(history, name, 3);
  const std::string old = history.old_text();
  EXPECT_NE(old.find("User: ask a\nAssistant: look a\nCalls count {}\nResult of a tool: xxx\n"
                     "Assistant: say a\n"),
            std::string::npos)
      << old;
  EXPECT_NE(old.find("ask b"), std::string::npos);
  EXPECT_EQ(old.find("ask c"), std::string::npos);
  history.replace_old("a and b");
  ASSERT_EQ(history.messages().size(), 9U);
  EXPECT_EQ(history.messages()[0].role, Role::user);
  EXPECT_EQ(history.messages()[0].text, "Summary of the conversation so far:\na and b");
  EXPECT_EQ(history.messages()[1].text, "ask c");
  EXPECT_EQ(history.originals().size(), 16U);
  EXPECT_EQ(history.old_text(), "") << "a summary alone is not summarized again";
  turn(history, "e");
  EXPECT_NE(history.old_text().find("a and b"), std::string::npos) << "but with what came later";
  EXPECT_NE(history.old_text().find("ask c"), std::string::npos);
}

TEST(History, TwoTurnsHaveNothingOld) {
  History history;
  EXPECT_EQ(history.old_text(), "");
  turn(history, "a");
  turn(history, "b");
  EXPECT_EQ(history.old_text(), "");
}

TEST(History, DropsTheNewestTurnOnly) {
  History history;
  turn(history, "a");
  turn(history, "b", 9);
  history.drop_turn();
  EXPECT_EQ(history.messages().size(), 2U);
  EXPECT_EQ(history.originals().size(), 2U);
  history.drop_turn();
  history.drop_turn();
  EXPECT_TRUE(history.messages().empty());
}

TEST(History, EstimatesAQuarterOfTheBytes) {
  History history;
  history.add({.role = Role::user, .text = std::string(40, 'x')});
  EXPECT_EQ(estimated_tokens(history.messages()), 10U);
}

TEST(Bounded, DoesNotCutWithinACharacter) {
  EXPECT_EQ(bounded("aü", 3, "…"), "aü");
  EXPECT_EQ(bounded("aüb", 2, "!"), "a!");
  EXPECT_EQ(bounded("😀😀", 5, "!"), "😀!");
}

}  // namespace
}  // namespace gantry::cli::chat
