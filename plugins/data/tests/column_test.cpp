#include <gtest/gtest.h>

#include <vector>

#include "catalog/column_sample.hpp"
#include "catalog/column_type.hpp"
#include "catalog/own_column.hpp"
#include "catalog/well_known.hpp"

namespace gantry::data::column_test {
namespace {

StoredValue integer(std::int64_t v) { return {StoredValue::Type::integer, v, 0, {}}; }
StoredValue real(double v) { return {StoredValue::Type::real, 0, v, {}}; }
StoredValue text(std::string_view v) { return {StoredValue::Type::text, 0, 0, v}; }
StoredValue blob(std::string_view v) { return {StoredValue::Type::blob, 0, 0, v}; }

Field refined(std::string name, std::string declared, const std::vector<StoredValue>& values) {
  Field field;
  field.name = std::move(name);
  field.declared = std::move(declared);
  ColumnSample sample;
  for (const auto& value : values) sample.add(value);
  sample.add({});
  sample.refine(field);
  return field;
}

TEST(ColumnType, AffinityFollowsSqlite) {
  EXPECT_EQ(affinity_of("VARCHAR(10)"), Affinity::text);
  EXPECT_EQ(affinity_of("CHARINT"), Affinity::numeric);
  EXPECT_EQ(affinity_of(""), Affinity::none);
  EXPECT_EQ(affinity_of("BLOB"), Affinity::none);
  EXPECT_EQ(affinity_of("JSON"), Affinity::numeric);
  EXPECT_EQ(affinity_of("DATETIME"), Affinity::numeric);
}

TEST(ColumnType, WordsOfTheTypeSuggestAKind) {
  for (const auto& [declared, kind] : {std::pair{"BIGINT", Kind::integer},
                                       {"varchar(3)", Kind::string},
                                       {"Boolean", Kind::boolean},
                                       {"DECIMAL(5,2)", Kind::number},
                                       {"TIMESTAMP", Kind::date},
                                       {"JSONB", Kind::object},
                                       {"varbinary", Kind::bytes},
                                       {"POINT", Kind::any},
                                       {"", Kind::any},
                                       {"double", Kind::number}}) {
    EXPECT_EQ(declared_kind(declared), kind) << declared;
  }
}

TEST(ColumnSample, RowsOverruleTheDeclaration) {
  EXPECT_EQ(refined("a", "INTEGER", {integer(1), integer(2)}).kind, Kind::integer);
  EXPECT_EQ(refined("a", "INTEGER", {integer(1), real(1.5)}).kind, Kind::number);
  EXPECT_EQ(refined("a", "INTEGER", {integer(1), text("n/a")}).kind, Kind::any);
  EXPECT_EQ(refined("a", "INTEGER", {text("x")}).kind, Kind::string);
  EXPECT_EQ(refined("a", "REAL", {integer(1)}).kind, Kind::number);
  EXPECT_EQ(refined("a", "", {text("x")}).kind, Kind::string);
  EXPECT_EQ(refined("a", "", {blob("x")}).kind, Kind::bytes);
  EXPECT_EQ(refined("a", "", {}).kind, Kind::any);
}

TEST(ColumnSample, BooleansAreOnlyZeroAndOne) {
  EXPECT_EQ(refined("a", "BOOL", {integer(1), integer(0)}).kind, Kind::boolean);
  EXPECT_EQ(refined("a", "BOOL", {integer(2)}).kind, Kind::integer);
  EXPECT_EQ(refined("a", "INT", {integer(1)}).kind, Kind::integer);
}

TEST(ColumnSample, DatesNeedTypeOrNameAndFittingValues) {
  EXPECT_EQ(refined("x", "DATETIME", {text("2026-01-01 10:00:00")}).date_form, DateForm::iso_text);
  EXPECT_EQ(refined("x", "TEXT", {text("2026-01-01")}).kind, Kind::string);
  EXPECT_EQ(refined("birth_date", "TEXT", {text("2026-01-01")}).kind, Kind::date);
  EXPECT_EQ(refined("birth_date", "TEXT", {text("2026-01-01"), text("soon")}).kind, Kind::string);
  EXPECT_EQ(refined("x", "DATE", {integer(1767261600)}).date_form, DateForm::epoch_seconds);
  EXPECT_EQ(refined("x", "DATE", {integer(1767261600000)}).date_form, DateForm::epoch_millis);
  EXPECT_EQ(refined("x", "DATE", {real(2461000.5)}).date_form, DateForm::julian);
  EXPECT_EQ(refined("x", "DATE", {integer(2024)}).kind, Kind::integer);
  EXPECT_EQ(refined("x", "DATE", {integer(20240131)}).kind, Kind::integer);
  EXPECT_EQ(refined("loginAt", "INTEGER", {integer(1767261600)}).kind, Kind::date);
  EXPECT_EQ(refined("format", "INTEGER", {integer(1767261600)}).kind, Kind::integer);
}

TEST(ColumnSample, APointersValuesMayBeDates) {
  const auto pointer = [](const char* declared, const StoredValue& value,
                          const StoredValue& other = {}) {
    Field field;
    field.kind = Kind::pointer;
    field.name = "day";
    field.declared = declared;
    ColumnSample sample;
    sample.add(value);
    sample.add(other);
    sample.refine(field);
    EXPECT_EQ(field.kind, Kind::pointer);
    return field;
  };
  const Field days = pointer("TEXT", text("2026-01-01"));
  EXPECT_EQ(days.native, Kind::string);
  EXPECT_EQ(days.date_form, DateForm::iso_text);
  EXPECT_EQ(pointer("TIMESTAMP", integer(1767261600)).date_form, DateForm::epoch_seconds);
  EXPECT_EQ(pointer("TIMESTAMP", integer(1767261600)).native, Kind::integer);
  EXPECT_EQ(pointer("DATE", text("soon")).date_form, DateForm::none);
  EXPECT_EQ(pointer("TEXT", text("2026-01-01"), text("2026-01-01 10:00:00")).date_form,
            DateForm::none);
  EXPECT_EQ(pointer("DATE", {}).date_form, DateForm::iso_text);
  EXPECT_EQ(pointer("DATE", {}).iso_shape, "");
}

TEST(ColumnSample, ADateWithATimeOfDayNeedsNoName) {
  EXPECT_EQ(refined("at", "TEXT", {text("2026-01-01 10:00:00")}).kind, Kind::date);
  EXPECT_EQ(refined("seen", "", {text("2026-01-01T10:00Z")}).kind, Kind::date);
  EXPECT_EQ(refined("at", "TEXT", {text("2026-01-01 10:00:00"), text("2026-01-01")}).kind,
            Kind::string);
  EXPECT_EQ(refined("at", "TEXT", {text("2026-01-01 10:00:00"), text("x")}).kind, Kind::string);
}

TEST(ColumnSample, TextsForNoDateAndAFewOthersLeaveAColumnOfDates) {
  const auto none = text("0000-00-00 00:00:00"), day = text("2026-01-01");
  EXPECT_EQ(refined("x", "DATE", {day, none, text(""), none}).kind, Kind::date);
  EXPECT_EQ(refined("x", "DATE", {day, none, text("")}).iso_shape, "0000-00-00");
  EXPECT_EQ(refined("birth_date", "TEXT", {day, text(" ")}).kind, Kind::date);
  EXPECT_EQ(refined("x", "DATE", {none, text("")}).kind, Kind::string);
  std::vector<StoredValue> nine(9, day);
  nine.push_back(text("soon"));
  EXPECT_EQ(refined("x", "DATE", nine).kind, Kind::date);
  EXPECT_EQ(refined("birth_date", "TEXT", nine).kind, Kind::string);
  nine.push_back(text("late"));
  EXPECT_EQ(refined("x", "DATE", nine).kind, Kind::string);
}

TEST(ColumnSample, ShapesOfDatesAreToldOnlyWhenTheyAgree) {
  EXPECT_EQ(refined("x", "DATE", {text("2026-01-01T00:00:00Z")}).iso_shape, "0000-00-00T00:00:00Z");
  EXPECT_EQ(refined("x", "DATE", {text("2026-01-01"), text("2026-01-01 10:00")}).iso_shape, "");
}

TEST(ColumnSample, JsonIsObjectArrayOrBoth) {
  EXPECT_EQ(refined("a", "TEXT", {text("{}"), text(" {\"a\":1}")}).kind, Kind::object);
  EXPECT_EQ(refined("a", "", {text("[1]")}).kind, Kind::array);
  const auto both = refined("a", "JSON", {text("[1]"), text("{}")});
  EXPECT_EQ(both.kind, Kind::any);
  EXPECT_TRUE(both.json);
  EXPECT_EQ(refined("a", "TEXT", {text("{}"), text("{oops")}).kind, Kind::string);
  EXPECT_FALSE(refined("a", "TEXT", {text("{}"), text("x")}).json);
  EXPECT_EQ(refined("a", "JSON", {}).kind, Kind::object);
}

TEST(OwnColumn, ChecksOfStrictTablesDecideTheColumnType) {
  constexpr const char* kTable =
      "CREATE TABLE t(\"a b\" INTEGER CHECK(\"a b\" IN (0,1)), d INTEGER check (D between"
      " -62167219200000 and 253402300799999), j TEXT CHECK(json_valid(j)), n TEXT"
      " CHECK(n IS NULL OR json_valid(n)), a TEXT CHECK(a IS NULL OR json_valid(a) = 1), x INTEGER "
      "CHECK(x IN (0,1,2)), y INTEGER"
      " CHECK(y BETWEEN 0 AND 1), z TEXT CHECK(z IN (0,1) OR z IS NULL)) STRICT";
  for (const auto& [column, type] : {std::pair{"a b", kStrictBoolean},
                                     {"d", kStrictDate},
                                     {"j", kStrictJson},
                                     {"N", kStrictJson},
                                     {"a", kStrictAnyJson},
                                     {"x", ""},
                                     {"y", ""},
                                     {"z", ""},
                                     {"none", ""}}) {
    EXPECT_EQ(strict_column_type(sql_words(kTable), column), type) << column;
  }
}

TEST(OwnColumn, AreTakenAtTheirWord) {
  const Field date = refined("born", std::string(kStrictDate), {integer(5), integer(-86'400'000)});
  EXPECT_EQ(date.kind, Kind::date);
  EXPECT_EQ(date.date_form, DateForm::epoch_millis);
  EXPECT_EQ(refined("born", std::string(kStrictDate), {}).date_form, DateForm::epoch_millis);
  EXPECT_EQ(refined("f", std::string(kStrictBoolean), {integer(0)}).kind, Kind::boolean);
  const Field json = refined("j", std::string(kStrictJson), {text("\"x\""), text("5")});
  EXPECT_EQ(json.kind, Kind::any);
  EXPECT_TRUE(json.json);
  EXPECT_EQ(refined("j", std::string(kStrictJson), {text("[]")}).kind, Kind::array);
  for (const auto& values : {std::vector<StoredValue>{}, {text("[]")}, {text("5")}}) {
    const Field any = refined("j", std::string(kStrictAnyJson), values);
    EXPECT_EQ(any.kind, Kind::any);
    EXPECT_TRUE(any.json);
  }
}

TEST(WellKnown, ACreatedAtThatIsNoDateKeepsItsName) {
  ClassInfo cls;
  cls.fields.resize(2);
  cls.fields[0].name = "createdAt";
  cls.fields[0].kind = Kind::string;
  cls.fields[1].name = "created_at";
  cls.fields[1].kind = Kind::date;
  find_timestamps(cls);
  EXPECT_FALSE(cls.created_at);
  cls.fields[0].name = "made";
  find_timestamps(cls);
  EXPECT_EQ(cls.created_at, 1u);
}

}  // namespace
}  // namespace gantry::data::column_test
