#include "rows/row_printer.hpp"

#include <utility>

#include "sql/select.hpp"
#include "tests/all_fields.hpp"
#include "tests/test_database.hpp"
#include "values/json_text.hpp"
#include "view/scope.hpp"

namespace gantry::data {
namespace {

using testing::TestDatabase;
using testing::Writer;

// All rows of a class, one JSON object a line.
std::string rows_of(sqlite::Store& store, const std::string& name, const RowOptions& options = {}) {
  const Scope scope(*store.catalog());
  const auto* cls = scope.open(name);
  EXPECT_TRUE(cls);
  const RowPrinter printer(
      ValueReader::compile(*cls, {cls->id_alias(), kDateRoles[0], kDateRoles[1]},
                           testing::all_fields(*cls), JsonDialect::parse),
      JsonDialect::parse);
  auto lease = store.lease({});
  auto statement =
      testing::connection_of(lease).prepare(select_rows(*cls, printer.reader().select_list(), {}));
  EXPECT_TRUE(statement.is_ok()) << statement.message();
  std::string out;
  while (statement->next()) {
    const auto start = out.size();
    printer.append(statement->row(), out, options);
    EXPECT_EQ(json_shape(std::string_view(out).substr(start)), JsonShape::object) << out;
    out += '\n';
  }
  EXPECT_TRUE(statement->status().is_ok()) << statement->status().message();
  return out;
}

std::string rows_of(const std::string& sql, const std::string& name) {
  TestDatabase db(sql);
  return rows_of(*db.open(), name);
}

TEST(Rows, ObjectIdComesFirstAndTheKeyStaysVisible) {
  EXPECT_EQ(
      rows_of("CREATE TABLE t(name TEXT, id INTEGER PRIMARY KEY); INSERT INTO t VALUES('a',7)",
              "t"),
      "{\"objectId\":\"7\",\"name\":\"a\",\"id\":7}\n");
  EXPECT_EQ(
      rows_of("CREATE TABLE t(objectId TEXT PRIMARY KEY, n); INSERT INTO t VALUES('x',NULL)", "t"),
      "{\"objectId\":\"x\",\"n\":null}\n");
  EXPECT_EQ(rows_of("CREATE TABLE t(objectId TEXT, n); INSERT INTO t VALUES('x',1)", "t"),
            "{\"_id\":\"1\",\"objectId\":\"x\",\"n\":1}\n");
  EXPECT_EQ(rows_of("CREATE TABLE u(objectId); INSERT INTO u VALUES('x');"
                    "CREATE VIEW t AS SELECT * FROM u",
                    "t"),
            "{\"objectId\":\"x\"}\n");
  EXPECT_EQ(rows_of("CREATE TABLE t(a,b,PRIMARY KEY(a,b)) WITHOUT ROWID;"
                    "INSERT INTO t VALUES('x,y',2)",
                    "t"),
            "{\"objectId\":\"x%2Cy,2\",\"a\":\"x,y\",\"b\":2}\n");
}

TEST(Rows, CountValuesBeyondTheLimitAndDoNotWriteThem) {
  TestDatabase db(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, b BLOB, s TEXT);"
      "INSERT INTO t VALUES(1,zeroblob(300),'abc'),(2,x'00',printf('%.*c',101,'x'))");
  const auto store = db.open();
  std::vector<std::size_t> bytes(4, 0);
  RowOptions options;
  options.bytes = &bytes;
  options.longest = 100;
  EXPECT_EQ(rows_of(*store, "t", options),
            "{\"objectId\":\"1\",\"id\":1,\"b\":null,\"s\":\"abc\"}\n"
            "{\"objectId\":\"2\",\"id\":2,\"b\":{\"__type\":\"Bytes\",\"base64\":\"AA==\"},\"s\":"
            "null}\n");
  const std::vector<std::size_t> counted = std::exchange(bytes, std::vector<std::size_t>(4, 0));
  options.longest = 1000;
  const std::string whole = rows_of(*store, "t", options);
  EXPECT_GT(whole.size(), 500u);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(counted[i]), static_cast<double>(bytes[i]), 10) << i;
  }
}

