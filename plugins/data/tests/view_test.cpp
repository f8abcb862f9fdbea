#include "view/scope.hpp"

#include <gtest/gtest.h>

#include "catalog/catalog.hpp"

namespace gantry::data::view_test {
namespace {

Field field(std::string name, Kind kind = Kind::string) {
  Field made;
  made.column = "`" + name + "`";
  made.name = std::move(name);
  made.kind = kind;
  return made;
}

Field pointer(std::string name, std::string target) {
  Field made = field(std::move(name), Kind::pointer);
  made.target_class = std::move(target);
  return made;
}

// Order: password (internal), id, made (createdAt), pointers to city, gone and _Session.
ClassInfo order() {
  ClassInfo cls;
  cls.name = "order";
  cls.table = "`order`";
  Field password = field("password");
  password.internal = true;
  cls.fields = {password,
                field("id", Kind::integer),
                field("made", Kind::date),
                pointer("city", "city"),
                pointer("gone", "gone"),
                pointer("session", "_Session"),
                field("note", Kind::object)};
  cls.id_form = IdForm::column;
  cls.id_fields = {1};
  cls.created_at = 2;
  cls.indexes = {{"by_city", {"city"}},
                 {"by_password", {"password"}},
                 {"by_half", {"city", "password"}},
                 {"by_expression", {"<expression>"}},
                 {"by_made", {"made", "password"}}};
  cls.indexes[1].internal = true;
  for (const std::size_t at : {1U, 2U, 3U}) cls.fields[at].indexed = true;
  return cls;
}

CatalogPtr catalog() {
  ClassInfo city, session, report;
  city.name = "city";
  session.name = "_Session";
  report.name = "report";
  report.type = ClassType::view;
  return std::make_shared<const Catalog>(
      std::vector<ClassInfo>{order(), std::move(city), std::move(session), std::move(report)}, 1);
}

RulesPtr without(std::string name) {
  return std::make_shared<const Rules>(
      std::make_shared<const ClassFilter>(std::nullopt, std::vector<std::string>{std::move(name)}));
}

TEST(ClassView, HoldsOnlyFieldsAndIndexesVisibleToTheAgent) {
  const Scope scope(catalog());
  const ClassView& cls = *scope.open("order");
  EXPECT_EQ(cls.find("password"), nullptr);
  EXPECT_EQ(cls.fields.size(), 6u);
  ASSERT_EQ(cls.key_fields.size(), 1u);
  EXPECT_EQ(cls.key_fields.front().name, "id");
  EXPECT_EQ(cls.key()->column, "`id`");
  EXPECT_EQ(cls.role("createdAt"), cls.find("made"));
  EXPECT_EQ(cls.named("createdAt"), cls.find("made"));
  EXPECT_EQ(cls.role("updatedAt"), nullptr);
  EXPECT_TRUE(cls.find("note")->json);
  ASSERT_EQ(cls.indexes.size(), 1u);
  EXPECT_EQ(cls.indexes.front().name, "by_city");
  EXPECT_TRUE(cls.find("city")->indexed);
  EXPECT_TRUE(cls.find("id")->indexed) << "the key";
  EXPECT_FALSE(cls.find("made")->indexed) << "first of an index that is not shown";
}

TEST(ClassView, APointerToAClassThatTheAgentDoesNotSeeIsRedacted) {
  const Scope all(catalog()), some(catalog(), without("city"));
  const ClassView& cls = *all.open("order");
  EXPECT_FALSE(cls.find("city")->redacted);
  EXPECT_TRUE(cls.find("gone")->redacted) << "the class does not exist";
  EXPECT_TRUE(cls.find("session")->redacted) << "no agent sees the class";
  EXPECT_TRUE(some.open("order")->find("city")->redacted);
  EXPECT_TRUE(some.open("order")->find("city")->form.is(FieldForm::Type::redacted));
}

TEST(Scope, OpensVisibleClassesOnly) {
  const Scope all(catalog()), some(catalog(), without("order"));
  EXPECT_EQ(all.open("_Session"), nullptr);
  EXPECT_EQ(all.open("Order"), nullptr) << "names are exact";
  EXPECT_EQ(all.open("order"), all.open("order"));
  EXPECT_EQ(some.open("order"), nullptr);
  EXPECT_EQ(all.classes().size(), 3u);
  EXPECT_EQ(some.classes().size(), 2u);
}

TEST(Scope, OpeningAViewLosesDeterminism) {
  RequestNotes notes, other;
  const Scope scope(catalog());
  const Scope of_request = scope.of_request(notes), of_other = scope.of_request(other);
  EXPECT_TRUE(of_request.shares_views(of_other));
  (void)of_request.open("order");
  EXPECT_TRUE(notes.is_deterministic);
  (void)of_request.open("report");
  EXPECT_FALSE(notes.is_deterministic);
  EXPECT_TRUE(other.is_deterministic) << "of another request";
}

TEST(RecentScopes, ShareViewsByCatalogAndRules) {
  RecentScopes scopes;
  const CatalogPtr one = catalog(), other = catalog();
  const Scope first = scopes.of(one, nullptr);
  EXPECT_TRUE(first.shares_views(scopes.of(one, nullptr)));
  const Scope narrow = scopes.of(one, without("city"));
  EXPECT_FALSE(first.shares_views(narrow));
  EXPECT_TRUE(narrow.shares_views(scopes.of(one, without("city"))));
  EXPECT_TRUE(first.shares_views(scopes.of(one, nullptr)));
  EXPECT_FALSE(first.shares_views(scopes.of(other, nullptr)));
}

}  // namespace
}  // namespace gantry::data::view_test
