#include <algorithm>
#include <chrono>
#include <thread>

#include "tests/test_database.hpp"
#include "view/scope.hpp"

namespace gantry::data {
namespace {

using testing::TestDatabase;
using testing::Writer;

constexpr const char* kNasty = R"sql(
CREATE TABLE authors(id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE NOT NULL, born DATE,
  active BOOLEAN, meta JSON, tags TEXT, created_at TEXT, updatedAt INTEGER, password TEXT);
INSERT INTO authors VALUES(1,'Ann','1970-01-01',1,'{"a":1}','["x"]','2026-01-01 10:00:00',1767261600,'p'),
  (2,'Bob',NULL,0,NULL,'[]','2026-01-02 10:00:00',1767348000,'q');
CREATE TABLE books(isbn TEXT PRIMARY KEY, author INTEGER REFERENCES AUTHORS, editor REFERENCES authors(id),
  sequel TEXT REFERENCES books(isbn), lost INTEGER REFERENCES gone(id), byname TEXT REFERENCES authors(name),
  title TEXT, double_price REAL GENERATED ALWAYS AS (2.0) VIRTUAL);
CREATE INDEX books_title ON books(title, author);
CREATE INDEX books_lower ON books(lower(title)) WHERE title IS NOT NULL;
CREATE TABLE pairs(a TEXT, b INTEGER, v, PRIMARY KEY(a, b)) WITHOUT ROWID;
CREATE TABLE heap(x, rowid TEXT, note VARCHAR(20) DEFAULT 'n' NOT NULL);
CREATE TABLE uuids(pk INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE);
CREATE TABLE loose(pk INTEGER PRIMARY KEY, uuid TEXT UNIQUE);
CREATE TABLE named(objectId TEXT, other INT);
CREATE TABLE strict_one(id INT PRIMARY KEY, t TEXT, a ANY, n REAL) STRICT;
CREATE TABLE checked(id INTEGER PRIMARY KEY DESC, t TEXT CHECK(typeof("t")='text'),
  u INT CHECK (typeof(u) IN ('integer','null')), w CHECK(typeof(w)='text' OR w IS NULL));
CREATE TABLE "we""ird `name"("sel ect" INTEGER, "日本" TEXT, "" TEXT);
CREATE TABLE _hooks(id INTEGER PRIMARY KEY);
CREATE TABLE schema_migrations(version TEXT);
CREATE TABLE secret(_session_token TEXT PRIMARY KEY, a);
CREATE VIEW v AS SELECT id, name FROM authors;
CREATE VIEW broken AS SELECT * FROM authors;
CREATE VIRTUAL TABLE docs USING fts5(title, body);
CREATE VIRTUAL TABLE box USING rtree(id, x0, x1);
)sql";

class CatalogOfNasty : public ::testing::Test {
 protected:
  CatalogOfNasty() : db_(kNasty) {
    Writer writer(db_.path());
    writer.run(
        "PRAGMA writable_schema=1; UPDATE sqlite_schema SET sql='CREATE VIEW broken AS "
        "SELECT * FROM nowhere' WHERE name='broken'");
    store_ = db_.open();
    catalog_ = *store_->catalog();
  }
  const ClassInfo& cls(std::string_view name) {
    const auto* found = catalog_->find(name);
    EXPECT_TRUE(found) << name;
    static const ClassInfo none;
    return found ? *found : none;
  }
  const Field& field(std::string_view of, std::string_view name) {
    const auto* found = cls(of).find(name);
    EXPECT_TRUE(found) << of << "." << name;
    static const Field none;
    return found ? *found : none;
  }
  std::string id_of(std::string_view name) {
    std::string names;
    for (const auto i : cls(name).id_fields) names += cls(name).fields[i].name + ";";
    return names;
  }

