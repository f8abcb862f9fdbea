// Each prompt, entered as a host does.
#include "tests/fake_database.hpp"

namespace prompts {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Prompts : public ::testing::Test, public PromptsUnderTest {};

TEST_F(Prompts, ThereAreEight) {
  ASSERT_TRUE(host.start());
  EXPECT_THAT(host.items("prompt"),
              ::testing::ElementsAre("data_conventions", "data_relations", "explore_database",
                                     "class_overview", "count_by", "recent_activity",
                                     "find_relationship", "created_in_range"));
}

TEST_F(Prompts, ConventionsAreTheEnginesIntroduction) {
  EXPECT_EQ(text("data_conventions"), "Six rules of \"City\"");
}

TEST_F(Prompts, TheTourNamesTheVisibleClasses) {
  EXPECT_THAT(text("explore_database"), AllOf(HasSubstr("3 classes: City, log, person"),
                                              HasSubstr(R"(`get_schema {"class_name":"City"}`)")));
}

TEST_F(Prompts, RelationsDrawAllClassesOrThoseAskedFor) {
  EXPECT_THAT(text("data_relations"),
              AllOf(HasSubstr(R"("person" }o--|| "City" : "home")"), HasSubstr("\"log\"")));
  EXPECT_THAT(text("data_relations", R"({"classes":" person , log"})"),
              AllOf(HasSubstr(R"("person" }o--o| "person" : "boss")"), Not(HasSubstr("City"))));
  EXPECT_THAT(text("data_relations", R"({"classes":"person,nobody"})"),
              AllOf(StartsWith("invalid_argument: classes: "), HasSubstr("City, log, person")));
}

TEST_F(Prompts, TheOverviewHasTheFieldsAndFollowsPointers) {
  EXPECT_THAT(text("class_overview", R"({"class_name":"person"})"),
              AllOf(HasSubstr("- home: Pointer to City, required\n"),
                    HasSubstr(R"("include":["boss","home","secret_of"])")));
  EXPECT_THAT(text("class_overview", R"({"class_name":"log"})"), Not(HasSubstr("include")));
  EXPECT_THAT(text("class_overview", R"({"class_name":"nobody"})"),
              AllOf(StartsWith("invalid_argument: class_name: "), HasSubstr("person")));
}

TEST_F(Prompts, CountingNeedsAFieldOfTheClass) {
  EXPECT_THAT(text("count_by", R"({"class_name":"person","group_by":"home"})"),
              AllOf(HasSubstr("home (Pointer)"), HasSubstr("objectIds of City")));
  EXPECT_THAT(text("count_by", R"({"class_name":"City","group_by":"nme"})"),
              AllOf(StartsWith("invalid_argument: group_by: "),
                    HasSubstr("Fields: objectId, name, founded.")));
}

TEST_F(Prompts, RecentActivityAsksForNewestFirst) {
  EXPECT_THAT(text("recent_activity", R"({"class_name":"person"})"),
              AllOf(HasSubstr(R"({"class_name":"person","order":"-createdAt","limit":10})"),
                    HasSubstr(R"("order":"-updatedAt")")));
  EXPECT_THAT(text("recent_activity", R"({"class_name":"City","limit":"100"})"),
              AllOf(HasSubstr(R"("order":"-founded","limit":100)"),
                    HasSubstr("The class has no createdAt")));
  EXPECT_THAT(text("recent_activity", R"({"class_name":"log"})"),
              StartsWith("invalid_argument: class_name: class 'log' has no date field"));
}

TEST_F(Prompts, TheLimitIsFromOneToAHundred) {
  for (const char* const limit : {"0", "101", "-1", "ten", "5.5", "1 "}) {
    EXPECT_THAT(
        text("recent_activity", R"({"class_name":"person","limit":")" + std::string(limit) + "\"}"),
        StartsWith("invalid_argument: limit: '" + std::string(limit) + "'"));
  }
}

TEST_F(Prompts, ARelationshipNeedsAPointerToTheParent) {
  const auto asked = [&](const std::string& parent, const std::string& pointer) {
    return text("find_relationship", R"({"parent_class":")" + parent +
                                         R"(","parent_id":"b\"1","child_class":"person",)" +
                                         R"("pointer_field":")" + pointer + "\"}");
  };
  EXPECT_THAT(asked("City", "home"),
              AllOf(HasSubstr(R"("where":{"home":"b\"1"})"),
                    HasSubstr(R"(`get_object {"class_name":"City","object_id":"b\"1"}`)")));
  EXPECT_THAT(asked("City", "boss"), AllOf(StartsWith("invalid_argument: pointer_field: "),
                                           HasSubstr("Pointers to it: home.")));
  EXPECT_THAT(asked("City", "createdAt"), HasSubstr("is no pointer to 'City'"));
  EXPECT_THAT(asked("City", "x"), HasSubstr("has no field 'x'"));
  EXPECT_THAT(asked("nobody", "home"), StartsWith("invalid_argument: parent_class: "));
}

TEST_F(Prompts, ARangeOfBareDatesIncludesItsLastDay) {
  EXPECT_THAT(
      text("created_in_range",
           R"({"class_name":"person","since":"2026-01-01","until":"2026-01-31"})"),
      HasSubstr(
          R"("createdAt":{"$gte":"2026-01-01T00:00:00.000Z","$lt":"2026-02-01T00:00:00.000Z"})"));
  EXPECT_THAT(text("created_in_range",
                   R"({"class_name":"person","since":"2026-01-01","until":"2026-01-01T12:00Z"})"),
              HasSubstr(R"("$lte":"2026-01-01T12:00:00.000Z")"));
  EXPECT_THAT(text("created_in_range", R"({"class_name":"person","since":"2026-01-01"})"),
              AllOf(HasSubstr(R"({"createdAt":{"$gte":"2026-01-01T00:00:00.000Z"}})"),
                    Not(HasSubstr("until"))));
}

TEST_F(Prompts, ABadRangeIsRefused) {
  EXPECT_THAT(text("created_in_range", R"({"class_name":"person","since":"last week"})"),
              AllOf(StartsWith("invalid_argument: since: 'last week'"), HasSubstr("2026-01-31")));
  EXPECT_THAT(text("created_in_range",
                   R"({"class_name":"person","since":"2026-02-01","until":"2026-01-01"})"),
              StartsWith("invalid_argument: until: "));
}

}  // namespace
}  // namespace prompts
