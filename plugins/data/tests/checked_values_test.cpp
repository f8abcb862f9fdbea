// The values that CHECK constraints of CREATE TABLE statements allow.
#include "catalog/checked_values.hpp"

#include <gtest/gtest.h>

#include <string>

namespace gantry::data {
namespace {

std::string shown(const Literal& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  if (const auto* real = std::get_if<double>(&value)) return std::to_string(*real).substr(0, 4);
  return "'" + std::get<std::string>(value) + "'";
}

// The allowed values of `s`, one after another, in a table with the columns s and "other".
std::string allowed(const std::string& type, const std::string& constraints) {
  std::vector<Field> fields(2);
  fields[0].name = "s", fields[0].declared = type;
  fields[1].name = "other", fields[1].declared = "TEXT";
  find_allowed_values(
      sql_words("CREATE TABLE t(s " + type + " " + constraints + ", other TEXT DEFAULT 'check (')"),
      fields);
  std::string all;
  for (const Literal& value : fields[0].allowed) all += (all.empty() ? "" : " ") + shown(value);
  return all;
}

struct Case {
  const char* type;
  const char* constraints;
  const char* values;
};

constexpr Case kListed[] = {
    {"TEXT", "CHECK(s IN ('open','paid'))", "'open' 'paid'"},
    {"TEXT", "NOT NULL CHECK (S in('a' , 'b','a')) DEFAULT 'a'", "'a' 'b'"},
    {"TEXT", "CHECK(((s) IN ('a')))", ""},
    {"TEXT", "CHECK((s IN ('a')))", "'a'"},
    {"TEXT", "CHECK(s = 'a' OR s == 'b' OR 'c' = s OR s IS 'd')", "'a' 'b' 'c' 'd'"},
    {"TEXT", "CHECK(s IS NULL OR s IN ('a','it''s'))", "'a' 'it's'"},
    {"TEXT", "CHECK(s IN ('a') OR s ISNULL)", "'a'"},
    {"TEXT", "CHECK(/* of ) */ \"s\" IN ('a', -- one\n 'b'))", "'a' 'b'"},
    {"TEXT", "CHECK([s] IN (\"a\",\"b\"))", "'a' 'b'"},
    {"TEXT", ", CONSTRAINT known CHECK(`s` IN ('a','b'))", "'a' 'b'"},
    {"TEXT", "CHECK(s IN ('a','b','c')), CHECK(s IN ('b','c','d'))", "'b' 'c'"},
    {"TEXT", "CHECK(length(s) > 1) CHECK(s IN ('a1','b1'))", "'a1' 'b1'"},
    {"TEXT", "CHECK(s IN (1, 2.5))", "'1' '2.5'"},
    {"INTEGER", "CHECK(s IN (1,-2,+3,'4',5.0))", "1 -2 3 4 5"},
    {"INTEGER", "CHECK(s IN (1,'x'))", "1 'x'"},
    {"REAL", "CHECK(s IN (1.5, 2e3))", "1.50 2000"},
    {"", "CHECK(s IN (1,'1'))", "1 '1'"},
};

constexpr Case kUnknown[] = {
    {"TEXT", "", ""},
    {"TEXT", "CHECK(s IN ('a',NULL))", "every value passes"},
    {"TEXT", "CHECK(s = NULL OR s = 'a')", "every value passes"},
    {"TEXT", "CHECK(s IS NULL)", ""},
    {"TEXT", "CHECK(s NOT IN ('a'))", ""},
    {"TEXT", "CHECK(s IS NOT 'a')", ""},
    {"TEXT", "CHECK(s <> 'a')", ""},
    {"TEXT", "CHECK(s >= 'a')", ""},
    {"TEXT", "CHECK(NOT s IN ('a'))", ""},
    {"TEXT", "CHECK(s IN ('a') AND other = 'b')", ""},
    {"TEXT", "CHECK(s IN ('a') OR other = 'b')", ""},
    {"TEXT", "CHECK(s IN ('a') OR length(s) > 3)", ""},
    {"TEXT", "CHECK(s COLLATE NOCASE IN ('a'))", ""},
    {"TEXT", "CHECK(lower(s) IN ('a'))", ""},
    {"TEXT", "CHECK(s = 'a' || 'b')", ""},
    {"TEXT", "CHECK(s IN ('a', other))", ""},
    {"TEXT", "CHECK(s IN ('a', \"other\"))", "a column's value"},
    {"TEXT", "CHECK('s' IN ('a'))", "a text, not the column"},
    {"TEXT", "CHECK(s IN (SELECT 'a'))", ""},
    {"TEXT", "CHECK(s IN ())", ""},
    {"BLOB", "CHECK(s IN (x'01'))", ""},
    {"INTEGER", "CHECK(s IN (0x10))", ""},
    {"INTEGER", "CHECK(s IN (TRUE))", ""},
    {"TEXT", "DEFAULT 'check(s IN (''a''))'", ""},
    {"TEXT", "CHECK(s IN ('a'", "no statement"},
    {"TEXT", "CHECK(s = ", "no statement"},
    {"TEXT", "CHECK(s IN ('a') OR", "no statement"},
};

TEST(CheckedValues, AreThoseThatConstraintsList) {
  for (const Case& one : kListed) {
    EXPECT_EQ(allowed(one.type, one.constraints), one.values) << one.type << one.constraints;
  }
}

TEST(CheckedValues, AreUnknownWhereAConstraintSaysSomethingElse) {
  for (const Case& one : kUnknown) {
    EXPECT_EQ(allowed(one.type, one.constraints), "") << one.constraints << ": " << one.values;
  }
}

TEST(CheckedValues, OfALongListAreLeftOut) {
  const auto list = [](int count) {
    std::string text = "CHECK(s IN (0";
    for (int i = 1; i < count; ++i) text += "," + std::to_string(i);
    return text + "))";
  };
  EXPECT_NE(allowed("INT", list(200)), "");
  EXPECT_EQ(allowed("INT", list(201)), "");
}

TEST(CheckedValues, DeepParenthesesEnd) {
  const std::string open(100'000, '('), close(100'000, ')');
  EXPECT_EQ(allowed("TEXT", "CHECK(" + open + "s IN ('a')" + close + ")"), "");
}

}  // namespace
}  // namespace gantry::data
