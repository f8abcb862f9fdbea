#include "view/field_form.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "values/extended_json.hpp"

namespace gantry::data {
namespace {

using Type = FieldForm::Type;
using Shown = FieldForm::Shown;

Field field_of(Kind kind) {
  Field field;
  field.kind = kind;
  return field;
}

Field pointer_to(const std::string& name) {
  Field field = field_of(Kind::pointer);
  field.target_class = name;
  return field;
}

Field date_of(DateForm form) {
  Field field = field_of(Kind::date);
  field.date_form = form;
  return field;
}

StoredValue integer(std::int64_t value) { return {StoredValue::Type::integer, value, 0, {}}; }
StoredValue text(std::string_view value) { return {StoredValue::Type::text, 0, 0, value}; }

std::string json_of(const FieldForm& form, const StoredValue& stored) {
  std::string out;
  JsonAppender json(out);
  form.write(stored, JsonDialect::parse, json);
  json.flush();
  return out;
}

std::string value_of(const FieldForm& form, const StoredValue& stored) {
  const Value value = form.value(stored);
  std::string out;
  if (!value.is_missing()) append_value_json(value, JsonDialect::parse, out);
  return out;
}

std::string cell_of(const FieldForm& form, const StoredValue& stored) {
  std::string out;
  const Shown shown = form.append_shown(stored, JsonDialect::parse, out);
  return shown == Shown::json ? "json " + out : out;
}

TEST(FieldForm, ValuesAndJsonAgree) {
  Field json = field_of(Kind::object);
  json.json = true;
  struct Case {
    FieldForm form;
    StoredValue stored;
    std::string expected, cell;
  };
  const std::string bytes = R"({"__type":"Bytes","base64":"/0E="})";
  const std::string date = R"({"__type":"Date","iso":"2026-11-21T20:00:00.000Z"})";
  const std::string pointer = R"({"__type":"Pointer","className":"city","objectId":"7"})";
  const std::string hidden = R"({"className":"_Session","__redacted":true})";
  const Case cases[] = {
      {{field_of(Kind::string), false, nullptr}, text("a"), R"("a")", "a"},
      {{field_of(Kind::string), false, nullptr}, text("\xff\x41"), bytes, "json " + bytes},
      {{field_of(Kind::integer), false, nullptr}, integer(7), "7", "7"},
      {{field_of(Kind::boolean), false, nullptr}, integer(1), "true", "true"},
      {{field_of(Kind::boolean), false, nullptr}, integer(2), "2", "json 2"},
      {{date_of(DateForm::epoch_seconds), false, nullptr},
       integer(1795291200),
       date,
       "2026-11-21T20:00:00.000Z"},
      {{date_of(DateForm::iso_text), false, nullptr}, text("soon"), R"("soon")", "soon"},
      {{json, false, nullptr},
       text(R"({"a":1,"sessionToken":2})"),
       R"({"a":1})",
       R"(json {"a":1})"},
      {{json, false, nullptr}, text("[1"), R"("[1")", R"(json "[1")"},
      {{pointer_to("city"), false, nullptr}, integer(7), pointer, "7"},
      {{pointer_to("_Session"), true, nullptr}, integer(7), hidden, "json " + hidden},
      {FieldForm::id(), integer(7), R"("7")", "7"},
      {FieldForm::id(), {}, R"("")", ""},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(json_of(one.form, one.stored), one.expected);
    const std::string value = value_of(one.form, one.stored);
    EXPECT_EQ(value, one.form.is(FieldForm::Type::pointer) ? "7" : one.expected);
    EXPECT_EQ(cell_of(one.form, one.stored), one.cell);
  }
}

TEST(FieldForm, APointerToADateIsThatDateAndAnObjectsIdInParse) {
  Field field = pointer_to("day");
  field.date_form = DateForm::epoch_seconds;
  field.key_kind = Kind::date;
  const FieldForm form(field, false, nullptr);
  EXPECT_TRUE(form.points_to_date());
  EXPECT_FALSE(FieldForm(pointer_to("day"), false, nullptr).points_to_date());
  EXPECT_FALSE(FieldForm(field, true, nullptr).points_to_date());
  EXPECT_TRUE(form.value(integer(86400)).is_date());
  EXPECT_EQ(json_of(form, integer(86400)),
            R"({"__type":"Pointer","className":"day","objectId":"86400"})");
  EXPECT_EQ(cell_of(form, integer(86400)), "86400");
  std::string plain;
  JsonAppender json(plain);
  form.write(integer(86400), JsonDialect::plain, json);
  json.flush();
  EXPECT_EQ(plain, R"("1970-01-02T00:00:00Z")");
  std::string cell;
  EXPECT_EQ(form.append_shown(integer(86400), JsonDialect::plain, cell), Shown::text);
  EXPECT_EQ(cell, "1970-01-02T00:00:00Z");
}

TEST(FieldForm, NullIsMissingAndNullInJson) {
  Field json = field_of(Kind::any);
  json.json = true;
  for (const Field& field :
       {field_of(Kind::string), field_of(Kind::boolean), date_of(DateForm::julian), json,
        pointer_to("city"), pointer_to("_Session")}) {
    const FieldForm form(field, field.target_class == "_Session", nullptr);
    EXPECT_TRUE(form.value({}).is_missing());
    EXPECT_EQ(json_of(form, {}), "null");
    EXPECT_EQ(cell_of(form, {}), "");
  }
}

TEST(FieldForm, TextsThatHoldJsonLoseHiddenPartsInEveryKindOfField) {
  const auto classes =
      std::make_shared<const ClassFilter>(std::nullopt, std::vector<std::string>{"payroll"});
  const StoredValue stored = text(
      R"( {"a":1,"password":"x","p":{"__type":"Pointer","className":"payroll","objectId":"7"}})");
  const std::string shown = R"(" {\"a\":1,\"p\":{\"className\":\"payroll\",\"__redacted\":true}}")";
  for (const Field& field : {field_of(Kind::string), field_of(Kind::any), field_of(Kind::boolean),
                             field_of(Kind::integer), date_of(DateForm::iso_text)}) {
    const FieldForm form(field, false, classes);
    EXPECT_EQ(json_of(form, stored), shown);
    EXPECT_EQ(value_of(form, stored), shown);
    EXPECT_EQ(cell_of(form, stored).find("7"), std::string::npos);
    EXPECT_TRUE(form.hides_part_of(stored.bytes));
  }
  const FieldForm role = FieldForm(date_of(DateForm::iso_text), false, classes).as_role();
  EXPECT_EQ(json_of(role, stored), shown);
  const FieldForm form(field_of(Kind::string), false, classes);
  for (const char* other : {"{to do} change the password", R"({"a":"Pointer"})", "[1,2]", "", "{",
                            R"("password")", R"({"__type":"Pointer","className":"order"})"}) {
    EXPECT_FALSE(form.hides_part_of(other)) << other;
    EXPECT_EQ(value_of(form, text(other)), value_of(FieldForm::plain(), text(other)));
  }
  const std::string deep = std::string(200, '[') + R"({"password":1})" + std::string(200, ']');
  EXPECT_EQ(json_of(form, text(deep)),
            "\"" + std::string(200, '[') + "{}" + std::string(200, ']') + "\"");
  const std::string pointer = R"({"__type":"Pointer","className":"payroll","objectId":"7"})";
  EXPECT_EQ(json_of(form, text(std::string(200, '[') + pointer)), R"("")")
      << "deeper than the redaction of pointers reads";
}

TEST(FieldForm, TextsThatAreAlmostJsonLoseTheSamePartsAsJson) {
  const FieldForm form(field_of(Kind::string), false, nullptr);
  struct Case {
    std::string stored, shown;
  };
  const std::vector<Case> cases = {
      {R"({"a":"\ud800","password":"x"})", R"({"a":"\ud800"})"},
      {R"({"password":"x","a":1e999})", R"({"a":1e999})"},
      {R"({"a":1,"password":{"b":[1)", R"({"a":1)"},
      {std::string(R"({"a":1,"password":2})") + '\0', std::string(R"({"a":1})") + '\0'},
      {"\f[{'password':1}]", ""},
      {"[{password : 1}]", ""},
      {R"([{pass\u0077ord : 1}])", ""},
      {"[note] passwords: none", "[note] passwords: none"},
      {"[}[}]{{\"password\":1}", "[}[}]{{}"},
      {"[12:30] his password is long", "[12:30] his password is long"}};
  for (const Case& one : cases) {
    std::string room;
    EXPECT_EQ(form.seen(one.stored, room), one.shown) << one.stored;
  }
  std::string bytes = "{\"a\":\"\xff\",\"password\":1}", room;
  EXPECT_EQ(form.seen(bytes, room), "{\"a\":\"\xff\"}");
  const StoredValue blob{StoredValue::Type::blob, 0, 0, R"({"password":1})"};
  EXPECT_EQ(json_of(form, blob), R"({"__type":"Bytes","base64":"e30="})");
}

TEST(FieldForm, RolesAreBareInJsonAndDatesAsValues) {
  const FieldForm role = FieldForm(date_of(DateForm::epoch_seconds), false, nullptr).as_role();
  EXPECT_EQ(json_of(role, integer(1795291200)), R"("2026-11-21T20:00:00.000Z")");
  EXPECT_TRUE(role.value(integer(1795291200)).is_date());
}

}  // namespace
}  // namespace gantry::data
