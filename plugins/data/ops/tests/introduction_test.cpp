// The text that introduces a database to a model.
#include "ops/introduction.hpp"

#include <gtest/gtest.h>

#include "policy/rules.hpp"
#include "small_database.hpp"

namespace gantry::data {
namespace {

class Introduction : public SmallDatabase {
 protected:
  std::string text() {
    const auto reply = service_->run(R"({"op":"introduction"})",
                                     [](const Request& request) {
                                       return Reply{introduction_text(request), {}};
                                     },
                                     {Budget::for_ms(60'000), 4u << 20, rules_});
    return reply ? reply->rows : "ERROR " + reply.error().message;
  }
  static bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
  }
};

TEST_F(Introduction, NamesTheFileItsClassesAndSixRules) {
  make("CREATE TABLE orders(id); CREATE TABLE _own(id); CREATE TABLE customers(id)");
  const std::string file = path_.filename();
  EXPECT_TRUE(text().starts_with("Read-only SQLite database " + file +
                                 ". It has 3 classes: customers, orders, _own.\n1. "))
      << text();
  EXPECT_FALSE(has(text(), path_.parent_path().string() + "/")) << text();
  for (const char* rule : {"\n1. Rows", "\n2. A pointer", "\n3. ", "\n4. ", "\n5. ", "\n6. "}) {
    EXPECT_TRUE(has(text(), rule)) << rule;
  }
  EXPECT_FALSE(has(text(), "\n7. "));
  EXPECT_TRUE(has(ask("introduction", "{}"), R"({"text":"Read-only SQLite database )"));
}

TEST_F(Introduction, NamesNoClassThatTheAgentMayNotSee) {
  make("CREATE TABLE orders(id); CREATE TABLE salaries(id)");
  rules_ = std::make_shared<const Rules>(std::make_shared<const ClassFilter>(
      std::vector<std::string>{"orders"}, std::vector<std::string>()));
  EXPECT_TRUE(has(text(), "It has 1 class: orders.")) << text();
  EXPECT_FALSE(has(text(), "salaries")) << text();
  rules_ = std::make_shared<const Rules>(
      std::make_shared<const ClassFilter>(std::vector<std::string>(), std::vector<std::string>()));
  EXPECT_TRUE(has(text(), "You may see no class of it.")) << text();
}

TEST_F(Introduction, StaysWithinItsBudget) {
  std::string sql;
  for (int i = 0; i < 300; ++i) {
    sql += "CREATE TABLE table_with_a_name_" + std::to_string(1000 + i) + "(id);";
  }
  make(sql.c_str());
  EXPECT_LE(text().size(), kMostIntroductionBytes);
  EXPECT_GT(text().size(), kMostIntroductionBytes - 100);
  EXPECT_TRUE(has(text(), "It has 300 classes: table_with_a_name_1000, ")) << text();
  EXPECT_TRUE(has(text(), " …\n1. ")) << text();
}

TEST_F(Introduction, OfALongNameOrOneWithLinesStaysOneLine) {
  make(
      (R"(CREATE TABLE ")" + std::string(2000, 'x') + "\"(id); CREATE TABLE \"a\nb\"(id)").c_str());
  EXPECT_LE(text().size(), kMostIntroductionBytes);
  EXPECT_TRUE(has(text(), "It has 2 classes: a b …\n1. ")) << text();
}

}  // namespace
}  // namespace gantry::data
