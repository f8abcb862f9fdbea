// Numbers, dates and names that a column keeps as they were given, and those that it refuses.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "write/class_table.hpp"
#include "write/convert.hpp"
#include "write/dates.hpp"
#include "write/json_cell.hpp"
#include "write/names.hpp"

namespace gantry::data::write::digits_test {
namespace {

Cell given(std::string_view json) {
  rapidjson::Document document;
  document.Parse(json.data(), json.size());
  EXPECT_FALSE(document.HasParseError()) << json;
  return cell_of(document);
}

// The stored value as text, or "no: " and the reason.
std::string kept(Cell cell, const Column& column) {
  Stored out;
  const Status status = convert(cell, column, out);
  if (!status) return "no: " + status.message();
  if (out.type == Stored::Type::null) return "null";
  if (out.type == Stored::Type::integer) return std::to_string(out.integer);
  Cell real;
  real.type = Cell::Type::real;
  real.real = out.real;
  std::string text;
  if (out.type == Stored::Type::real) append_cell_json(real, text);
  return out.type == Stored::Type::real ? text : out.bytes;
}
std::string kept(std::string_view json, Form form) { return kept(given(json), {"c", form}); }

TEST(Digits, AreLostWhereNoDoubleGivesThemBack) {
  for (const char* lost : {"0.1234567890123456789", "9007199254740993.5", "12345678901234567890",
                           "1.00000000000000000001", "123456789012345678e-2"}) {
    EXPECT_TRUE(loses_digits(lost)) << lost;
  }
  for (const char* whole : {"0.1", "1e5", "1.50", "0.000", "100000000000000000000", "-2.5e-10",
                            "9007199254740992", "abc", "007", ""}) {
    EXPECT_FALSE(loses_digits(whole)) << whole;
  }
}

TEST(Digits, ATextInANumericColumnStaysOnlyIfSqliteWritesItTheSame) {
  for (const char* other : {"007", " 5", "5 ", "+5", "1e3", "1.50", ".5", "5.", "1e999",
                            "99999999999999999999", "-0"}) {
    EXPECT_TRUE(becomes_other_number(other)) << other;
  }
  for (const char* same : {"5", "-5", "0", "1.5", "x", "", " ", "5x", "0x10", "nan", "Infinity",
                           "9223372036854775807"}) {
    EXPECT_FALSE(becomes_other_number(same)) << same;
  }
  const Column numeric{.name = "c", .form = Form::text, .numeric_type = "NUMERIC"};
  const std::string refused = kept(given(R"("007")"), numeric);
  EXPECT_NE(refused.find("NUMERIC"), std::string::npos) << refused;
  EXPECT_NE(refused.find("type TEXT keeps it"), std::string::npos) << refused;
  EXPECT_EQ(kept(given(R"("7")"), numeric), "7");
}

TEST(Digits, OfJsonAreCheckedAtEveryDepth) {
  EXPECT_TRUE(check_numbers(R"({"a":[1,2.5,{"b":9007199254740993}]})", false));
  const Status lost = check_numbers(R"({"a":[1,{"b":0.1234567890123456789}]})", false);
  ASSERT_FALSE(lost);
  EXPECT_NE(lost.message().find("0.1234567890123456789"), std::string::npos) << lost.message();
  EXPECT_NE(lost.message().find("give it as text"), std::string::npos) << lost.message();
  EXPECT_FALSE(check_numbers("18446744073709551615", false));
  EXPECT_TRUE(check_numbers("18446744073709551615", true));
  EXPECT_TRUE(check_numbers(R"("0.1234567890123456789")", false)) << "a text";
}

TEST(Integers, TakeWholeDoublesUpToTwoToThePowerOf53) {
  EXPECT_EQ(kept("9007199254740992.0", Form::integer), "9007199254740992");
  EXPECT_EQ(kept("9007199254740994.0", Form::integer), "no: a number is no integer");
  EXPECT_EQ(kept("9007199254740993", Form::integer), "9007199254740993");
  EXPECT_EQ(kept("-9223372036854775808", Form::integer), "-9223372036854775808");
  EXPECT_EQ(kept(R"("42")", Form::integer), "42");
  EXPECT_EQ(kept(R"("4 2")", Form::integer), "no: \"4 2\" is no integer");
  EXPECT_EQ(kept("true", Form::integer), "no: a boolean is no integer");
  EXPECT_EQ(kept("null", Form::integer), "null");
  EXPECT_EQ(kept("{}", Form::integer), "no: an object or array is no integer");
}

TEST(Numbers, TakeIntegersThatDoublesHold) {
  EXPECT_EQ(kept("9007199254740992", Form::number), "9007199254740992.0");
  EXPECT_NE(kept("9007199254740993", Form::number).find("would lose digits"), std::string::npos);
  EXPECT_EQ(kept("-0.0", Form::number), "-0.0");
  EXPECT_EQ(kept(R"({"$numberDouble":"Infinity"})", Form::number), R"("Infinity")");
  EXPECT_EQ(kept(R"({"$numberDouble":"NaN"})", Form::number),
            "no: NaN is no value that SQLite can store");
}

TEST(Booleans, AreBitsAndNothingElse) {
  EXPECT_EQ(kept("true", Form::boolean), "1");
  EXPECT_EQ(kept("0", Form::boolean), "0");
  EXPECT_EQ(kept("2", Form::boolean), "no: an integer is no boolean");
  EXPECT_EQ(kept(R"("true")", Form::boolean), "no: \"true\" is no boolean");
  EXPECT_EQ(kept("1.0", Form::boolean), "no: a number is no boolean");
}

TEST(Dates, Before1970AndAtTheEndsOfTheirYears) {
  EXPECT_EQ(kept(R"("1969-12-31T23:59:59.999Z")", Form::date_ms), "-1");
  EXPECT_EQ(kept(R"("1969-12-31T23:59:59Z")", Form::date_s), "-1");
  EXPECT_EQ(kept(R"("1969-12-31T23:59:59.5Z")", Form::date_s),
            "no: the column stores whole seconds, and this date has milliseconds");
  EXPECT_EQ(kept(R"("0000-01-01")", Form::date_ms), "-62167219200000");
  EXPECT_EQ(kept(R"("9999-12-31T23:59:59.999Z")", Form::date_ms), "253402300799999");
  EXPECT_EQ(kept("253402300800000", Form::date_ms),
            "no: an integer is no date between the years 0 and 9999");
  EXPECT_EQ(kept(R"({"$date":{"$numberLong":"253402300800000"}})", Form::date_text),
            "no: the date is not between the years 0 and 9999");
  EXPECT_EQ(kept(R"("1969-12-31T12:00:00Z")", Form::date_julian), "2440587.0");
  EXPECT_EQ(kept("5", Form::date_text), "no: an integer is no date (ISO 8601)");
}

TEST(Dates, AreFinerThanMillisecondsOnlyByDigitsThatCount) {
  EXPECT_TRUE(is_finer_than_milliseconds("2024-01-01T00:00:00.0001Z"));
  EXPECT_TRUE(is_finer_than_milliseconds("2024-01-01T00:00:00.123456+02:00"));
  EXPECT_FALSE(is_finer_than_milliseconds("2024-01-01T00:00:00.123000Z"));
  EXPECT_FALSE(is_finer_than_milliseconds("2024-01-01T00:00:00.1Z"));
  EXPECT_FALSE(is_finer_than_milliseconds("2024-01-01T00:00:00Z"));
}

TEST(Bytes, AreTakenInBothFormsThatAnswersShow) {
  EXPECT_EQ(kept(R"({"$base64":"aGk="})", Form::bytes), "hi");
  EXPECT_EQ(kept(R"({"__type":"Bytes","base64":"aGk="})", Form::bytes), "hi");
  EXPECT_EQ(kept(R"({"$base64":""})", Form::bytes), "");
  EXPECT_EQ(kept(R"({"$base64":"!"})", Form::bytes).substr(0, 3), "no:");
  EXPECT_EQ(kept(R"({"$base64":"aGk=","more":1})", Form::any_json),
            R"({"$base64":"aGk=","more":1})");
}

TEST(JsonColumns, KeepKindsOfNumbersAndTheOrderOfMembers) {
  EXPECT_EQ(kept(R"({"b":1.0,"a":[9007199254740993,null,true,"é\n"]})", Form::json),
            R"({"b":1.0,"a":[9007199254740993,null,true,"é\n"]})");
  EXPECT_EQ(kept(R"("[1, 2]")", Form::json), "[1, 2]") << "the JSON of a text";
  EXPECT_EQ(kept(R"("text")", Form::json), "no: \"text\" is no object or array");
  EXPECT_EQ(kept(R"("[1, 2]")", Form::any_json), R"("[1, 2]")");
  EXPECT_EQ(kept("5", Form::any_json), "5");
}

TEST(ColumnsOfAnyKind, KeepWhatSqliteCanKeep) {
  EXPECT_EQ(kept("1.5", Form::any), "1.5");
  EXPECT_EQ(kept("true", Form::any), "1");
  EXPECT_EQ(kept(R"({"$base64":"aGk="})", Form::any), "hi");
  EXPECT_EQ(kept(R"({"a":[1]})", Form::any), R"({"a":[1]})");
  EXPECT_EQ(kept(R"("007")", Form::any), "007");
  EXPECT_NE(kept("18446744073709551615", Form::any).find("beyond 64 bits"), std::string::npos);
}

TEST(TextColumns, KeepNumbersDatesAndIdsAsTheirText) {
  EXPECT_EQ(kept("1.0", Form::text), "1.0");
  EXPECT_EQ(kept("9007199254740993", Form::text), "9007199254740993");
  EXPECT_EQ(kept(R"({"__type":"Date","iso":"1969-12-31T23:59:59.999Z"})", Form::text),
            "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(kept(R"({"$base64":"aGk="})", Form::text), "no: bytes is no text");
  EXPECT_EQ(kept(R"([1])", Form::text), "no: an object or array is no text");
}

TEST(JsonColumns, HoldDatesBytesAndPointersInTheirObjects) {
  EXPECT_EQ(kept(R"({"__type":"Date","iso":"1970-01-01T00:00:00Z"})", Form::json),
            R"({"__type":"Date","iso":"1970-01-01T00:00:00.000Z"})");
  EXPECT_EQ(kept(R"({"$base64":"aGk="})", Form::json), R"({"__type":"Bytes","base64":"aGk="})");
  EXPECT_EQ(kept("false", Form::any_json), "false");
}

TEST(NewClasses, HaveAFieldForEachColumn) {
  Table table;
  table.name = "T";
  table.columns = {{.name = "objectId"},
                   {.name = "n", .form = Form::number},
                   {.name = "b", .form = Form::boolean},
                   {.name = "at", .form = Form::date_ms},
                   {.name = "j", .form = Form::any_json},
                   {.name = "raw", .form = Form::bytes},
                   {.name = "team", .form = Form::integer, .target = "Team", .key = "id"}};
  table.id = 0;
  const NewClass made = new_class(table);
  EXPECT_EQ(made.id_field, "objectId");
  EXPECT_FALSE(made.is_document);
  const Kind kinds[] = {Kind::string, Kind::number, Kind::boolean, Kind::date,
                        Kind::object, Kind::bytes,  Kind::integer};
  ASSERT_EQ(made.fields.size(), std::size(kinds));
  for (std::size_t i = 0; i < made.fields.size(); ++i) {
    EXPECT_EQ(made.fields[i].kind, kinds[i]) << made.fields[i].name;
  }
  EXPECT_EQ(made.fields[6].target_class + "." + made.fields[6].target_field, "Team.id");
}

TEST(TablesOfClasses, OfDocumentsAreTheColumnThatHoldsThem) {
  ClassInfo docs;
  docs.name = "docs";
  docs.document = "`my doc`";
  const Table table = table_of(docs);
  EXPECT_EQ(table.document, "my doc");
  ASSERT_EQ(table.columns.size(), 1U);
  EXPECT_EQ(table.columns[0].form, Form::json);
  EXPECT_TRUE(new_class(table).is_document);
}

TEST(TablesOfClasses, KnowTheColumnsOfAccessListsByOneName) {
  ClassInfo cls;
  cls.name = "Post";
  for (const char* name : {"_rperm", "_wperm"}) {
    data::Field field;
    field.name = name;
    cls.fields.push_back(field);
  }
  const Table both = table_of(cls);
  EXPECT_EQ(both.readers, 0U);
  EXPECT_EQ(both.writers, 1U);
  cls.fields.pop_back();
  EXPECT_FALSE(table_of(cls).readers);
}

TEST(NamesOfClasses, SayWhatIsWrongWithThem) {
  const auto refusal = [](const std::string& what, const std::string& name) {
    const Status status = check_name(what, name);
    return status ? "" : status.message();
  };
  EXPECT_EQ(refusal("class", std::string(200, 'x')), "");
  EXPECT_NE(refusal("class", std::string(201, 'x')).find("more than 200 bytes"), std::string::npos);
  EXPECT_NE(refusal("field", "a\tb").find("characters that no name can have"), std::string::npos);
  EXPECT_NE(refusal("field", "\xff").find("characters that no name can have"), std::string::npos);
  EXPECT_NE(refusal("field", "").find("needs a name"), std::string::npos);
  EXPECT_NE(refusal("class", "SQLITE_x").find("sqlite_ or _gantry"), std::string::npos);
  EXPECT_EQ(refusal("field", "sqlite_x"), "") << "a field's name is its own";
}

}  // namespace
}  // namespace gantry::data::write::digits_test
