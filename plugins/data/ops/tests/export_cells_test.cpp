// Cells are written directly from the statement; writing them by way of each row's JSON must give
// the same text.
#include <gtest/gtest.h>

#include <string>

#include <gantry/json.hpp>

#include "ops/export/sheet.hpp"
#include "small_database.hpp"

namespace gantry::data::export_cells_test {
namespace {

class ExportCells : public SmallDatabase {
 protected:
  void SetUp() override {
    make(R"sql(
      CREATE TABLE place(code TEXT PRIMARY KEY, name TEXT, is_open BOOLEAN, born DATETIME,
                         seen DATETIME, createdAt DATETIME);
      CREATE TABLE _secret(id INTEGER PRIMARY KEY);
      CREATE TABLE nasty(id INTEGER PRIMARY KEY, text TEXT, whole INTEGER, real REAL, flag BOOLEAN,
                         json JSON, at DATETIME, place TEXT REFERENCES place(code), bytes BLOB,
                         anything, "dotted.name" TEXT, "say ""so"", will you" TEXT,
                         createdAt DATETIME, password TEXT);
      CREATE TABLE pair(a TEXT, b INTEGER, v TEXT, PRIMARY KEY(a, b)) WITHOUT ROWID;
      INSERT INTO place VALUES('x,1', 'X', 1, '2026-01-31T23:30:00Z', 1700000000, '2026-01-31'),
        ('', 'empty', 0, NULL, NULL, NULL), ('y', NULL, NULL, '1969-12-31', 0, '2026-02-01T10:00:00+02:00');
      INSERT INTO nasty(id, text, whole, real, flag, json, at, place, bytes, anything, "dotted.name",
                        createdAt) VALUES
        (1, 'plain', 1, 1.5, 1, '{"a": [1, 2.50]}', '2026-01-31T23:30:00.000Z', 'x,1', x'00ff', 1,
         'd', '2026-01-31T23:30:00.000Z'),
        (2, '', 0, 0.0, 0, '', '2026-02-01T10:00:00Z', '', x'', '', '', '2026-02-01T10:00:00Z'),
        (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
        (4, 'comma, "quote"' || char(13, 10) || 'next|line\ end', 9223372036854775807, 1e300, 7,
         '"text with \"quotes\" and \u00e9"', 'no date', 'gone', 'text', 2.0, 'ä', 'no date'),
        (5, char(9, 1, 8232) || 'ünï🎈', -9223372036854775808, -0.0, 'yes', 'null', 17, 5, 12, x'41',
         'x', '1969-12-31T23:59:59.999Z'),
        (6, CAST(x'ff41' AS TEXT), 'word', 'word', 0.5, '{"__type":"Pointer","className":"place","objectId":"p"}',
         1.5, CAST(x'ff' AS TEXT), CAST(x'ff' AS TEXT), CAST(x'fe' AS TEXT), CAST(x'ff' AS TEXT), 5),
        (7, CAST(x'61620063' AS TEXT), 1.25, 9e999, NULL, '[1,{"$date":"1999-01-01T00:00:00Z"}]',
         NULL, x'01', 3.5, -9e999, '1', NULL),
        (8, 'x', 2, 3, 1, '{"$numberLong":"5"}', NULL, 1.5, NULL, 9007199254740993, '2', NULL),
        (9, 'x', 2, 3, 1, char(10) || ' {"__type":"Date","iso":"2020-01-01T00:00:00.000Z"}' || char(10), NULL,
         NULL, NULL, 0.1, '3', NULL),
        (10, 'x', 2, 3, 1, '{"broken', NULL, NULL, NULL, 1e-7, '4', NULL);
      INSERT INTO pair VALUES('a,b%', 1, 'one'),('', 2, ''),('"', 3, NULL);)sql");
  }

  std::string answer(const char* op, std::string args, const char* member) {
    const auto reply = service_->run(std::string(R"({"op":")") + op + R"(","args":)" + args + "}",
                                     {Budget::for_ms(20'000), 4u << 20, nullptr});
    if (!reply) return "ERROR " + reply.error().message;
    if (member == nullptr) return reply->rows;
    const auto meta = Json::parse(reply->meta);
    return meta->find(member)->as_string().value_or("?");
  }

  // The export made from the JSON rows of a query.
  static std::string by_json(const std::string& rows, const ExportRequest& what) {
    TableBuilder builder(what, 4u << 20);
    const auto parsed = Json::parse(rows);
    EXPECT_TRUE(parsed) << rows;
    if (!parsed) return {};
    for (const Json row : parsed->elements()) builder.add(row.text());
    return builder.take_text();
  }

  void expect_the_same(const std::string& args, std::vector<Column> columns = {}) {
    std::string named;
    for (const Column& column : columns) {
      named += (named.empty() ? ",\"columns\":[" : ",") + std::string("\"") + column.path + "\"";
    }
    if (!columns.empty()) named += "]";
    const std::string rows = answer("query", "{" + args + "}", nullptr);
    for (const char* format : {"csv", "markdown", "table", "jsonl"}) {
      ExportRequest what;
      what.format = format;
      what.columns = columns;
      what.row_cap = 1000;
      EXPECT_EQ(answer("export", "{" + args + named + R"(,"format":")" + format + "\"}", "output"),
                by_json(rows, what))
          << format << " of " << args;
    }
  }
};

TEST_F(ExportCells, AreTheSameByWayOfJson) {
  expect_the_same(R"("class_name":"nasty","order":"id")");
  expect_the_same(R"("class_name":"nasty","order":"-id","keys":["json","place","anything"])");
  expect_the_same(R"("class_name":"pair")");
  expect_the_same(R"("class_name":"place","order":"code")");
}

TEST_F(ExportCells, AreTheSameByWayOfJsonInNamedColumns) {
  expect_the_same(R"("class_name":"nasty","order":"id")", {{"dotted.name", "dotted.name"},
                                                           {"json", "json"},
                                                           {"objectId", "objectId"},
                                                           {"createdAt", "createdAt"},
                                                           {"place", "place"},
                                                           {"text", "text"}});
  for (const char* name : {"text", "whole", "real", "flag", "json", "at", "place", "bytes",
                           "anything", "dotted.name"}) {
    expect_the_same(R"("class_name":"nasty","order":"id")", {{name, name}});
  }
}

TEST_F(ExportCells, SayWhenStoredJsonIsNestedTooDeeply) {
  run_sql(
      "INSERT INTO nasty(id, json) VALUES(20, printf('%.80c', '[') || "
      "printf('%.80c', ']'))");
  const std::string what = R"({"class_name":"nasty","where":{"id":20},"columns":[)";
  EXPECT_NE(answer("export", what + R"("json"]})", "output").find("nested too deeply"),
            std::string::npos);
  EXPECT_EQ(answer("export", what + R"("id"]})", "output"), "id\r\n20\r\n");
}

}  // namespace
}  // namespace gantry::data::export_cells_test
