// Rows of documents: the content of a column, and the ids of objects.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "catalog/catalog.hpp"
#include "errors/query_error.hpp"
#include "policy/rules.hpp"
#include "rows/document_id.hpp"
#include "rows/document_reader.hpp"
#include "store/sqlite/match_function.hpp"
#include "values/extended_json.hpp"

namespace gantry::data::document_test {
namespace {

// The document in `column` (SQL), as JSON; or the error.
std::string read(const std::string& column, DocumentReader::Ids ids = DocumentReader::Ids::none) {
  sqlite3* db = nullptr;
  sqlite3_open(":memory:", &db);
  ClassInfo cls;
  cls.name = "people";
  cls.document = column;
  cls.rowid = "7";
  const Catalog catalog({}, 1);
  const Rules rules;
  const ClassView view(cls, Opening{catalog, rules, nullptr});
  const DocumentReader reader(view, ids);
  sqlite3_stmt* stmt = nullptr;
  const std::string sql = "SELECT " + reader.select_list();
  EXPECT_EQ(sqlite3_prepare_v2(db, sql.c_str(), -1, &stmt, nullptr), SQLITE_OK) << sql;
  EXPECT_EQ(sqlite3_step(stmt), SQLITE_ROW);
  std::vector<StoredValue> row;
  for (int i = 0; i < sqlite3_column_count(stmt); ++i)
    row.push_back(sqlite::view_value(sqlite3_column_value(stmt, i)));
  std::string json;
  try {
    append_value_json(reader.read(row), JsonDialect::extended, json);
  } catch (const QueryError& error) {
    json = error.error().code + ": " + error.what();
  }
  sqlite3_finalize(stmt);
  sqlite3_close(db);
  return json;
}

std::string with_id(const std::string& document) {
  return read("'" + document + "'", DocumentReader::Ids::shown);
}

TEST(DocumentReader, GivesTheStoredDocument) {
  const std::string document =
      R"({"z":1,"_id":2.0,"a":null,"l":{"$numberLong":"5"},"n":{"$numberDouble":"NaN"},)"
      R"("d":{"$date":"2026-01-01T00:00:00.000Z"},"p":{"__type":"Date","iso":"x"}})";
  EXPECT_EQ(read("'" + document + "'"), document);
}

TEST(DocumentReader, PutsTheIdFirst) {
  EXPECT_EQ(with_id(R"({"a":1,"_id":5})"), R"({"objectId":"5","a":1,"_id":5})");
  EXPECT_EQ(with_id(R"({"objectId":"x","a":1})"), R"({"objectId":"x","a":1})");
  EXPECT_EQ(with_id(R"({"a":1,"objectId":9})"), R"({"objectId":"7","a":1})");
}

TEST(DocumentReader, LeavesOutInternalFields) {
  EXPECT_EQ(read(R"('{"a":1,"_hashed_password":"x","_auth_data_y":{}}')"), R"({"a":1})");
  EXPECT_EQ(read(R"('{"a":{"b":[1,{"_hashed_password":"x","c":[[{"password":2}]]}]}}')"),
            R"({"a":{"b":[1,{"c":[[{}]]}]}})");
}

TEST(DocumentReader, NamesTheRowThatHoldsNoDocument) {
  for (const char* column : {"'{\"a\":'", "'[1]'", "NULL", "5", "x'00'", "'{\"$date\":1}'"}) {
    const std::string said = read(column);
    EXPECT_EQ(said.find("store_error: Row 7 of class 'people' holds no document: "), 0u) << said;
  }
}

TEST(DocumentId, IsTheTextOfItsValue) {
  for (const auto& [json, text] : std::vector<std::pair<std::string, std::string>>{
           {R"("a b")", "a b"},
           {"5", "5"},
           {R"({"$numberLong":"5"})", "5"},
           {"-9007199254740993", "-9007199254740993"},
           {"4.5", "4.5"},
           {"true", "true"},
           {"null", "null"},
           {R"({"$numberDouble":"NaN"})", "NaN"},
           {R"({"$oid":"0123456789abcdef01234567"})", "0123456789abcdef01234567"},
           {R"({"$date":"2026-01-01T00:00:00Z"})", "2026-01-01T00:00:00.000Z"},
           {R"({"$binary":{"base64":"AQI=","subType":"00"}})", "0x0102"},
           {R"({"b":1,"a":2})", R"({"b":1,"a":2})"}}) {
    EXPECT_EQ(document_id_text(*read_extended(json)), text) << json;
  }
}

}  // namespace
}  // namespace gantry::data::document_test