  TestDatabase db_;
  std::unique_ptr<sqlite::Store> store_;
  CatalogPtr catalog_;
};

TEST_F(CatalogOfNasty, ListsTablesAndViewsWithoutShadowsAndBrokenOnes) {
  std::string names;
  for (const auto& c : catalog_->classes()) names += c.name + "|";
  EXPECT_EQ(names,
            "_hooks|authors|books|box|checked|docs|heap|loose|named|pairs|schema_migrations|secret|"
            "strict_one|uuids|v|we\"ird `name|");
}

TEST_F(CatalogOfNasty, ScopeHidesTheFloor) {
  const Scope scope(catalog_);
  EXPECT_FALSE(scope.open("schema_migrations"));
  EXPECT_FALSE(scope.open("Authors")) << "names are exact";
  const ClassView* const authors = scope.open("authors");
  ASSERT_TRUE(authors);
  EXPECT_FALSE(authors->find("password"));
  EXPECT_TRUE(authors->find("name"));
  EXPECT_EQ(authors->fields.size(), catalog_->find("authors")->fields.size() - 1);
  EXPECT_EQ(scope.classes().size(), catalog_->classes().size() - 1);
}

TEST_F(CatalogOfNasty, IdsFollowTheOrderOfPreference) {
  EXPECT_EQ(id_of("authors"), "id;");
  EXPECT_EQ(id_of("books"), "isbn;");
  EXPECT_EQ(id_of("pairs"), "a;b;");
  EXPECT_EQ(cls("pairs").id_form, IdForm::composite);
  EXPECT_EQ(id_of("uuids"), "uuid;");
  EXPECT_EQ(id_of("loose"), "pk;") << "a column that may be NULL names no row";
  EXPECT_EQ(cls("named").id_form, IdForm::rowid);
  EXPECT_EQ(cls("heap").id_form, IdForm::rowid);
  EXPECT_EQ(cls("heap").rowid, "_rowid_");
  EXPECT_EQ(cls("v").id_form, IdForm::none);
  EXPECT_EQ(cls("docs").id_form, IdForm::rowid);
  EXPECT_EQ(cls("secret").id_form, IdForm::rowid) << "an internal column is no id";
}

TEST_F(CatalogOfNasty, DateRolesAreColumnsOfAnyName) {
  const ClassInfo& authors = cls("authors");
  EXPECT_EQ(authors.role("createdAt"), &field("authors", "created_at"));
  EXPECT_EQ(authors.role("updatedAt"), &field("authors", "updatedAt"));
  EXPECT_EQ(authors.role("created_at"), nullptr) << "a column's own name is no role";
  EXPECT_EQ(cls("books").role("createdAt"), nullptr);
}

TEST_F(CatalogOfNasty, ForeignKeysToIdsArePointers) {
  for (const char* name : {"author", "editor"}) {
    EXPECT_EQ(field("books", name).kind, Kind::pointer) << name;
    EXPECT_EQ(field("books", name).target_class, "authors");
    EXPECT_EQ(field("books", name).target_field, "id");
  }
  EXPECT_EQ(field("books", "sequel").target_class, "books");
  EXPECT_EQ(field("books", "lost").kind, Kind::integer);
  EXPECT_EQ(field("books", "byname").kind, Kind::string);
  EXPECT_EQ(field("books", "author").native, Kind::integer);
}

TEST_F(CatalogOfNasty, KindsComeFromTypesAndRows) {
  EXPECT_EQ(field("authors", "id").kind, Kind::integer);
  EXPECT_EQ(field("authors", "name").kind, Kind::string);
  EXPECT_FALSE(field("authors", "name").binary_collation);
  EXPECT_TRUE(field("authors", "tags").binary_collation);
  EXPECT_EQ(field("authors", "born").kind, Kind::date);
  EXPECT_EQ(field("authors", "born").iso_shape, "0000-00-00");
  EXPECT_EQ(field("authors", "active").kind, Kind::boolean);
  EXPECT_EQ(field("authors", "meta").kind, Kind::object);
  EXPECT_EQ(field("authors", "tags").kind, Kind::array);
  EXPECT_TRUE(field("authors", "tags").json);
  EXPECT_EQ(field("authors", "updatedAt").date_form, DateForm::epoch_seconds);
  EXPECT_EQ(cls("authors").fields[*cls("authors").created_at].name, "created_at");
  EXPECT_EQ(cls("authors").fields[*cls("authors").updated_at].name, "updatedAt");
  EXPECT_TRUE(field("books", "double_price").generated);
  EXPECT_EQ(field("we\"ird `name", "sel ect").column, "`sel ect`");
  EXPECT_EQ(cls("we\"ird `name").table, "`main`.`we\"ird ``name`");
}

TEST_F(CatalogOfNasty, KindsAreProvenOnlyByTheDatabase) {
  EXPECT_TRUE(field("authors", "id").proven);
  EXPECT_FALSE(field("authors", "name").proven);
  EXPECT_TRUE(field("strict_one", "t").proven);
  EXPECT_FALSE(field("strict_one", "a").proven);
  EXPECT_FALSE(field("strict_one", "a").numeric_affinity);
  EXPECT_TRUE(field("checked", "t").proven);
  EXPECT_TRUE(field("checked", "u").proven);
  EXPECT_FALSE(field("checked", "w").proven);
  EXPECT_FALSE(field("checked", "id").proven) << "PRIMARY KEY DESC is no alias of the rowid";
}

TEST_F(CatalogOfNasty, IndexesAreNamedByTheirFields) {
  const auto& indexes = cls("books").indexes;
  const auto titled = std::find_if(indexes.begin(), indexes.end(),
                                   [](const Index& i) { return i.name == "books_title"; });
  ASSERT_NE(titled, indexes.end());
  EXPECT_EQ(titled->fields, (std::vector<std::string>{"title", "author"}));
  const auto lowered = std::find_if(indexes.begin(), indexes.end(),
                                    [](const Index& i) { return i.name == "books_lower"; });
  ASSERT_NE(lowered, indexes.end());
  EXPECT_TRUE(lowered->partial);
  EXPECT_EQ(lowered->fields[0], "<expression>");
  EXPECT_TRUE(field("books", "title").indexed);
  EXPECT_TRUE(field("books", "isbn").indexed);
  EXPECT_FALSE(field("books", "author").indexed);
  EXPECT_TRUE(field("heap", "note").required == false && field("authors", "name").required);
}

TEST_F(CatalogOfNasty, EveryClassCanBeSelectedByItsOwnNames) {
  auto lease = store_->lease({});
  for (const auto& c : catalog_->classes()) {
    std::string columns = c.rowid.empty() ? "1" : c.rowid;
    for (const auto& f : c.fields) columns += "," + f.column;
    EXPECT_TRUE(
        testing::connection_of(lease).prepare("SELECT " + columns + " FROM " + c.table).is_ok())
        << c.name;
  }
}

TEST_F(CatalogOfNasty, RequestsInFlightKeepTheirCatalog) {
  const auto* before = catalog_->find("heap");
  Writer(db_.path()).run("ALTER TABLE heap ADD COLUMN extra; CREATE TABLE fresh(a)");
  auto now = *store_->catalog();
  EXPECT_NE(now, catalog_);
  EXPECT_EQ(before->fields.size(), 3u);
  EXPECT_EQ(now->find("heap")->fields.size(), 4u);
  EXPECT_TRUE(now->find("fresh"));
  EXPECT_EQ(*store_->catalog(), now) << "nothing changed, nothing is built";
}

TEST(Catalog, EmptyClassesAreLookedAtAgainAfterRowsCame) {
  TestDatabase db("CREATE TABLE t(doc TEXT)");
  auto store = db.open();
  EXPECT_EQ((*store->catalog())->find("t")->find("doc")->kind, Kind::string);
  Writer(db.path()).run("INSERT INTO t VALUES('{}')");
  (void)store->catalog();
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  EXPECT_EQ((*store->catalog())->find("t")->find("doc")->kind, Kind::object);
}

TEST(Catalog, SchemasMayUseJsonAndChange) {
  TestDatabase db(
      "CREATE TABLE t(j TEXT CHECK(json_valid(j))); INSERT INTO t VALUES('{\"x\":\"y\"}');"
      "CREATE INDEX i ON t(j ->> '$.x'); CREATE VIEW v AS SELECT json_extract(j,'$.x') AS x FROM "
      "t");
  auto store = db.open();
  (void)store->catalog();
  Writer(db.path()).run("CREATE TABLE later(a)");
  EXPECT_TRUE((*store->catalog())->find("later"));
  auto lease = store->lease({});
  EXPECT_EQ(testing::ask(**lease, "SELECT x FROM v"), "y");
  EXPECT_EQ(testing::ask(**lease, "SELECT count(*) FROM t WHERE j ->> '$.x' = 'y'"), "1");
}

TEST(Catalog, SchemasCallNothingThatIsOurs) {
  TestDatabase db("CREATE TABLE t(a); INSERT INTO t VALUES(1)");
  Writer(db.path()).run("CREATE VIEW v AS SELECT a FROM t WHERE gantry_match(a, a)");
  auto store = db.open();
  auto lease = store->lease({});
  EXPECT_EQ(testing::ask(**lease, "SELECT a FROM v").substr(0, 1), "!");
}

TEST(Catalog, FindMayBeAskedWhileAllConnectionsAreLeased) {
  TestDatabase db("CREATE TABLE t(doc TEXT); INSERT INTO t VALUES('[]')");
  auto store = db.open({1, {}});
  auto held = store->lease({});
  EXPECT_EQ((*store->catalog())->find("t")->find("doc")->kind, Kind::array);
}

TEST(Catalog, RowCountsComeFromStatisticsOrRowids) {
  TestDatabase db(
      "CREATE TABLE t(a); CREATE TABLE few(a); INSERT INTO few VALUES(1),(2);"
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n LIMIT 5000)"
      "INSERT INTO t SELECT i FROM n; CREATE TABLE sparse(id INTEGER PRIMARY KEY);"
      "INSERT INTO sparse SELECT a + 9000000000000 FROM t;"
      "CREATE TABLE gaps(id INTEGER PRIMARY KEY);"
      "INSERT INTO gaps SELECT 1000 + 9 * a FROM t WHERE a <= 300");
  auto catalog = *db.open()->catalog();
  EXPECT_EQ(catalog->find("t")->estimated_rows, 5000);
  EXPECT_EQ(catalog->find("few")->estimated_rows, 2);
  EXPECT_LT(catalog->find("sparse")->estimated_rows, 1'000'000);
  EXPECT_EQ(catalog->find("gaps")->estimated_rows, 300);
}

TEST(Catalog, AViewThatTakesForEverKeepsItsDeclaredKinds) {
  TestDatabase db(
      "CREATE TABLE t(a TEXT); CREATE VIEW slow AS WITH RECURSIVE n(i) AS (SELECT 1 "
      "UNION ALL SELECT i+1 FROM n) SELECT count(*) AS c, t.a FROM n, t");
  auto store = db.open();
  const auto start = Budget::now_ns();
  const auto* slow = (*store->catalog())->find("slow");
  ASSERT_TRUE(slow);
  EXPECT_LT(Budget::now_ns() - start, 2'000'000'000);
}

}  // namespace
}  // namespace gantry::data
