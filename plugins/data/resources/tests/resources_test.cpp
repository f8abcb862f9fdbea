// Names and contents of data://{class}/… over a small database.
#include <gtest/gtest.h>

#include "resources/resources.hpp"
#include "tests/test_database.hpp"

namespace gantry::data {
namespace {

class Resources : public ::testing::Test {
 protected:
  void SetUp() override {
    auto service = Service::open(database_.path());
    ASSERT_TRUE(service) << service.message();
    service_ = std::move(*service);
  }
  std::string read(const std::string& cls, ResourcePart part) {
    const auto text = read_resource(*service_, {budget_, 4u << 20, nullptr}, cls, part);
    return text ? *text : text.error().code + ": " + text.error().message;
  }
  std::string answer(const std::string& request) {
    const auto reply = service_->run(request, {budget_, 4u << 20, nullptr});
    return reply ? reply->meta : reply.error().message;
  }

  testing::TestDatabase database_{R"(
    CREATE TABLE city(code TEXT PRIMARY KEY, name TEXT, password TEXT);
    CREATE TABLE "odd / naïve"(id INTEGER PRIMARY KEY);
    CREATE TABLE Zoo(id INTEGER PRIMARY KEY);
    INSERT INTO city VALUES('b','Bern','x'),('o','Oslo','y');)"};
  Budget budget_ = Budget::for_ms(5000);
  std::unique_ptr<Service> service_;
};

TEST_F(Resources, TheSchemaIsTheAnswerOfTheSchemaOperation) {
  EXPECT_EQ(read("city", ResourcePart::schema),
            answer(R"({"op":"schema","args":{"class_name":"city"}})"));
  EXPECT_EQ(read("city", ResourcePart::schema).find("password"), std::string::npos);
}

TEST_F(Resources, TheCountIsNamedAfterItsClass) {
  EXPECT_EQ(read("city", ResourcePart::count), R"({"class_name":"city","count":2})");
  EXPECT_EQ(read("odd / naïve", ResourcePart::count), R"({"class_name":"odd / naïve","count":0})");
}

TEST_F(Resources, SamplesAreObjects) {
  EXPECT_EQ(read("city", ResourcePart::samples),
            R"({"class_name":"city","results":[{"code":"b","name":"Bern"},)"
            R"({"code":"o","name":"Oslo"}]})");
  EXPECT_EQ(read("Zoo", ResourcePart::samples), R"({"class_name":"Zoo","results":[]})");
}

TEST_F(Resources, AClassThatIsNotThereIsNotFoundAndTheNearestIsNamed) {
  for (const ResourcePart part : kResourceParts) {
    EXPECT_TRUE(read("ctiy", part).starts_with("not_found: ")) << read("ctiy", part);
    EXPECT_NE(read("ctiy", part).find("did you mean 'city'"), std::string::npos);
  }
  EXPECT_TRUE(read("sqlite_master", ResourcePart::count).starts_with("not_found: "));
}

TEST_F(Resources, ClassesAreListedByName) {
  const auto names = visible_class_names(*service_, {budget_, 4u << 20, nullptr});
  ASSERT_TRUE(names);
  EXPECT_EQ(*names, (std::vector<std::string>{"Zoo", "city", "odd / naïve"}));
  EXPECT_EQ(names_that_begin(*names, "zO"), std::vector<std::string>{"Zoo"});
  EXPECT_EQ(names_that_begin(*names, "zoos"), std::vector<std::string>{});
  EXPECT_EQ(names_that_begin(*names, "").size(), 3u);
}

TEST(ResourceUri, ClassNamesComeBackFromTheirUris) {
  for (const std::string name : {"city", "odd / naïve", "a%2Fb", "{x}", "~-._", "\x01\n"}) {
    for (const ResourcePart part : kResourceParts) {
      const auto back = parse_resource_uri(resource_uri(name, part));
      ASSERT_TRUE(back) << resource_uri(name, part);
      EXPECT_EQ(back->class_name, name);
      EXPECT_EQ(back->part, part);
    }
  }
  EXPECT_EQ(resource_uri("odd / ï", ResourcePart::count), "data://odd%20%2F%20%C3%AF/count");
}

TEST(ResourceUri, OtherUrisAreNone) {
  for (const char* const uri :
       {"data://city", "data:///count", "data://city/rows", "data://a%/count", "data://a%2/count",
        "data://a%zz/count", "file://city/count", "data://city/count/", ""}) {
    EXPECT_FALSE(parse_resource_uri(uri)) << uri;
  }
  EXPECT_EQ(parse_resource_uri("data://%63ity/count")->class_name, "city");
}

}  // namespace
}  // namespace gantry::data