TEST(Rows, ShowStoredJsonThatNestsTooDeepAsText) {
  const auto nested = [](std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
  };
  for (const std::size_t levels : {kMostStoredLevels, kMostStoredLevels + 1}) {
    const std::string json = nested(levels);
    const std::string shown = levels > kMostStoredLevels ? "\"" + json + "\"" : json;
    EXPECT_EQ(rows_of("CREATE TABLE t(id INTEGER PRIMARY KEY, j JSON);"
                      "INSERT INTO t VALUES(1,'" +
                          json + "'),(2,'{\"a\":1}')",
                      "t"),
              "{\"objectId\":\"1\",\"id\":1,\"j\":" + shown +
                  "}\n"
                  "{\"objectId\":\"2\",\"id\":2,\"j\":{\"a\":1}}\n");
  }
}

TEST(Rows, TimestampsAreBareIsoStrings) {
  EXPECT_EQ(rows_of("CREATE TABLE t(id INTEGER PRIMARY KEY, created_at DATETIME, updatedAt "
                    "INTEGER, due DATE);"
                    "INSERT INTO t VALUES(1,'2026-11-21 20:00:00',1795291200,'2026-11-22'),"
                    "(2,NULL,1795291200,NULL)",
                    "t"),
            "{\"objectId\":\"1\",\"createdAt\":\"2026-11-21T20:00:00.000Z\","
            "\"updatedAt\":\"2026-11-21T20:00:00.000Z\",\"id\":1,"
            "\"created_at\":{\"__type\":\"Date\",\"iso\":\"2026-11-21T20:00:00.000Z\"},"
            "\"due\":{\"__type\":\"Date\",\"iso\":\"2026-11-22T00:00:00.000Z\"}}\n"
            "{\"objectId\":\"2\",\"createdAt\":null,\"updatedAt\":\"2026-11-21T20:00:00.000Z\","
            "\"id\":2,\"created_at\":null,\"due\":null}\n");
}

TEST(Rows, ValuesThatDoNotFitAreWrittenAsStored) {
  std::string sql =
      "CREATE TABLE t(a BOOLEAN, d DATE, j JSON, b BLOB, n REAL, k TEXT);"
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n LIMIT 300)"
      "INSERT INTO t SELECT 1,'2026-01-01','{}',x'00',1,'x' FROM n;"
      "INSERT INTO t VALUES('yes', 'soon', '{oops', 'text', 'NaN', CAST(x'ff41' AS TEXT))";
  TestDatabase db(sql);
  const auto rows = rows_of(*db.open(), "t");
  EXPECT_TRUE(
      rows.ends_with("{\"objectId\":\"301\",\"a\":\"yes\",\"d\":\"soon\",\"j\":\"{oops\","
                     "\"b\":\"text\",\"n\":\"NaN\","
                     "\"k\":{\"__type\":\"Bytes\",\"base64\":\"/0E=\"}}\n"))
      << rows.substr(rows.size() - 200);
  EXPECT_TRUE(rows.starts_with(
      "{\"objectId\":\"1\",\"a\":true,\"d\":{\"__type\":\"Date\",\"iso\":\"2026-01-01T00:00:00."
      "000Z\"},"
      "\"j\":{},\"b\":{\"__type\":\"Bytes\",\"base64\":\"AA==\"},\"n\":1.0,\"k\":\"x\"}\n"))
      << rows.substr(0, 200);
}

TEST(Rows, NumbersStayExact) {
  EXPECT_EQ(
      rows_of(
          "CREATE TABLE t(a); INSERT INTO t VALUES(9007199254740993),(9e999),(-9e999),(0.1),(2.0)",
          "t"),
      "{\"objectId\":\"1\",\"a\":9007199254740993}\n{\"objectId\":\"2\",\"a\":\"Infinity\"}\n"
      "{\"objectId\":\"3\",\"a\":\"-Infinity\"}\n{\"objectId\":\"4\",\"a\":0.1}\n"
      "{\"objectId\":\"5\",\"a\":2.0}\n");
}

