#include "view/object_id.hpp"

#include <algorithm>
#include <random>

#include "rows/row_printer.hpp"
#include "sql/row_access.hpp"
#include "sql/select.hpp"
#include "tests/all_fields.hpp"
#include "tests/test_database.hpp"
#include "values/base64.hpp"
#include "view/scope.hpp"

namespace gantry::data::object_id_test {
namespace {

using testing::TestDatabase;
using testing::Writer;

// For every row: its objectId finds that row and no other.
void expect_round_trip(sqlite::Store& store, const std::string& name) {
  const Scope scope(*store.catalog());
  const auto* cls = scope.open(name);
  ASSERT_TRUE(cls);
  const RowPrinter printer(ValueReader::compile(*cls, testing::kCommonNames,
                                                testing::all_fields(*cls), JsonDialect::parse),
                           JsonDialect::parse);
  const std::string& columns = printer.reader().select_list();
  auto lease = store.lease({});
  auto rows = testing::connection_of(lease).prepare(select_rows(*cls, columns, {}));
  ASSERT_TRUE(rows.is_ok()) << rows.message();
  int seen = 0;
  for (; rows->next(); ++seen) {
    std::string id, row;
    printer.reader().append_id(rows->row(), id);
    printer.append(rows->row(), row);
    auto parts = parse_object_id(*cls, id);
    ASSERT_TRUE(parts.is_ok()) << parts.message();
    const Clauses clauses{{id_condition(*parts), {}}, {}, 0, {}};
    auto one = testing::connection_of(lease).prepare(select_rows(*cls, columns, clauses));
    ASSERT_TRUE(one.is_ok()) << one.message();
    ASSERT_TRUE(one->next()) << id << " is not found";
    std::string again;
    printer.append(one->row(), again);
    EXPECT_EQ(again, row);
    EXPECT_FALSE(one->next()) << id << " names two rows";
  }
  EXPECT_GT(seen, 0);
}

TEST(ObjectId, RoundTripsEveryKindOfKey) {
  TestDatabase db(R"sql(
    CREATE TABLE ints(id INTEGER PRIMARY KEY); INSERT INTO ints VALUES(1),(-5),(9223372036854775807),(-9223372036854775808);
    CREATE TABLE texts(id TEXT PRIMARY KEY); INSERT INTO texts VALUES(''),('1'),('01'),('a,b%2C'),('0xzz'),('日本'),('%null');
    CREATE TABLE reals(id REAL PRIMARY KEY); INSERT INTO reals VALUES(1),(0.1),(1e300),(-2.5);
    CREATE TABLE blobs(id BLOB PRIMARY KEY); INSERT INTO blobs VALUES(x'00ff'),(x''),(x'616263');
    CREATE TABLE numbers(id NUMERIC PRIMARY KEY); INSERT INTO numbers VALUES(1),(1.5),('abc'),(' x1'),('0x10');
    CREATE TABLE heap(a); INSERT INTO heap VALUES(1),(1);
    CREATE TABLE badtext(id TEXT PRIMARY KEY); INSERT INTO badtext VALUES(CAST(x'fffe' AS TEXT));
    CREATE TABLE pairs(a, b TEXT, c INT, PRIMARY KEY(a,b,c));
    INSERT INTO pairs VALUES(1,',',2),(1,'%2C',2),(NULL,'',3),(x'00','%null',NULL),(2.5,'x',1))sql");
  auto store = db.open();
  for (const char* name :
       {"ints", "texts", "reals", "blobs", "numbers", "heap", "badtext", "pairs"}) {
    SCOPED_TRACE(name);
    expect_round_trip(*store, name);
  }
}

TEST(ObjectId, RoundTripsRandomCompositeKeys) {
  TestDatabase db("CREATE TABLE t(a TEXT, b BLOB, c INTEGER, PRIMARY KEY(a,b,c)) WITHOUT ROWID");
  std::mt19937 random(7);
  constexpr std::string_view kAlphabet = "a,%2C0x\"'é\\ n";
  Writer writer(db.path());
  for (int i = 0; i < 300; ++i) {
    std::string text, hex;
    for (auto n = random() % 6; n > 0; --n) {
      const char c = kAlphabet[random() % kAlphabet.size()];
      text += c == '\'' ? "''" : std::string(1, c);
      hex += "0123456789abcdef"[random() % 16], hex += 'f';
    }
    writer.run("INSERT OR IGNORE INTO t VALUES('" + text + "', x'" + hex + "', " +
               std::to_string(static_cast<int>(random())) + ")");
  }
  auto store = db.open();
  expect_round_trip(*store, "t");
}

TEST(ObjectId, TextThatIsNotTheIdItselfNamesNothing) {
  TestDatabase db("CREATE TABLE t(id INTEGER PRIMARY KEY); INSERT INTO t VALUES(1)");
  auto store = db.open();
  const Scope scope(*store->catalog());
  for (const char* id : {"01", "1.0", "+1", " 1", "1e0", "", "1 "}) {
    const ClassView& cls = *scope.open("t");
    const Clauses clauses{{id_condition(*parse_object_id(cls, id)), {}}, {}, 0, {}};
    const Fragment query = select_rows(cls, "id", clauses);
    auto lease = store->lease({});
    auto statement = testing::connection_of(lease).prepare(query);
    ASSERT_TRUE(statement.is_ok()) << statement.message();
    EXPECT_EQ(statement->next(), std::string_view(id) == "1.0") << id;
  }
}

TEST(ObjectId, TheIdsOfTheSameObject) {
  TestDatabase db(
      "CREATE TABLE days(day DATE PRIMARY KEY); INSERT INTO days VALUES('2026-01-01');"
      "CREATE TABLE files(id BLOB PRIMARY KEY); CREATE TABLE moments(at DATETIME, n INT, PRIMARY "
      "KEY(at, n));"
      "INSERT INTO moments VALUES('2026-01-01 10:00:00', 1)");
  const auto store = db.open();
  const Scope scope(*store->catalog());
  const auto shows = [&](const char* cls, const char* id, const char* shown) {
    return SameIds(*scope.open(cls), id).include(shown);
  };
  EXPECT_TRUE(shows("days", "2026-01-01T00:00:00Z", "2026-01-01"));
  EXPECT_TRUE(shows("days", "2026-01-01", "2026-01-01"));
  EXPECT_TRUE(shows("files", "AQI=", "0x0102"));
  EXPECT_TRUE(shows("moments", "2026-01-01T10:00:00Z,1", "2026-01-01 10:00:00,1"));
  EXPECT_TRUE(shows("moments", "a%2cb%25,1", "a%2Cb%25,1"));
  EXPECT_TRUE(shows("moments", "%null,1", "%null,1"));
  EXPECT_FALSE(shows("moments", "2026-01-01T10:00:00Z,1", "2026-01-01 10:00:00,2"));
  EXPECT_FALSE(shows("moments", "2026-01-01T10:00:00Z,1", "2026-01-01 10:00:00"));
  EXPECT_FALSE(shows("moments", "1", "1"));
  EXPECT_FALSE(shows("days", "2026-01-02T00:00:00Z", "2026-01-01"));
}

TEST(ObjectId, AnOwnerIsNamedByTheIdItselfAndByNoOtherForm) {
  Field field;
  field.column = "at";
  field.declared = "TIMESTAMP";
  field.kind = Kind::date;
  field.date_form = DateForm::epoch_seconds;
  field.numeric_affinity = true;
  const auto compared = [&field](const char* text) {
    std::string all;
    for (const Bind& bind : equals_text(field, text).binds) {
      all += (std::holds_alternative<std::string>(bind) ? "text " : "other ") +
             id_text(stored_of(bind)) + ';';
    }
    return all;
  };
  EXPECT_EQ(id_values(field, "2026-01-01T00:00:00Z").size(), 2U);
  EXPECT_EQ(compared("2026-01-01T00:00:00Z"), "text 2026-01-01T00:00:00Z;");
  EXPECT_EQ(compared("1767225600"), "other 1767225600;");
  field.declared = "BLOB";
  field.kind = Kind::bytes;
  field.numeric_affinity = false;
  EXPECT_EQ(compared("aGk="), "text aGk=;");
  EXPECT_EQ(compared("0xff"), "text 0xff;") << "nor a text that is no UTF-8";
}

TEST(ObjectId, AKeyOfBytesIsFoundByItsBase64) {
  TestDatabase db(
      "CREATE TABLE files(id BLOB PRIMARY KEY); CREATE TABLE texts(id TEXT PRIMARY KEY);"
      "CREATE TABLE parts(file BLOB, n INT, PRIMARY KEY(file, n))");
  const auto store = db.open();
  const Scope scope(*store->catalog());
  const auto names = [&](const char* cls, const char* id, std::string_view bytes) {
    const auto parts = parse_object_id(*scope.open(cls), id);
    if (!parts.is_ok()) return false;
    const auto& all = parts->front().any_of;
    return std::any_of(all.begin(), all.end(), [bytes](const Bind& one) {
      const auto* const stored = std::get_if<Bytes>(&one);
      return stored != nullptr && stored->data == bytes;
    });
  };
  EXPECT_TRUE(names("files", "AQL/", "\x01\x02\xff"));
  EXPECT_TRUE(names("files", "AQI=", "\x01\x02"));
  EXPECT_TRUE(names("files", "0x0102ff", "\x01\x02\xff"));
  EXPECT_FALSE(names("files", "0x0102ff", *decode_base64("0x0102ff")));
  EXPECT_FALSE(names("files", "", ""));
  EXPECT_FALSE(names("texts", "AQL/", "\x01\x02\xff"));
  EXPECT_TRUE(names("parts", "AQL/,7", "\x01\x02\xff"));
}

TEST(ObjectId, AKeyOfDatesIsFoundByTheTextThatIsShown) {
  TestDatabase db(
      "CREATE TABLE days(day DATE PRIMARY KEY); INSERT INTO days VALUES('2026-01-01');"
      "CREATE TABLE moments(at DATETIME, n INT, PRIMARY KEY(at, n));"
      "INSERT INTO moments VALUES('2026-01-01 10:00:00', 1)");
  const auto store = db.open();
  const Scope scope(*store->catalog());
  const auto values = [&](const char* cls, const char* id) {
    const auto parts = parse_object_id(*scope.open(cls), id);
    return parts.is_ok() ? parts->front().any_of : std::vector<Bind>{};
  };
  const auto has = [](const std::vector<Bind>& all, const char* text) {
    return std::any_of(all.begin(), all.end(), [text](const Bind& one) {
      const auto* const stored = std::get_if<std::string>(&one);
      return stored != nullptr && *stored == text;
    });
  };
  EXPECT_TRUE(has(values("days", "2026-01-01T00:00:00Z"), "2026-01-01"));
  EXPECT_FALSE(has(values("days", "2026-01-01T10:00:00Z"), "2026-01-01"));
  EXPECT_EQ(values("days", "2026-01-01").size(), 1u);
  EXPECT_TRUE(has(values("moments", "2026-01-01T10:00:00Z,1"), "2026-01-01 10:00:00"));
}

TEST(ObjectId, BadIdsAreExplained) {
  TestDatabase db("CREATE TABLE p(a,b,PRIMARY KEY(a,b)); CREATE VIEW v AS SELECT a FROM p");
  const Scope scope(*db.open()->catalog());
  for (const char* id : {"1", "1,2,3", "1,%", "1,%2", "1,%zz"}) {
    auto parts = parse_object_id(*scope.open("p"), id);
    ASSERT_FALSE(parts.is_ok()) << id;
    EXPECT_NE(parts.message().find("has the parts a,b"), std::string::npos) << parts.message();
  }
  auto view = parse_object_id(*scope.open("v"), "1");
  ASSERT_FALSE(view.is_ok());
  EXPECT_NE(view.message().find("has no ids"), std::string::npos);
}

TEST(ObjectId, TheKeysIndexIsUsed) {
  TestDatabase db("CREATE TABLE t(id BLOB PRIMARY KEY, a)");
  auto store = db.open();
  const Scope scope(*store->catalog());
  auto lease = store->lease({});
  const ClassView& cls = *scope.open("t");
  const Clauses clauses{{id_condition(*parse_object_id(cls, "17")), {}}, {}, 0, {}};
  const auto steps = (*lease)->explain(select_rows(cls, "a", clauses), *scope.catalog(), "t");
  ASSERT_TRUE(steps.is_ok());
  EXPECT_TRUE(steps->front().searches) << steps->front().text;
}

}  // namespace
}  // namespace gantry::data::object_id_test
