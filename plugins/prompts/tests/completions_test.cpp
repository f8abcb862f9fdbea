// Suggestions for the arguments of prompts.
#include "tests/fake_database.hpp"

namespace prompts::completions_test {
namespace {

using ::testing::ElementsAre;

class Completions : public ::testing::Test, public PromptsUnderTest {
 protected:
  std::vector<std::string> suggested(std::string_view prompt, std::string_view argument,
                                     std::string_view value, std::string_view known = "{}") {
    const auto reply = host.complete(prompt, argument, value, known);
    EXPECT_TRUE(reply.ok()) << reply;
    return reply.values;
  }
};

TEST_F(Completions, ClassNamesBeginWithTheTypedTextInAnyCase) {
  EXPECT_THAT(suggested("class_overview", "class_name", "c"), ElementsAre("City"));
  EXPECT_THAT(suggested("find_relationship", "parent_class", ""),
              ElementsAre("City", "log", "person"));
  EXPECT_THAT(suggested("find_relationship", "child_class", "PER"), ElementsAre("person"));
  EXPECT_THAT(suggested("class_overview", "class_name", "x"), ElementsAre());
}

TEST_F(Completions, OfAListItIsTheLastName) {
  EXPECT_THAT(suggested("data_relations", "classes", "p"), ElementsAre("person"));
  EXPECT_THAT(suggested("data_relations", "classes", "person, "),
              ElementsAre("person,City", "person,log"));
  EXPECT_THAT(suggested("data_relations", "classes", "log,City,p"), ElementsAre("log,City,person"));
}

TEST_F(Completions, FieldsAreThoseOfTheClassThatIsKnown) {
  EXPECT_THAT(suggested("count_by", "group_by", "", R"({"class_name":"City"})"),
              ElementsAre("objectId", "name", "founded"));
  EXPECT_THAT(suggested("count_by", "group_by", "F", R"({"class_name":"City"})"),
              ElementsAre("founded"));
  EXPECT_THAT(suggested("count_by", "group_by", ""), ElementsAre());
  EXPECT_THAT(suggested("count_by", "group_by", "", R"({"class_name":"nobody"})"), ElementsAre());
}

TEST_F(Completions, PointerFieldsArePointersAndThoseToTheParentComeFirst) {
  EXPECT_THAT(suggested("find_relationship", "pointer_field", "", R"({"child_class":"person"})"),
              ElementsAre("boss", "home", "secret_of"));
  EXPECT_THAT(suggested("find_relationship", "pointer_field", "",
                        R"({"child_class":"person","parent_class":"City"})"),
              ElementsAre("home", "boss", "secret_of"));
}

TEST_F(Completions, FreeTextHasNone) {
  EXPECT_THAT(suggested("recent_activity", "limit", "1"), ElementsAre());
  EXPECT_THAT(suggested("created_in_range", "since", "2026"), ElementsAre());
}

}  // namespace
}  // namespace prompts::completions_test