TEST(Rows, JsonIsSplicedOnOneLine) {
  EXPECT_EQ(
      rows_of(
          "CREATE TABLE t(j TEXT); INSERT INTO t VALUES('{\"a\":'||char(10)||'[1.50, \"\\n\"]}')",
          "t"),
      "{\"objectId\":\"1\",\"j\":{\"a\": [1.50, \"\\n\"]}}\n");
}

TEST(Rows, PointersCarryClassAndId) {
  EXPECT_EQ(rows_of("CREATE TABLE \"a\"\"b\"(id TEXT PRIMARY KEY); CREATE TABLE t(p REFERENCES "
                    "\"a\"\"b\"(id));"
                    "INSERT INTO t VALUES('x'),(NULL),(5)",
                    "t"),
            "{\"objectId\":\"1\",\"p\":{\"__type\":\"Pointer\",\"className\":\"a\\\"b\","
            "\"objectId\":\"x\"}}\n"
            "{\"objectId\":\"2\",\"p\":null}\n"
            "{\"objectId\":\"3\",\"p\":{\"__type\":\"Pointer\",\"className\":\"a\\\"b\","
            "\"objectId\":\"5\"}}\n");
}

TEST(Rows, PointersToHiddenClassesAreRedacted) {
  EXPECT_EQ(rows_of("CREATE TABLE _Session(id INTEGER PRIMARY KEY);"
                    "CREATE TABLE t(p REFERENCES _Session); INSERT INTO t VALUES(42),(NULL)",
                    "t"),
            "{\"objectId\":\"1\",\"p\":{\"className\":\"_Session\",\"__redacted\":true}}\n"
            "{\"objectId\":\"2\",\"p\":null}\n");
}

struct Collector : PointerHook {
  bool write(std::size_t, const StoredValue& id, JsonAppender& out) override {
    ids += std::to_string(id.integer) + ";";
    if (id.integer != 1) return false;
    out.put("{\"included\":true}");
    return true;
  }
  std::string ids;
};

TEST(Rows, AHookMayTakeThePlaceOfPointersAndBytesAreCounted) {
  TestDatabase db(
      "CREATE TABLE u(id INTEGER PRIMARY KEY); CREATE TABLE t(p REFERENCES u, s TEXT);"
      "INSERT INTO t VALUES(1,'abc'),(2,'d')");
  auto store = db.open();
  Collector hook;
  std::vector<std::size_t> bytes(3);
  const auto rows = rows_of(*store, "t", {.pointers = &hook, .bytes = &bytes});
  EXPECT_EQ(hook.ids, "1;2;");
  EXPECT_TRUE(rows.starts_with("{\"objectId\":\"1\",\"p\":{\"included\":true},\"s\":\"abc\"}\n"))
      << rows;
  EXPECT_EQ(bytes[0] + bytes[1] + bytes[2] + 2 * 3, rows.size());
  EXPECT_EQ(bytes[2], std::string(",\"s\":\"abc\",\"s\":\"d\"").size());
}

TEST(Rows, InternalColumnsNeverAppear) {
  EXPECT_EQ(rows_of("CREATE TABLE t(id INTEGER PRIMARY KEY, password TEXT, _auth_data_x TEXT);"
                    "INSERT INTO t VALUES(1,'p','q')",
                    "t"),
            "{\"objectId\":\"1\",\"id\":1}\n");
}

TEST(Rows, AViewWithoutVisibleColumnsIsEmptyObjects) {
  EXPECT_EQ(rows_of("CREATE TABLE u(password); INSERT INTO u VALUES(1);"
                    "CREATE VIEW t AS SELECT password FROM u",
                    "t")
                .size(),
            3u);
}

}  // namespace
}  // namespace gantry::data
