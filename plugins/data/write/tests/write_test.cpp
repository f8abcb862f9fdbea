// Values: the kinds of texts, objects that encode a value, and conversion for columns.
#include <gtest/gtest.h>

#include "catalog/catalog.hpp"
#include "write/acl.hpp"
#include "write/class_table.hpp"
#include "write/convert.hpp"
#include "write/document.hpp"
#include "write/special.hpp"

namespace gantry::data::write {
namespace {

Cell cell(Cell::Type type, std::string text, std::int64_t integer = 0) {
  Cell made;
  made.type = type;
  made.text = std::move(text);
  made.integer = integer;
  return made;
}

Cell special(std::string json) {
  Cell made = cell(Cell::Type::nested, std::move(json));
  read_special(made);
  return made;
}

std::string shown_text(const Cell& given) {
  return given.is(Cell::Type::text) ? given.text : "no text";
}

std::string shown(const Stored& stored) {
  switch (stored.type) {
    case Stored::Type::integer:
      return "i" + std::to_string(stored.integer);
    case Stored::Type::real: {
      Cell number;
      number.type = Cell::Type::real;
      number.real = stored.real;
      std::string text;
      append_cell_json(number, text);
      return "r" + text;
    }
    case Stored::Type::text:
      return "t" + stored.bytes;
    case Stored::Type::blob:
      return "b" + stored.bytes;
    default:
      return "null";
  }
}

// The stored value, or "no: " and the reason.
std::string stored(Cell given, Form form, const std::string& shape = "",
                   const std::string& target = "") {
  Stored out;
  const Column column{.name = "c", .form = form, .target = target, .key = "", .shape = shape};
  const Status status = convert(given, column, out);
  return status ? shown(out) : "no: " + status.message();
}

std::string csv(std::string text, Form form) {
  return stored(cell(Cell::Type::lexical, std::move(text)), form);
}

TEST(Numbers, KeepTheirKindAndNeverTheirDigits) {
  EXPECT_EQ(number_cell("7").integer, 7);
  EXPECT_EQ(number_cell("-9223372036854775808").integer, INT64_MIN);
  EXPECT_TRUE(number_cell("9223372036854775808").is(Cell::Type::big_number));
  EXPECT_TRUE(number_cell("1.0").is(Cell::Type::real));
  EXPECT_TRUE(number_cell("1e400").is(Cell::Type::big_number));
  EXPECT_EQ(number_cell("1e-400").real, 0);
  EXPECT_TRUE(number_cell("1e-400").is(Cell::Type::real));
}

TEST(Lexical, OnlyTextThatRoundTripsIsANumber) {
  for (const auto text : {"0", "-5", "42", "9223372036854775807"}) {
    EXPECT_EQ(lexical_form(text), Form::integer) << text;
  }
  for (const auto text : {"0.5", "-1.25", "1e5", "1.5E-3", "0.30000000000000004", "1.10", "0.0",
                          "-0.000", "12300e-2", "123456789012345.0"}) {
    EXPECT_EQ(lexical_form(text), Form::number) << text;
  }
  for (const auto text : {"007",
                          "+1",
                          "-",
                          "-0",
                          "1.",
                          ".5",
                          "0x10",
                          "1e999",
                          "NaN",
                          "inf",
                          "1 ",
                          " 1",
                          "9223372036854775808",
                          "",
                          "tRUE",
                          "2024-13-01",
                          "1-2",
                          "0.1234567890123456789",
                          "-12345678901234567.5",
                          "1.00000000000000000001",
                          "2024-02-29T10:00:00.123456Z"}) {
    EXPECT_EQ(lexical_form(text), Form::text) << text;
  }
  EXPECT_EQ(lexical_form("True"), Form::boolean);
  EXPECT_EQ(lexical_form("2024-02-29"), Form::date_ms);
  EXPECT_EQ(lexical_form("2024-02-29T10:00:00+02:00"), Form::date_ms);
  EXPECT_EQ(lexical_form("2024-02-29T10:00:00.123000Z"), Form::date_ms);
}

TEST(Lexical, OneOtherTextMakesTheColumnText) {
  EXPECT_EQ(common_form(Form::integer, Form::number), Form::number);
  EXPECT_EQ(common_form(Form::integer, Form::boolean), Form::text);
  EXPECT_EQ(common_form(Form::date_ms, Form::text), Form::text);
  EXPECT_EQ(common_form(Form::date_ms, Form::date_ms), Form::date_ms);
}

TEST(Special, ObjectsEncodeValues) {
  EXPECT_EQ(special(R"({"__type":"Date","iso":"1970-01-01T00:00:01.000Z"})").integer, 1000);
  EXPECT_EQ(special(R"({"$date":"1970-01-01T00:00:01Z"})").integer, 1000);
  EXPECT_EQ(special(R"({"$date":{"$numberLong":"-5"}})").integer, -5);
  for (const auto json : {R"({"$date":"1970-01-01T00:00:01.0001Z"})",
                          R"({"__type":"Date","iso":"1970-01-01T00:00:01.0001Z"})"}) {
    EXPECT_EQ(shown_text(special(json)), "1970-01-01T00:00:01.0001Z") << json;
  }
  EXPECT_EQ(special(R"({"$numberLong":"9007199254740993"})").integer, 9007199254740993);
  EXPECT_EQ(special(R"({"$numberDecimal":"12.50"})").real, 12.5);
  EXPECT_TRUE(special(R"({"$numberDecimal":"0.1234567890123456789"})").is(Cell::Type::big_number));
  EXPECT_EQ(special(R"({"$oid":"5f"})").text, "5f");
  EXPECT_EQ(special(R"({"__type":"Bytes","base64":"aGk="})").text, "hi");
  const Cell pointer = special(R"({"className":"A","objectId":"x","__type":"Pointer"})");
  EXPECT_TRUE(pointer.is(Cell::Type::pointer));
  EXPECT_EQ(pointer.target + "/" + pointer.text, "A/x");
  EXPECT_TRUE(special(R"({"__type":"Relation","className":"A"})").is(Cell::Type::relation));
}

TEST(Special, OtherObjectsStayUnchanged) {
  for (const auto json : {R"({"__type":"GeoPoint","latitude":1,"longitude":2})",
                          R"({"__type":"File","name":"a","url":"b"})", R"({"__type":"Date"})",
                          R"({"__type":"Pointer","objectId":"x"})", R"({"$date":"soon"})",
                          R"({"$gt":5})", R"([{"$date":"1970-01-01"}])", R"({"__type":7})"}) {
    EXPECT_TRUE(special(json).is(Cell::Type::nested)) << json;
    EXPECT_EQ(special(json).text, json);
  }
}

TEST(Convert, TextOfCsvIsReadAsTheColumnsKind) {
  EXPECT_EQ(csv("42", Form::integer), "i42");
  EXPECT_EQ(csv("42", Form::number), "r42.0");
  EXPECT_EQ(csv("42", Form::text), "t42");
  EXPECT_EQ(csv("007", Form::text), "t007");
  EXPECT_EQ(csv("007", Form::integer), "no: \"007\" is no integer");
  EXPECT_EQ(csv("FALSE", Form::boolean), "i0");
  EXPECT_EQ(csv("1", Form::boolean), "i1");
  EXPECT_EQ(csv("2", Form::boolean), "no: \"2\" is no boolean");
  EXPECT_EQ(csv("1970-01-02", Form::date_ms), "i86400000");
  EXPECT_EQ(csv("soon", Form::date_ms), "no: \"soon\" is no date (ISO 8601)");
  EXPECT_EQ(csv("[1]", Form::json), "t[1]");
  EXPECT_EQ(csv("1", Form::json), "no: \"1\" is no object or array");
  EXPECT_EQ(csv("a\"b", Form::any_json), R"(t"a\"b")");
  EXPECT_EQ(csv("4", Form::any), "i4");
}

TEST(Convert, NothingIsRoundedOrGuessed) {
  EXPECT_EQ(stored(number_cell("1.0"), Form::integer), "i1");
  EXPECT_EQ(stored(number_cell("1.5"), Form::integer), "no: a number is no integer");
  EXPECT_EQ(
      stored(number_cell("9007199254740993"), Form::number),
      "no: 9007199254740993 would lose digits in a column of numbers with fractions; a column of "
      "text keeps it as it is");
  EXPECT_EQ(stored(number_cell("99999999999999999999"), Form::integer),
            "no: 99999999999999999999 is beyond 64 bits; a column of text keeps it as it is");
  EXPECT_EQ(stored(number_cell("99999999999999999999"), Form::text), "t99999999999999999999");
  EXPECT_EQ(stored(cell(Cell::Type::boolean, "", 1), Form::text), "no: a boolean is no text");
  EXPECT_EQ(stored(cell(Cell::Type::nested, "[]"), Form::integer),
            "no: an object or array is no integer");
  EXPECT_EQ(stored(cell(Cell::Type::text, "x"), Form::bytes).substr(0, 16), "no: \"x\" is no by");
  EXPECT_EQ(stored(cell(Cell::Type::bytes, std::string("\0\xff", 2)), Form::bytes),
            std::string("b\0\xff", 3));
}

TEST(Convert, DatesTakeTheFormOfTheColumn) {
  const auto date = [](std::int64_t ms) { return cell(Cell::Type::date, "", ms); };
  EXPECT_EQ(stored(date(1500), Form::date_ms), "i1500");
  EXPECT_EQ(stored(date(2000), Form::date_s), "i2");
  EXPECT_EQ(stored(date(2500), Form::date_s).substr(0, 3), "no:");
  EXPECT_EQ(stored(date(0), Form::date_julian), "r2440587.5");
  EXPECT_EQ(stored(date(0), Form::date_text), "t1970-01-01T00:00:00.000Z");
  EXPECT_EQ(stored(date(0), Form::date_text, "0000-00-00"), "t1970-01-01");
  EXPECT_EQ(stored(date(1000), Form::date_text, "0000-00-00"),
            "no: the column stores dates like 0000-00-00, not this one");
  EXPECT_EQ(stored(date(1000), Form::date_text, "0000-00-00 00:00:00"), "t1970-01-01 00:00:01");
  EXPECT_EQ(stored(date(1000), Form::date_text, "0000-00-00T00:00:00Z"), "t1970-01-01T00:00:01Z");
  EXPECT_EQ(stored(date(INT64_MAX), Form::date_ms).substr(0, 3), "no:");
  EXPECT_EQ(stored(number_cell("9000000000000000000"), Form::date_s).substr(0, 3), "no:");
}

TEST(Convert, PointersKnowTheirClass) {
  Cell pointer = cell(Cell::Type::pointer, "17");
  pointer.target = "A";
  EXPECT_EQ(stored(pointer, Form::text, "", "A"), "t17");
  EXPECT_EQ(stored(pointer, Form::integer, "", "A"), "i17");
  EXPECT_EQ(stored(pointer, Form::text, "", "B"), "no: points to A, and the column to B");
  EXPECT_EQ(stored(number_cell("17"), Form::text, "", "A"), "t17");
  EXPECT_EQ(stored(number_cell("1.5"), Form::text, "", "A"), "no: a number is no id");
  EXPECT_EQ(stored(pointer, Form::any_json),
            R"(t{"__type":"Pointer","className":"A","objectId":"17"})");
}

TEST(Convert, PointersAreStoredAsTheKeyIs) {
  const auto id = [](const char* text, Form form) {
    Cell pointer = cell(Cell::Type::pointer, text);
    pointer.target = "A";
    return stored(pointer, form, "", "A");
  };
  EXPECT_EQ(id("1.5", Form::number), "r1.5");
  EXPECT_EQ(stored(number_cell("1.5"), Form::number, "", "A"), "r1.5");
  EXPECT_EQ(id("0x6869", Form::bytes), "bhi");
  EXPECT_EQ(id("aGk=", Form::bytes), "taGk=");  // a text in a column that is declared BLOB
  EXPECT_EQ(stored(cell(Cell::Type::lexical, R"({"$base64":"aGk="})"), Form::bytes, "", "A"),
            "bhi");
  EXPECT_EQ(stored(number_cell("17"), Form::bytes, "", "A"), "t17");
  EXPECT_EQ(stored(number_cell("1.5"), Form::bytes, "", "A"), "no: a number is no id");
  EXPECT_EQ(stored(cell(Cell::Type::date, ""), Form::number, "", "A"), "no: a date is no id");
  EXPECT_EQ(id("17", Form::number), "i17");
  EXPECT_EQ(id("9007199254740993", Form::number), "i9007199254740993");
  EXPECT_EQ(id("x1", Form::number), "tx1");
  EXPECT_EQ(stored(cell(Cell::Type::bytes, "hi"), Form::bytes, "", "A"), "bhi");
  EXPECT_EQ(stored(cell(Cell::Type::bytes, "hi"), Form::any, "", "A"), "bhi");
  EXPECT_EQ(stored(number_cell("17"), Form::any, "", "A"), "i17");
  EXPECT_EQ(id("17", Form::any), "t17");
  EXPECT_EQ(stored(cell(Cell::Type::lexical, "17"), Form::any, "", "A"), "i17");
  EXPECT_EQ(stored(cell(Cell::Type::boolean, ""), Form::any, "", "A").substr(0, 3), "no:");
  EXPECT_EQ(stored(cell(Cell::Type::nested, "{}"), Form::any, "", "A").substr(0, 3), "no:");
  EXPECT_EQ(stored(cell(Cell::Type::date, ""), Form::any, "", "A"), "no: a date is no id");
  EXPECT_EQ(id("1767225600", Form::date_s), "i1767225600");
  EXPECT_EQ(id("2026-01-01T00:00:00Z", Form::date_s), "i1767225600");
  EXPECT_EQ(id("2026-01-01", Form::date_text), "t2026-01-01");
  EXPECT_EQ(id("n/a", Form::date_text), "tn/a") << "among dates";
  EXPECT_EQ(id("n/a", Form::date_s), "tn/a");
  EXPECT_EQ(stored(cell(Cell::Type::nested, "{}"), Form::date_text, "", "A").substr(0, 3), "no:");
  EXPECT_EQ(key_form(Kind::number), Form::number);
  EXPECT_EQ(key_form(Kind::bytes), Form::bytes);
  EXPECT_EQ(key_form(Kind::any), Form::any);
  EXPECT_EQ(key_form(Kind::date), Form::text);
}

TEST(Convert, APointerIsNotRoundedToAnother) {
  Column column{.name = "x", .form = Form::number, .target = "A"};
  const auto kept = [&column](const char* type) {
    column.numeric_type = type;
    Cell id = number_cell("9007199254740993");
    Stored out;
    return static_cast<bool>(convert(id, column, out));
  };
  for (const char* type : {"REAL", "DOUBLE PRECISION", "FLOAT"}) EXPECT_FALSE(kept(type)) << type;
  for (const char* type : {"", "DECIMAL(20)", "FLOATING POINT"}) EXPECT_TRUE(kept(type)) << type;
}

TEST(Convert, CsvHasBytesAndInfinitiesAsExportsWriteThem) {
  EXPECT_EQ(csv(R"({"$base64":"aGk="})", Form::bytes), "bhi");
  EXPECT_EQ(csv(R"({"$base64":""})", Form::bytes), "b");
  EXPECT_EQ(csv("aGk=", Form::bytes).substr(0, 3), "no:");
  EXPECT_EQ(csv("Infinity", Form::number), "r\"Infinity\"");
  EXPECT_EQ(stored(cell(Cell::Type::text, "-Infinity"), Form::number), "r\"-Infinity\"");
  EXPECT_EQ(csv("infinity", Form::number).substr(0, 3), "no:");
  EXPECT_EQ(csv("Infinity", Form::integer).substr(0, 3), "no:");
}

TEST(Acl, BecomesReadersAndWriters) {
  std::string readers, writers;
  EXPECT_TRUE(read_acl(cell(Cell::Type::nested, R"({"*":{"read":true},"role:a":{"write":true}})"),
                       readers, writers));
  EXPECT_EQ(readers + writers, R"(["*"]["role:a"])");
  EXPECT_TRUE(read_acl(cell(Cell::Type::nested, "{}"), readers, writers));
  EXPECT_EQ(readers + writers, "[][]");
  for (const auto json : {R"({"*":true})", R"({"*":{"read":1}})", "[]"}) {
    EXPECT_FALSE(read_acl(cell(Cell::Type::nested, json), readers, writers)) << json;
  }
}

TEST(Documents, GetAnIdAndPlainForms) {
  IdMaker ids;
  EXPECT_EQ(*document_of(R"({"_id":{"$oid":"5f"},"a":{"__type":"Date","iso":"1970-01-01"}})", ids),
            R"({"_id":{"$oid":"5f"},"a":{"$date":"1970-01-01T00:00:00.000Z"}})");
  EXPECT_EQ(*document_of(R"({"objectId":"x","n":{"$numberLong":"1"}})", ids),
            R"({"_id":"x","objectId":"x","n":{"$numberLong":"1"}})");
  EXPECT_EQ(document_of(R"({"a":[{"$oid":"b"}]})", ids)->substr(33), R"(,"a":[{"$oid":"b"}]})");
  EXPECT_FALSE(document_of(R"({"$date":"1970-01-01"})", ids));
  EXPECT_FALSE(document_of(R"({"_id":null})", ids));
}

TEST(Documents, DatesFinerThanMillisecondsAreRefused) {
  IdMaker ids;
  for (const auto json : {R"({"a":[{"b":{"$date":"1970-01-01T00:00:00.0001Z"}}]})",
                          R"({"a":{"__type":"Date","iso":"1970-01-01T00:00:00.0001Z"}})"}) {
    EXPECT_NE(document_of(json, ids).status().message().find("00.0001Z"), std::string::npos);
  }
  EXPECT_TRUE(document_of(R"({"a":{"$date":"1970-01-01T00:00:00.1000Z"},"iso":"x"})", ids));
  EXPECT_TRUE(document_of(R"({"iso":"1970-01-01T00:00:00.0001Z"})", ids));
}

TEST(Columns, ValuesThatWouldLoseDigitsAreRefusedOrKeptAsText) {
  EXPECT_NE(csv("0.1234567890123456789", Form::number).find("would lose digits"),
            std::string::npos);
  EXPECT_EQ(csv("0.1234567890123456789", Form::any), "t0.1234567890123456789");
  EXPECT_EQ(csv("0.30000000000000004", Form::number), "r0.30000000000000004");
  const std::string fine = "2024-02-29T10:00:00.123456Z";
  for (const Form form : {Form::date_ms, Form::date_s, Form::date_julian}) {
    EXPECT_NE(csv(fine, form).find("more than milliseconds"), std::string::npos);
  }
  EXPECT_EQ(stored(cell(Cell::Type::text, fine), Form::date_text, "0000-00-00T00:00:00.000000Z"),
            "t" + fine);
  EXPECT_EQ(stored(cell(Cell::Type::text, fine), Form::date_text, "0000-00-00T00:00:00.000Z")
                .substr(0, 4),
            "no: ");
}

TEST(Ids, AreDifferentAndInOrder) {
  IdMaker ids;
  std::string last = ids.next();
  EXPECT_EQ(last.size(), 24u);
  for (int i = 0; i < 1000; ++i) {
    const std::string next = ids.next();
    ASSERT_LT(last, next);
    last = next;
  }
}

TEST(Names, InternalAndUnprintableOnesAreRefused) {
  for (const auto name : {"sqlite_x", "SQLite_master", "_gantry", "_Gantry_audit", "", "a\nb"}) {
    EXPECT_FALSE(check_name("class", name)) << name;
  }
  for (const auto name : {"Post", "_User", "a b", "größe", "select", "\"x\"", "sqlite"}) {
    EXPECT_TRUE(check_name("class", name)) << name;
  }
}

TEST(ClassTables, FollowTheCatalog) {
  ClassInfo cls;
  cls.name = "Person";
  const auto field = [](const char* name, Kind kind) {
    data::Field made;
    made.name = name;
    made.kind = made.native = kind;
    return made;
  };
  cls.fields = {field("id", Kind::string), field("Born", Kind::date), field("team", Kind::pointer),
                field("twice", Kind::integer), field("createdAt", Kind::date)};
  cls.fields[1].date_form = DateForm::epoch_seconds;
  cls.fields[2].native = Kind::integer;
  cls.fields[2].target_class = "Team";
  cls.fields[3].generated = true;
  cls.fields[4].date_form = DateForm::epoch_millis;
  cls.id_form = IdForm::column;
  cls.id_fields = {0};
  const Table table = table_of(cls);
  ASSERT_EQ(table.columns.size(), 4U);  // without the generated one
  EXPECT_EQ(table.columns[1].form, Form::date_s);
  EXPECT_EQ(table.columns[2].form, key_form(Kind::integer));
  EXPECT_EQ(table.columns[2].target, "Team");
  EXPECT_EQ(table.id, 0U);
  EXPECT_TRUE(table.makes_ids);
  EXPECT_EQ(table.created, 3U);
  EXPECT_EQ(table.by_field.at("objectId"), 0U);
  EXPECT_EQ(table.by_field.at("born"), 1U);
  data::Field open = cls.fields[2];
  open.native = Kind::any;
  open.key_kind = Kind::integer;
  EXPECT_EQ(column_of(open).form, Form::number) << "texts among the integers";
  open.key_kind = Kind::string;
  EXPECT_EQ(column_of(open).form, Form::text);
}

}  // namespace
}  // namespace gantry::data::write
